package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters of the WAL that was generated (14+). Up to 17 all of them are in {@code pg_stat_wal}; since 18 writes and syncs are those of
 * {@code pg_stat_io} for the object {@code wal} in the context {@code normal}, which leaves out the making of new files as before.
 *
 * @param records WAL records
 * @param fullPageImages full-page images
 * @param bytes size of both
 * @param buffersFull times that WAL had to be written because its buffers were full
 * @param writes writes of WAL buffers to disk
 * @param syncs times that WAL files were synced
 * @param writeMillis time in the writes; stands still while {@code track_wal_io_timing} is off
 * @param syncMillis time in the syncs; stands still while {@code track_wal_io_timing} is off
 * @param statsReset the later one where there are two
 */
public record WalRow(
        long records,
        long fullPageImages,
        long bytes,
        long buffersFull,
        long writes,
        long syncs,
        double writeMillis,
        double syncMillis,
        @Nullable Instant statsReset)
        implements CounterRow {

    @Override
    public String key() {
        return "";
    }
}
