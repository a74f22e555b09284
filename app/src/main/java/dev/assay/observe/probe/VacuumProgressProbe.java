package dev.assay.observe.probe;

import dev.assay.evidence.VacuumProgressRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Every VACUUM at work, once a second. It asks the function below the view {@code pg_stat_progress_vacuum}, which joins
 * {@code pg_database}. Up to 16 the server counts dead tuples, six bytes each ({@code ItemPointerData}).
 */
final class VacuumProgressProbe {

    private static final String TEMPLATE = """
            select s.pid, s.datid::bigint, case when s.datid = me.datid then s.relid::bigint end,
                   case s.param1 when 0 then 'initializing' when 1 then 'scanning heap' when 2 then 'vacuuming indexes'
                                 when 3 then 'vacuuming heap' when 4 then 'cleaning up indexes' when 5 then 'truncating heap'
                                 when 6 then 'performing final cleanup' else 'phase ' || s.param1 end,
                   s.param2, s.param3, s.param4, s.param5, %s
            from pg_stat_get_progress_info('VACUUM') s, pg_stat_get_activity(pg_backend_pid()) me
            """;

    static final Probe<VacuumProgressRow> PROBE = new SqlProbe<>(
            "vacuum progress",
            VacuumProgressRow.class,
            Pace.every(Duration.ofSeconds(1)),
            List.of(
                    new SqlProbe.Query(
                            10,
                            16,
                            TEMPLATE.formatted(
                                    "s.param6 * 6, s.param7 * 6, s.param7, null::bigint, null::bigint, null::float8")),
                    new SqlProbe.Query(
                            17,
                            17,
                            TEMPLATE.formatted("s.param6, s.param7, s.param8, s.param9, s.param10, null::float8")),
                    new SqlProbe.Query(
                            18,
                            SqlProbe.Query.NEWEST,
                            TEMPLATE.formatted(
                                    "s.param6, s.param7, s.param8, s.param9, s.param10, s.param11 / 1000000.0"))),
            VacuumProgressProbe::read);

    private VacuumProgressProbe() {}

    private static VacuumProgressRow read(ResultSet row, ProbeContext context) throws SQLException {
        return new VacuumProgressRow(
                row.getInt(1),
                context.names().database(row.getLong(2)),
                Columns.oidOrNull(row, 3),
                row.getString(4),
                Columns.longOrNull(row, 5),
                Columns.longOrNull(row, 6),
                Columns.longOrNull(row, 7),
                Columns.longOrNull(row, 8),
                Columns.longOrNull(row, 9),
                Columns.longOrNull(row, 10),
                Columns.longOrNull(row, 11),
                Columns.longOrNull(row, 12),
                Columns.longOrNull(row, 13),
                Columns.doubleOrNull(row, 14));
    }
}
