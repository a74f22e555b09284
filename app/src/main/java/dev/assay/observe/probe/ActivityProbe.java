package dev.assay.observe.probe;

import dev.assay.evidence.ActivityRow;
import dev.assay.pg.WaitEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Sessions that are not idle and background processes that are at work, once a second (ten times in a short look).
 *
 * <p>It asks the function below the view {@code pg_stat_activity}: the view joins {@code pg_authid} and {@code pg_database} and fails while
 * somebody holds a lock on one of them, the function does not. Names come from {@link CatalogNames} for the same reason. Our own sessions
 * are left out by their name; an idle session is of interest only while it is new, and a background process only while it does not wait in
 * its main loop. A role that may not see what a process is sees those with a user and a database.
 */
final class ActivityProbe {

    private static final String TEMPLATE = """
            select a.pid, a.usesysid::bigint, a.datid::bigint, coalesce(a.application_name, ''), host(a.client_addr), a.backend_type,
                   case when a.query = '<insufficient privilege>' then 'unknown'
                        else coalesce(a.state, case when a.backend_type in ('client backend', 'parallel worker') then 'starting'
                                                    else 'active' end) end,
                   a.wait_event_type, a.wait_event, a.query, %s, a.backend_start, a.xact_start, a.query_start, a.state_change,
                   age(a.backend_xid), age(a.backend_xmin), %s
            from pg_stat_get_activity(null) a
            where a.pid <> pg_backend_pid()
              and coalesce(a.application_name, '') <> 'assay'
              and case when a.backend_type in ('client backend', 'parallel worker')
                       then a.state is distinct from 'idle' or a.backend_start > now() - interval '5 seconds'
                       when a.backend_type is null then a.usesysid is not null and a.datid is not null
                       else a.wait_event_type is distinct from 'Activity' end
            """;

    static final SqlProbe<ActivityRow> PROBE = new SqlProbe<>(
            "activity",
            ActivityRow.class,
            Pace.every(Duration.ofSeconds(1)),
            List.of(
                    new SqlProbe.Query(10, 12, TEMPLATE.formatted("null::text", "null::int")),
                    new SqlProbe.Query(13, 13, TEMPLATE.formatted("null::text", "a.leader_pid")),
                    new SqlProbe.Query(
                            14,
                            SqlProbe.Query.NEWEST,
                            TEMPLATE.formatted("nullif(a.query_id, 0)::text", "a.leader_pid"))),
            ActivityProbe::read);

    private ActivityProbe() {}

    private static ActivityRow read(ResultSet row, ProbeContext context) throws SQLException {
        String waitType = row.getString(8);
        String waitName = row.getString(9);
        String query = row.getString(10);
        return new ActivityRow(
                row.getInt(1),
                Columns.intOrNull(row, 18),
                context.names().role(row.getLong(2)),
                context.names().database(row.getLong(3)),
                Columns.text(row, 4),
                row.getString(5),
                row.getString(6),
                Columns.text(row, 7),
                waitType == null || waitName == null ? null : new WaitEvent(waitType, waitName),
                context.statement(row.getString(11), query),
                context.literalText(query),
                Columns.instantOrNull(row, 12),
                Columns.instantOrNull(row, 13),
                Columns.instantOrNull(row, 14),
                Columns.instantOrNull(row, 15),
                Columns.intOrNull(row, 16),
                Columns.intOrNull(row, 17));
    }
}
