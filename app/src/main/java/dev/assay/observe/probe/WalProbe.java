package dev.assay.observe.probe;

import dev.assay.evidence.WalRow;
import java.time.Duration;
import java.util.List;

/**
 * WAL counters, every five seconds; 14 and later.
 *
 * <p>Since 18 writes and syncs of WAL are counted by {@code pg_stat_io}. Of its two contexts {@code normal} is what {@code pg_stat_wal}
 * counted before; {@code init} is the making of new files.
 */
final class WalProbe {

    private static final String IN_ONE_VIEW = """
            select wal_records, wal_fpi, wal_bytes::bigint, wal_buffers_full, wal_write, wal_sync, wal_write_time, wal_sync_time,
                   stats_reset
            from pg_stat_get_wal()
            """;

    private static final String IN_TWO_VIEWS = """
            select w.wal_records, w.wal_fpi, w.wal_bytes::bigint, w.wal_buffers_full, io.writes, io.syncs, io.write_time, io.sync_time,
                   greatest(w.stats_reset, io.stats_reset)
            from pg_stat_get_wal() w,
                 (select sum(writes)::bigint as writes, sum(fsyncs)::bigint as syncs, sum(write_time) as write_time,
                         sum(fsync_time) as sync_time, max(stats_reset) as stats_reset
                  from pg_stat_get_io() where object = 'wal' and context = 'normal') io
            """;

    static final Probe<WalRow> PROBE = new SqlProbe<>(
            "wal",
            WalRow.class,
            Pace.every(Duration.ofSeconds(5)).in(Pace.Lane.PATIENT),
            List.of(
                    new SqlProbe.Query(14, 17, IN_ONE_VIEW),
                    new SqlProbe.Query(18, SqlProbe.Query.NEWEST, IN_TWO_VIEWS)),
            (row, context) -> new WalRow(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6),
                    row.getDouble(7),
                    row.getDouble(8),
                    Columns.instantOrNull(row, 9)));

    private WalProbe() {}
}
