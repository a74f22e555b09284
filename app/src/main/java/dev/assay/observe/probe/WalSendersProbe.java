package dev.assay.observe.probe;

import dev.assay.evidence.WalSenderRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Every standby and other receiver of WAL, every ten seconds; the functions below the view {@code pg_stat_replication}. */
final class WalSendersProbe {

    private static final String SQL = """
            select w.pid, a.usesysid::bigint, coalesce(a.application_name, ''), host(a.client_addr), w.state,
                   w.sent_lsn::text, w.write_lsn::text, w.flush_lsn::text, w.replay_lsn::text,
                   pg_wal_lsn_diff(e.lsn, w.sent_lsn)::bigint, pg_wal_lsn_diff(e.lsn, w.flush_lsn)::bigint,
                   pg_wal_lsn_diff(e.lsn, w.replay_lsn)::bigint,
                   extract(epoch from w.write_lag) * 1000, extract(epoch from w.flush_lag) * 1000,
                   extract(epoch from w.replay_lag) * 1000, w.sync_state, age(a.backend_xmin), w.reply_time
            from pg_stat_get_wal_senders() w
            join pg_stat_get_activity(null) a on a.pid = w.pid
            cross join
            """ + WalEnd.SQL + " e";

    static final Probe<WalSenderRow> PROBE = new SqlProbe<>(
            "wal senders",
            WalSenderRow.class,
            Pace.every(Duration.ofSeconds(10)),
            SqlProbe.Query.since(12, SQL),
            WalSendersProbe::read);

    private WalSendersProbe() {}

    private static WalSenderRow read(ResultSet row, ProbeContext context) throws SQLException {
        return new WalSenderRow(
                row.getInt(1),
                context.names().role(row.getLong(2)),
                Columns.text(row, 3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getString(8),
                row.getString(9),
                Columns.longOrNull(row, 10),
                Columns.longOrNull(row, 11),
                Columns.longOrNull(row, 12),
                Columns.doubleOrNull(row, 13),
                Columns.doubleOrNull(row, 14),
                Columns.doubleOrNull(row, 15),
                row.getString(16),
                Columns.intOrNull(row, 17),
                Columns.instantOrNull(row, 18));
    }
}
