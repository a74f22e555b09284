package dev.assay.observe.probe;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.TableRow;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Counters and state of the tables of this database, every five minutes, those that have changed ({@link ChangedRows}).
 *
 * <p>It reads {@code pg_class} and the functions under {@code pg_stat_all_tables}; no table is opened, so locks on them do not matter. TOAST
 * tables that VACUUM has never seen hold something in are left out, as most tables have an empty one.
 */
final class TablesProbe {

    /** Five minutes times twelve: everything once an hour. */
    static final int LOOKS_PER_FULL = 12;

    private static final String TEMPLATE = """
            select c.oid::bigint, n.nspname, c.relname, c.relkind::text, t.oid::bigint, c.relpages::bigint, c.reltuples::float8,
                   c.relallvisible::bigint, nullif(c.relfrozenxid::text, '0')::bigint, coalesce(array_to_string(c.reloptions, ','), ''),
                   pg_stat_get_numscans(c.oid), pg_stat_get_tuples_returned(c.oid), i.scans, i.fetched + pg_stat_get_tuples_fetched(c.oid),
                   pg_stat_get_tuples_inserted(c.oid), pg_stat_get_tuples_updated(c.oid), pg_stat_get_tuples_deleted(c.oid),
                   pg_stat_get_tuples_hot_updated(c.oid), %s, pg_stat_get_live_tuples(c.oid), pg_stat_get_dead_tuples(c.oid),
                   pg_stat_get_mod_since_analyze(c.oid), pg_stat_get_ins_since_vacuum(c.oid), pg_stat_get_vacuum_count(c.oid),
                   pg_stat_get_autovacuum_count(c.oid), pg_stat_get_analyze_count(c.oid), pg_stat_get_autoanalyze_count(c.oid),
                   pg_stat_get_last_vacuum_time(c.oid), pg_stat_get_last_autovacuum_time(c.oid), pg_stat_get_last_analyze_time(c.oid),
                   pg_stat_get_last_autoanalyze_time(c.oid), %s,
                   case when c.relfrozenxid::text <> '0' then age(c.relfrozenxid) end,
                   case when c.relminmxid::text <> '0' then mxid_age(c.relminmxid) end
            from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
            left join pg_class t on t.reltoastrelid = c.oid and t.reltoastrelid <> 0
            left join (select indrelid, sum(pg_stat_get_numscans(indexrelid))::bigint as scans,
                              sum(pg_stat_get_tuples_fetched(indexrelid))::bigint as fetched
                       from pg_index where indexrelid >= 16384 group by indrelid) i on i.indrelid = c.oid
            where c.oid >= 16384 and (c.relkind in ('r', 'm', 'p') or (c.relkind = 't' and c.relpages > 0))
            """;

    private static final String NO_TIMES = "null::float8, null::float8, null::float8, null::float8";
    private static final String NEW_PAGE = "pg_stat_get_tuples_newpage_updated(c.oid)";

    /** The columns by which a row is judged: all but the two ages, which grow by themselves. */
    private static final int JUDGED = 35;

    static final Probe<TableRow> PROBE = new SqlProbe<>(
            "tables",
            TableRow.class,
            Pace.every(Duration.ofMinutes(5)).in(Pace.Lane.PATIENT).whenCheap(),
            List.of(
                    new SqlProbe.Query(13, 15, TEMPLATE.formatted("null::bigint", NO_TIMES)),
                    new SqlProbe.Query(16, 17, TEMPLATE.formatted(NEW_PAGE, NO_TIMES)),
                    new SqlProbe.Query(
                            18,
                            SqlProbe.Query.NEWEST,
                            TEMPLATE.formatted(
                                    NEW_PAGE,
                                    "pg_stat_get_total_vacuum_time(c.oid), pg_stat_get_total_autovacuum_time(c.oid),"
                                            + " pg_stat_get_total_analyze_time(c.oid), pg_stat_get_total_autoanalyze_time(c.oid)"))),
            (session, sql, context) -> context.memory(
                            "tables", ChangedRows.class, () -> new ChangedRows(LOOKS_PER_FULL))
                    .among(session, sql, JUDGED, TablesProbe::read));

    private TablesProbe() {}

    private static TableRow read(ResultSet row) throws SQLException {
        return new TableRow(
                new Oid(row.getLong(1)),
                new RelationName(Columns.text(row, 2), Columns.text(row, 3)),
                CatalogRelation.Kind.of(Columns.text(row, 4).charAt(0)),
                Columns.oidOrNull(row, 5),
                row.getLong(6),
                row.getDouble(7),
                row.getLong(8),
                Columns.longOrNull(row, 9),
                Columns.intOrNull(row, JUDGED + 1),
                Columns.intOrNull(row, JUDGED + 2),
                Columns.text(row, 10),
                row.getLong(11),
                row.getLong(12),
                Columns.longOrNull(row, 13),
                Columns.longOrNull(row, 14),
                row.getLong(15),
                row.getLong(16),
                row.getLong(17),
                row.getLong(18),
                Columns.longOrNull(row, 19),
                row.getLong(20),
                row.getLong(21),
                row.getLong(22),
                row.getLong(23),
                row.getLong(24),
                row.getLong(25),
                row.getLong(26),
                row.getLong(27),
                Columns.instantOrNull(row, 28),
                Columns.instantOrNull(row, 29),
                Columns.instantOrNull(row, 30),
                Columns.instantOrNull(row, 31),
                Columns.doubleOrNull(row, 32),
                Columns.doubleOrNull(row, 33),
                Columns.doubleOrNull(row, 34),
                Columns.doubleOrNull(row, 35));
    }
}
