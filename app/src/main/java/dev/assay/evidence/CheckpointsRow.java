package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters of the checkpointer, from {@code pg_stat_checkpointer} (17+) or {@code pg_stat_bgwriter}.
 *
 * @param timed checkpoints that were due by {@code checkpoint_timeout}, also those skipped because nothing had changed; up to 16 a standby's
 *     restart points count here
 * @param requested checkpoints that were asked for, by a command or by the amount of WAL; up to 16 a standby's restart points count here
 * @param done checkpoints that were completed; null before 18
 * @param restartPointsTimed as {@code timed}, for a standby's restart points; null before 17
 * @param restartPointsRequested as {@code requested}, for a standby's restart points; null before 17
 * @param restartPointsDone restart points that were completed; null before 17
 * @param writeMillis time in which buffers were written
 * @param syncMillis time in which files were synced
 * @param buffersWritten shared buffers written
 * @param slruBuffersWritten buffers of the transaction status caches written; null before 18
 */
public record CheckpointsRow(
        long timed,
        long requested,
        @Nullable Long done,
        @Nullable Long restartPointsTimed,
        @Nullable Long restartPointsRequested,
        @Nullable Long restartPointsDone,
        double writeMillis,
        double syncMillis,
        long buffersWritten,
        @Nullable Long slruBuffersWritten,
        @Nullable Instant statsReset)
        implements CounterRow {

    @Override
    public String key() {
        return "";
    }
}
