package dev.assay.observe.probe;

import dev.assay.evidence.IoRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Input and output by kind of process, object and context, every ten seconds; 16 and later. Rows in which nothing has happened are left out. */
final class IoProbe {

    private static final String TEMPLATE = """
            select backend_type, object, context, reads, %s, read_time, writes, %s, write_time, writebacks, writeback_time,
                   extends, %s, extend_time, hits, evictions, reuses, fsyncs, fsync_time, stats_reset
            from pg_stat_get_io()
            where greatest(reads, writes, writebacks, extends, hits, evictions, reuses, fsyncs) > 0
            """;

    static final Probe<IoRow> PROBE = new SqlProbe<>(
            "io",
            IoRow.class,
            Pace.every(Duration.ofSeconds(10)).in(Pace.Lane.PATIENT),
            List.of(
                    new SqlProbe.Query(
                            16, 17, TEMPLATE.formatted("reads * op_bytes", "writes * op_bytes", "extends * op_bytes")),
                    new SqlProbe.Query(
                            18,
                            SqlProbe.Query.NEWEST,
                            TEMPLATE.formatted("read_bytes::bigint", "write_bytes::bigint", "extend_bytes::bigint"))),
            IoProbe::read);

    private IoProbe() {}

    private static IoRow read(ResultSet row, ProbeContext context) throws SQLException {
        return new IoRow(
                Columns.text(row, 1),
                Columns.text(row, 2),
                Columns.text(row, 3),
                Columns.longOrNull(row, 4),
                Columns.longOrNull(row, 5),
                Columns.doubleOrNull(row, 6),
                Columns.longOrNull(row, 7),
                Columns.longOrNull(row, 8),
                Columns.doubleOrNull(row, 9),
                Columns.longOrNull(row, 10),
                Columns.doubleOrNull(row, 11),
                Columns.longOrNull(row, 12),
                Columns.longOrNull(row, 13),
                Columns.doubleOrNull(row, 14),
                Columns.longOrNull(row, 15),
                Columns.longOrNull(row, 16),
                Columns.longOrNull(row, 17),
                Columns.longOrNull(row, 18),
                Columns.doubleOrNull(row, 19),
                Columns.instantOrNull(row, 20));
    }
}
