package dev.assay.observe.probe;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.StatementId;
import dev.assay.pg.WaitEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Client sessions that are not idle, ten times a second.
 *
 * <p>It asks the function below the view {@code pg_stat_activity}: the view joins {@code pg_authid} and fails while somebody holds a lock on
 * that catalog, the function does not. Our own sessions are left out by their name, background processes by their type; an idle session
 * is of interest only while it is new.
 */
final class ActivityProbe {

    private static final String TEMPLATE = """
            select a.pid, a.usesysid::regrole::text, d.datname, coalesce(a.application_name, ''),
                   case when a.query = '<insufficient privilege>' then 'unknown' else coalesce(a.state, 'starting') end,
                   a.wait_event_type, a.wait_event, a.query, %s, a.backend_start, a.xact_start
            from pg_stat_get_activity(null) a
            left join pg_database d on d.oid = a.datid
            where a.pid <> pg_backend_pid()
              and coalesce(a.application_name, '') <> 'assay'
              and coalesce(a.backend_type, 'client backend') in ('client backend', 'parallel worker')
              and (a.state is distinct from 'idle' or a.backend_start > now() - interval '5 seconds')
            """;

    static final Probe<ActivityRow> PROBE = new Probe<>(
            "activity",
            ActivityRow.class,
            Duration.ofMillis(100),
            false,
            List.of(
                    new Probe.Query(10, 13, TEMPLATE.formatted("null::text")),
                    new Probe.Query(14, Probe.Query.NEWEST, TEMPLATE.formatted("nullif(a.query_id, 0)::text"))),
            ActivityProbe::read);

    private ActivityProbe() {}

    private static ActivityRow read(ResultSet row) throws SQLException {
        String waitType = row.getString(6);
        String waitName = row.getString(7);
        String query = row.getString(8);
        return new ActivityRow(
                row.getInt(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                waitType == null || waitName == null ? null : new WaitEvent(waitType, waitName),
                statement(row.getString(9), query),
                instant(row.getTimestamp(10)),
                instant(row.getTimestamp(11)));
    }

    /** Null for what the role may not see and for sessions that have not run anything. */
    static @Nullable StatementId statement(@Nullable String queryId, @Nullable String query) {
        return query == null || query.isBlank() || query.equals("<insufficient privilege>")
                ? null
                : StatementId.of(queryId, query);
    }

    private static @Nullable Instant instant(@Nullable Timestamp timestamp) {
        return timestamp == null ? null : timestamp.toInstant();
    }
}
