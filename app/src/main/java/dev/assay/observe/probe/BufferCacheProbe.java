package dev.assay.observe.probe;

import dev.assay.evidence.BufferCacheRow;
import dev.assay.target.TargetSession;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What shared buffers hold, every ten seconds; 16 and later, where the extension pg_buffercache is installed. The function goes through all
 * buffer headers without a lock, hence it looks less often where there are many.
 *
 * <p>A query that names a function which is not there, or may not be called, is an error in the server's log at each connection again. So it is
 * looked up first, in whatever schema the extension lives.
 */
final class BufferCacheProbe {

    /** One row: whether the extension is there, its function as SQL takes it, whether the role may call it. */
    private static final String FIND = """
            select count(*) > 0, quote_ident(max(n.nspname)) || '.' || quote_ident(max(p.proname)),
                   coalesce(bool_or(has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')), false),
                   current_database(), current_user
            from pg_extension e
            left join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid and d.deptype = 'e'
                                 and d.classid = 'pg_proc'::regclass
            left join pg_proc p on p.oid = d.objid and p.proname = 'pg_buffercache_summary'
            left join pg_namespace n on n.oid = p.pronamespace
            where e.extname = 'pg_buffercache'
            """;

    static final Probe<BufferCacheRow> PROBE = new SqlProbe<>(
            "buffer cache",
            BufferCacheRow.class,
            Pace.every(Duration.ofSeconds(10)).in(Pace.Lane.PATIENT).whenCheap(),
            SqlProbe.Query.since(16, FIND),
            (session, sql, context) -> session.query(
                    "select buffers_used, buffers_unused, buffers_dirty, buffers_pinned, usagecount_avg from "
                            + summary(session, sql) + "()",
                    row -> new BufferCacheRow(
                            row.getLong(1),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            Columns.doubleOrNull(row, 5))));

    private BufferCacheProbe() {}

    private record Found(boolean installed, @Nullable String summary, boolean callable, String database, String role) {}

    /** The function's name; {@link UnavailableException} when it cannot be called. */
    private static String summary(TargetSession session, String sql) {
        List<Found> found = session.query(
                sql,
                row -> new Found(
                        row.getBoolean(1),
                        row.getString(2),
                        row.getBoolean(3),
                        Columns.text(row, 4),
                        Columns.text(row, 5)));
        Found one = found.get(0);
        if (!one.installed()) {
            throw new UnavailableException("pg_buffercache is not created in database " + one.database()
                    + "; run CREATE EXTENSION pg_buffercache there");
        }
        String summary = one.summary();
        if (summary == null) {
            throw new UnavailableException(
                    "pg_buffercache is older than 1.4 and has no summary; run ALTER EXTENSION pg_buffercache UPDATE");
        }
        if (!one.callable()) {
            throw new UnavailableException("the role " + one.role() + " may not call " + summary
                    + "(); it needs pg_monitor and usage of the schema");
        }
        return summary;
    }
}
