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
 * <p>It asks the function below the view {@code pg_stat_activity}: the view joins {@code pg_authid} and {@code pg_database} and fails while
 * somebody holds a lock on one of them, the function does not. Names come from {@link CatalogNames} for the same reason. Our own sessions
 * are left out by their name, background processes by their type, or for a role that may not see the type by their having no user or
 * database; an idle session is of interest only while it is new.
 */
final class ActivityProbe {

    private static final String TEMPLATE = """
            select a.pid, a.usesysid::bigint, a.datid::bigint, coalesce(a.application_name, ''),
                   case when a.query = '<insufficient privilege>' then 'unknown' else coalesce(a.state, 'starting') end,
                   a.wait_event_type, a.wait_event, a.query, %s, a.backend_start, a.xact_start
            from pg_stat_get_activity(null) a
            where a.pid <> pg_backend_pid()
              and coalesce(a.application_name, '') <> 'assay'
              and (a.backend_type in ('client backend', 'parallel worker')
                   or a.backend_type is null and a.usesysid is not null and a.datid is not null)
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

    private static ActivityRow read(ResultSet row, CatalogNames names) throws SQLException {
        String waitType = row.getString(6);
        String waitName = row.getString(7);
        String query = row.getString(8);
        return new ActivityRow(
                row.getInt(1),
                names.role(row.getLong(2)),
                names.database(row.getLong(3)),
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
