package dev.assay.observe.probe;

import dev.assay.evidence.WalReceiverRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A standby's own view of its replication, every ten seconds; no row on a primary. The receiver's connection string is left alone: it may carry
 * a password.
 */
final class WalReceiverProbe {

    private static final String SQL = """
            select r.pid, r.status, r.sender_host, r.sender_port, r.slot_name, r.written_lsn::text, r.flushed_lsn::text,
                   r.latest_end_lsn::text, e.lsn::text, pg_wal_lsn_diff(r.flushed_lsn, e.lsn)::bigint,
                   pg_is_wal_replay_paused(), pg_last_xact_replay_timestamp(), r.last_msg_receipt_time
            from (select pg_last_wal_replay_lsn() as lsn where pg_is_in_recovery()) e
            left join pg_stat_get_wal_receiver() r on r.pid is not null
            """;

    static final Probe<WalReceiverRow> PROBE = new SqlProbe<>(
            "wal receiver",
            WalReceiverRow.class,
            Pace.every(Duration.ofSeconds(10)),
            SqlProbe.Query.since(13, SQL),
            (row, context) -> read(row));

    private WalReceiverProbe() {}

    private static WalReceiverRow read(ResultSet row) throws SQLException {
        return new WalReceiverRow(
                Columns.intOrNull(row, 1),
                row.getString(2),
                row.getString(3),
                Columns.intOrNull(row, 4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getString(8),
                row.getString(9),
                Columns.longOrNull(row, 10),
                row.getBoolean(11),
                Columns.instantOrNull(row, 12),
                Columns.instantOrNull(row, 13));
    }
}
