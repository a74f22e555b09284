package dev.assay.observe.probe;

import dev.assay.evidence.ServerRow;
import java.time.Duration;

/** The server's own state, every five seconds: has it been restarted, promoted, reloaded? */
final class ServerProbe {

    private static final String SQL = """
            select pg_postmaster_start_time(), pg_conf_load_time(), pg_is_in_recovery(),
                   case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text,
                   clock_timestamp()
            """;

    static final Probe<ServerRow> PROBE = new SqlProbe<>(
            "server",
            ServerRow.class,
            Pace.every(Duration.ofSeconds(5)),
            SqlProbe.Query.since(10, SQL),
            (row, context) -> new ServerRow(
                    Columns.instant(row, 1),
                    Columns.instant(row, 2),
                    row.getBoolean(3),
                    row.getString(4),
                    Columns.instant(row, 5)));

    private ServerProbe() {}
}
