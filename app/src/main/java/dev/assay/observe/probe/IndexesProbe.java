package dev.assay.observe.probe;

import dev.assay.evidence.IndexRow;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Counters and state of the indexes of this database, every five minutes, those that have changed ({@link ChangedRows}). It reads
 * {@code pg_class}, {@code pg_index} and the functions under {@code pg_stat_all_indexes}; no index is opened. Indexes of partitioned tables hold
 * nothing and are left out, those of TOAST tables too.
 */
final class IndexesProbe {

    private static final String TEMPLATE = """
            select c.oid::bigint, n.nspname, c.relname, t.oid::bigint, m.nspname, t.relname, i.indisunique, i.indisprimary, i.indisvalid,
                   c.relpages::bigint, c.reltuples::float8, coalesce(array_to_string(c.reloptions, ','), ''),
                   pg_stat_get_numscans(c.oid), pg_stat_get_tuples_returned(c.oid), pg_stat_get_tuples_fetched(c.oid), %s
            from pg_index i
            join pg_class c on c.oid = i.indexrelid
            join pg_class t on t.oid = i.indrelid
            join pg_namespace n on n.oid = c.relnamespace
            join pg_namespace m on m.oid = t.relnamespace
            where c.oid >= 16384 and c.relkind = 'i' and t.relkind <> 't'
            """;

    private static final int JUDGED = 16;

    static final Probe<IndexRow> PROBE = new SqlProbe<>(
            "indexes",
            IndexRow.class,
            Pace.every(Duration.ofMinutes(5)).in(Pace.Lane.PATIENT).whenCheap(),
            List.of(
                    new SqlProbe.Query(10, 15, TEMPLATE.formatted("null::timestamptz")),
                    new SqlProbe.Query(16, SqlProbe.Query.NEWEST, TEMPLATE.formatted("pg_stat_get_lastscan(c.oid)"))),
            (session, sql, context) -> context.memory(
                            "indexes", ChangedRows.class, () -> new ChangedRows(TablesProbe.LOOKS_PER_FULL))
                    .among(session, sql, JUDGED, IndexesProbe::read));

    private IndexesProbe() {}

    private static IndexRow read(ResultSet row) throws SQLException {
        return new IndexRow(
                new Oid(row.getLong(1)),
                new RelationName(Columns.text(row, 2), Columns.text(row, 3)),
                new Oid(row.getLong(4)),
                new RelationName(Columns.text(row, 5), Columns.text(row, 6)),
                row.getBoolean(7),
                row.getBoolean(8),
                row.getBoolean(9),
                row.getLong(10),
                row.getDouble(11),
                Columns.text(row, 12),
                row.getLong(13),
                row.getLong(14),
                row.getLong(15),
                Columns.instantOrNull(row, 16));
    }
}
