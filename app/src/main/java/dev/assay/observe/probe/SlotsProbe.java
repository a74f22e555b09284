package dev.assay.observe.probe;

import dev.assay.evidence.SlotRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Every replication slot, every ten seconds; the function below the view {@code pg_replication_slots}, which joins {@code pg_database}. */
final class SlotsProbe {

    private static final String TEMPLATE = """
            select s.slot_name, s.slot_type = 'logical', s.plugin, s.datoid::bigint, s.temporary, s.active_pid,
                   age(s.xmin), age(s.catalog_xmin), s.restart_lsn::text, s.confirmed_flush_lsn::text,
                   pg_wal_lsn_diff(e.lsn, s.restart_lsn)::bigint, s.safe_wal_size, s.wal_status, %s
            from pg_get_replication_slots() s
            cross join
            """ + WalEnd.SQL + " e";

    private static final String LOST = "when s.wal_status = 'lost' then 'wal_removed' end";

    static final Probe<SlotRow> PROBE = new SqlProbe<>(
            "slots",
            SlotRow.class,
            Pace.every(Duration.ofSeconds(10)),
            List.of(
                    new SqlProbe.Query(13, 15, TEMPLATE.formatted("null::timestamptz, case " + LOST)),
                    new SqlProbe.Query(
                            16,
                            16,
                            TEMPLATE.formatted("null::timestamptz, case when s.conflicting then 'conflict' " + LOST)),
                    new SqlProbe.Query(
                            17, SqlProbe.Query.NEWEST, TEMPLATE.formatted("s.inactive_since, s.invalidation_reason"))),
            SlotsProbe::read);

    private SlotsProbe() {}

    private static SlotRow read(ResultSet row, ProbeContext context) throws SQLException {
        return new SlotRow(
                Columns.text(row, 1),
                row.getBoolean(2),
                row.getString(3),
                context.names().database(row.getLong(4)),
                row.getBoolean(5),
                Columns.intOrNull(row, 6),
                Columns.intOrNull(row, 7),
                Columns.intOrNull(row, 8),
                row.getString(9),
                row.getString(10),
                Columns.longOrNull(row, 11),
                Columns.longOrNull(row, 12),
                row.getString(13),
                Columns.instantOrNull(row, 14),
                row.getString(15));
    }
}
