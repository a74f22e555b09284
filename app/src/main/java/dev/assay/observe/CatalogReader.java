package dev.assay.observe;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.target.TargetSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the catalog objects that samples speak of. It reads system catalogs only, so it never waits for a lock on a user's table. That is
 * why it puts partition keys together itself: {@code pg_get_partkeydef} opens the table (seen on 14 to 18).
 */
public final class CatalogReader {

    /** Takes the OIDs as one {@code bigint[]}. */
    public static final String SQL = """
            select c.oid::bigint, n.nspname, c.relname, c.relkind::text, i.indrelid::bigint,
                   case when c.relispartition then h.inhparent::bigint end,
                   (select case p.partstrat when 'r' then 'RANGE' when 'l' then 'LIST' else 'HASH' end || ' ('
                           || string_agg(coalesce(quote_ident(a.attname), '(expression)'), ', ' order by k.position) || ')'
                    from pg_partitioned_table p
                    cross join unnest(p.partattrs::int2[]) with ordinality k(attribute, position)
                    left join pg_attribute a on a.attrelid = p.partrelid and a.attnum = k.attribute and k.attribute > 0
                    where p.partrelid = c.oid
                    group by p.partstrat)
            from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
            left join pg_index i on i.indexrelid = c.oid
            left join pg_inherits h on h.inhrelid = c.oid
            where c.oid = any (?)
            """;

    private CatalogReader() {}

    /** The relations with these OIDs that still exist in the session's database. */
    public static CatalogSnapshot read(TargetSession session, Collection<Oid> relations) {
        Long[] oids = relations.stream().map(Oid::value).toArray(Long[]::new);
        Map<Oid, CatalogRelation> found = new HashMap<>();
        if (oids.length > 0) {
            session.query(SQL, CatalogReader::relation, (Object) oids)
                    .forEach(relation -> found.put(relation.oid(), relation));
        }
        return new CatalogSnapshot(found);
    }

    private static CatalogRelation relation(ResultSet row) throws SQLException {
        return new CatalogRelation(
                new Oid(row.getLong(1)),
                new RelationName(row.getString(2), row.getString(3)),
                CatalogRelation.Kind.of(row.getString(4).charAt(0)),
                oid(row, 5),
                oid(row, 6),
                row.getString(7));
    }

    private static @Nullable Oid oid(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : new Oid(value);
    }
}
