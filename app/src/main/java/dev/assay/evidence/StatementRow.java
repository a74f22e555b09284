package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one statement, from {@code pg_stat_statements}, whatever the extension's version.
 *
 * @param queryId the server's signed 64-bit query id as text
 * @param statement the statement with its literals replaced; its text is empty while it is not known
 * @param role who ran it
 * @param database where
 * @param topLevel whether a client sent it, not a function; true where the extension does not tell
 * @param calls how often it was executed
 * @param plans how often it was planned; 0 unless {@code pg_stat_statements.track_planning}
 * @param planMillis time in planning
 * @param executionMillis time in execution
 * @param executionMillisMin shortest execution
 * @param executionMillisMax longest execution
 * @param rows rows returned or affected
 * @param sharedBlocksHit shared blocks found in the buffers
 * @param sharedBlocksRead shared blocks not found there
 * @param sharedBlocksDirtied shared blocks made dirty
 * @param sharedBlocksWritten shared blocks written by the backend itself
 * @param localBlocksRead blocks of temporary tables read
 * @param localBlocksWritten blocks of temporary tables written
 * @param tempBlocksRead blocks of temporary files read
 * @param tempBlocksWritten blocks of temporary files written
 * @param sharedReadMillis time reading shared blocks ({@code blk_read_time} before 1.11); 0 unless {@code track_io_timing}
 * @param sharedWriteMillis time writing shared blocks
 * @param walRecords WAL records; null before 1.8
 * @param walFullPageImages full-page images; null before 1.8
 * @param walBytes WAL in bytes; null before 1.8
 * @param jitMillis time in just-in-time compilation, all of its steps; null before 1.10
 * @param statsReset since when this entry is counted (1.11), else when all entries were last reset; null before 1.9
 */
public record StatementRow(
        String queryId,
        StatementId statement,
        @Nullable String role,
        @Nullable String database,
        boolean topLevel,
        long calls,
        long plans,
        double planMillis,
        double executionMillis,
        double executionMillisMin,
        double executionMillisMax,
        long rows,
        long sharedBlocksHit,
        long sharedBlocksRead,
        long sharedBlocksDirtied,
        long sharedBlocksWritten,
        long localBlocksRead,
        long localBlocksWritten,
        long tempBlocksRead,
        long tempBlocksWritten,
        double sharedReadMillis,
        double sharedWriteMillis,
        @Nullable Long walRecords,
        @Nullable Long walFullPageImages,
        @Nullable Long walBytes,
        @Nullable Double jitMillis,
        @Nullable Instant statsReset)
        implements SparseCounterRow {

    @Override
    public String key() {
        return role + "/" + database + "/" + queryId + (topLevel ? "" : "/nested");
    }

    /** The same with this text. */
    public StatementRow named(StatementId known) {
        return new StatementRow(
                queryId,
                known,
                role,
                database,
                topLevel,
                calls,
                plans,
                planMillis,
                executionMillis,
                executionMillisMin,
                executionMillisMax,
                rows,
                sharedBlocksHit,
                sharedBlocksRead,
                sharedBlocksDirtied,
                sharedBlocksWritten,
                localBlocksRead,
                localBlocksWritten,
                tempBlocksRead,
                tempBlocksWritten,
                sharedReadMillis,
                sharedWriteMillis,
                walRecords,
                walFullPageImages,
                walBytes,
                jitMillis,
                statsReset);
    }
}
