package dev.assay.observe.probe;

import dev.assay.evidence.BuffersRow;
import java.time.Duration;
import java.util.List;

/** Who writes and takes shared buffers, every ten seconds. */
final class BuffersProbe {

    /** With what 17 took away left open: writes and syncs that sessions did themselves. */
    private static final String TEMPLATE = """
            select pg_stat_get_bgwriter_buf_written_clean(), pg_stat_get_bgwriter_maxwritten_clean(), pg_stat_get_buf_alloc(),
                   %s, %s, pg_stat_get_bgwriter_stat_reset_time()
            """;

    static final Probe<BuffersRow> PROBE = new SqlProbe<>(
            "buffers",
            BuffersRow.class,
            Pace.every(Duration.ofSeconds(10)).in(Pace.Lane.PATIENT),
            List.of(
                    new SqlProbe.Query(
                            10,
                            16,
                            TEMPLATE.formatted("pg_stat_get_buf_written_backend()", "pg_stat_get_buf_fsync_backend()")),
                    new SqlProbe.Query(17, SqlProbe.Query.NEWEST, TEMPLATE.formatted("null::bigint", "null::bigint"))),
            (row, context) -> new BuffersRow(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    Columns.longOrNull(row, 4),
                    Columns.longOrNull(row, 5),
                    Columns.instantOrNull(row, 6)));

    private BuffersProbe() {}
}
