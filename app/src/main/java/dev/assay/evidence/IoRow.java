package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one kind of input and output of one kind of process, from {@code pg_stat_io} (16+). Null is what cannot happen there, for example
 * evictions of {@code wal}. Operations do not compare across versions, bytes do: up to 17 each operation is one block, since 18 one can be
 * many blocks. A row in which nothing has happened since the last reset is left out. Times stand still while {@code track_io_timing} ({@code track_wal_io_timing} for {@code wal}) is off.
 *
 * @param backendType {@code client backend}, {@code checkpointer}, ...
 * @param object {@code relation}, {@code temp relation}; {@code wal} since 18
 * @param context {@code normal}, {@code vacuum}, {@code bulkread}, {@code bulkwrite}; {@code init} since 18
 * @param writebacks requests to the kernel to write out
 * @param extensions files made longer
 * @param hits pages found in shared buffers
 * @param evictions buffers emptied to make room
 * @param reuses buffers of a ring used again
 */
public record IoRow(
        String backendType,
        String object,
        String context,
        @Nullable Long reads,
        @Nullable Long readBytes,
        @Nullable Double readMillis,
        @Nullable Long writes,
        @Nullable Long writeBytes,
        @Nullable Double writeMillis,
        @Nullable Long writebacks,
        @Nullable Double writebackMillis,
        @Nullable Long extensions,
        @Nullable Long extensionBytes,
        @Nullable Double extensionMillis,
        @Nullable Long hits,
        @Nullable Long evictions,
        @Nullable Long reuses,
        @Nullable Long syncs,
        @Nullable Double syncMillis,
        @Nullable Instant statsReset)
        implements SparseCounterRow {

    @Override
    public String key() {
        return backendType + "/" + object + "/" + context;
    }
}
