package dev.assay.observe.probe;

import dev.assay.evidence.HorizonRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Who holds the horizon back, every five seconds; functions only. A session holds it by its snapshot or by its own transaction id, whichever is
 * older ({@code ComputeXidHorizons}, {@code procarray.c}). A process in VACUUM shows a snapshot that does not count and is left out.
 */
final class HorizonProbe {

    private static final int OLDEST_OF_A_KIND = 5;

    private static final String TEMPLATE = """
            with held as (
                select case when w.pid is null then 'SESSION' else 'STANDBY_FEEDBACK' end as kind, a.pid,
                       coalesce(a.application_name, '') as name, a.usesysid, case when w.pid is null then a.datid end as datid,
                       greatest(age(a.backend_xmin), age(a.backend_xid)) as held, false as catalogs, a.xact_start as since
                from pg_stat_get_activity(null) a
                left join pg_stat_get_wal_senders() w on w.pid = a.pid
                where (a.backend_xmin is not null or a.backend_xid is not null) and a.pid <> pg_backend_pid()
                  and a.pid not in (select v.pid from pg_stat_get_progress_info('VACUUM') v where v.pid is not null)
                union all
                select 'PREPARED_TRANSACTION', null, p.gid, p.ownerid, p.dbid, age(p.transaction), false, p.prepared
                from pg_prepared_xact() p
                union all
                select 'REPLICATION_SLOT', s.active_pid, s.slot_name, null, null, age(h.xid), h.catalogs, %s
                from pg_get_replication_slots() s
                cross join lateral (values (s.xmin, false), (s.catalog_xmin, true)) h(xid, catalogs)
                where h.xid is not null)
            select kind, pid, name, usesysid::bigint, datid::bigint, held, catalogs, since
            from (select *, row_number() over (partition by kind order by held desc, pid, name) as place from held) ranked
            where place <= %d
            order by held desc, kind, pid, name
            """;

    static final Probe<HorizonRow> PROBE = new SqlProbe<>(
            "horizon",
            HorizonRow.class,
            Pace.every(Duration.ofSeconds(5)),
            List.of(
                    new SqlProbe.Query(10, 16, TEMPLATE.formatted("null::timestamptz", OLDEST_OF_A_KIND)),
                    new SqlProbe.Query(
                            17, SqlProbe.Query.NEWEST, TEMPLATE.formatted("s.inactive_since", OLDEST_OF_A_KIND))),
            HorizonProbe::read);

    private HorizonProbe() {}

    private static HorizonRow read(ResultSet row, ProbeContext context) throws SQLException {
        return new HorizonRow(
                HorizonRow.Kind.valueOf(Columns.text(row, 1)),
                Columns.intOrNull(row, 2),
                Columns.text(row, 3),
                context.names().role(row.getLong(4)),
                context.names().database(row.getLong(5)),
                row.getInt(6),
                row.getBoolean(7),
                Columns.instantOrNull(row, 8));
    }
}
