package dev.assay.observe.probe;

import dev.assay.evidence.CheckpointsRow;
import java.time.Duration;
import java.util.List;

/** Checkpoint counters, every ten seconds: {@code pg_stat_bgwriter} up to 16, {@code pg_stat_checkpointer} after it. */
final class CheckpointsProbe {

    private static final String UP_TO_16 = """
            select pg_stat_get_bgwriter_timed_checkpoints(), pg_stat_get_bgwriter_requested_checkpoints(),
                   null::bigint, null::bigint, null::bigint, null::bigint,
                   pg_stat_get_checkpoint_write_time(), pg_stat_get_checkpoint_sync_time(),
                   pg_stat_get_bgwriter_buf_written_checkpoints(), null::bigint, pg_stat_get_bgwriter_stat_reset_time()
            """;

    /** With what 18 adds left open: checkpoints completed, buffers of transaction status written. */
    private static final String SINCE_17 = """
            select pg_stat_get_checkpointer_num_timed(), pg_stat_get_checkpointer_num_requested(),
                   %s, pg_stat_get_checkpointer_restartpoints_timed(), pg_stat_get_checkpointer_restartpoints_requested(),
                   pg_stat_get_checkpointer_restartpoints_performed(), pg_stat_get_checkpointer_write_time(),
                   pg_stat_get_checkpointer_sync_time(), pg_stat_get_checkpointer_buffers_written(), %s,
                   pg_stat_get_checkpointer_stat_reset_time()
            """;

    static final Probe<CheckpointsRow> PROBE = new SqlProbe<>(
            "checkpoints",
            CheckpointsRow.class,
            Pace.every(Duration.ofSeconds(10)).in(Pace.Lane.PATIENT),
            List.of(
                    new SqlProbe.Query(10, 16, UP_TO_16),
                    new SqlProbe.Query(17, 17, SINCE_17.formatted("null::bigint", "null::bigint")),
                    new SqlProbe.Query(
                            18,
                            SqlProbe.Query.NEWEST,
                            SINCE_17.formatted(
                                    "pg_stat_get_checkpointer_num_performed()",
                                    "pg_stat_get_checkpointer_slru_written()"))),
            (row, context) -> new CheckpointsRow(
                    row.getLong(1),
                    row.getLong(2),
                    Columns.longOrNull(row, 3),
                    Columns.longOrNull(row, 4),
                    Columns.longOrNull(row, 5),
                    Columns.longOrNull(row, 6),
                    row.getDouble(7),
                    row.getDouble(8),
                    row.getLong(9),
                    Columns.longOrNull(row, 10),
                    Columns.instantOrNull(row, 11)));

    private CheckpointsProbe() {}
}
