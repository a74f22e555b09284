package dev.assay.observe.probe;

import dev.assay.evidence.SessionCountRow;
import java.time.Duration;

/**
 * How many sessions there are of each kind, idle ones included, every five seconds. It asks the same function as {@link ActivityProbe}, for
 * the same reason.
 */
final class SessionCountsProbe {

    private static final String SQL = """
            select usesysid::bigint, datid::bigint, coalesce(application_name, ''), backend_type,
                   case when query = '<insufficient privilege>' then 'unknown'
                        when backend_type in ('client backend', 'parallel worker') then coalesce(state, 'starting')
                        else state end,
                   count(*)
            from pg_stat_get_activity(null)
            group by 1, 2, 3, 4, 5
            """;

    static final Probe<SessionCountRow> PROBE = new SqlProbe<>(
            "session counts",
            SessionCountRow.class,
            Pace.every(Duration.ofSeconds(5)),
            SqlProbe.Query.since(10, SQL),
            (row, context) -> new SessionCountRow(
                    context.names().role(row.getLong(1)),
                    context.names().database(row.getLong(2)),
                    Columns.text(row, 3),
                    row.getString(4),
                    row.getString(5),
                    row.getInt(6)));

    private SessionCountsProbe() {}
}
