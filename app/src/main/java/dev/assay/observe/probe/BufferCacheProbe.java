package dev.assay.observe.probe;

import dev.assay.evidence.BufferCacheRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What shared buffers hold, every ten seconds; 16 and later, where the extension pg_buffercache is installed. The function goes through all
 * buffer headers without a lock, hence it looks less often where there are many.
 *
 * <p>A query that names a function which is not there is an error in the server's log, at each connection again. So the name is looked up
 * first, in whatever schema the extension lives, and the function is called by the text that {@code query_to_xml} is given, which is built
 * only when the function is there and may be called. (That function is in every build, those without libxml too.) The look-up is an
 * aggregate, so that it has let go of its own buffers when they are counted.
 */
final class BufferCacheProbe {

    private static final String SQL = """
            select f.installed, f.summary is not null, f.callable,
                   case when f.callable then query_to_xml(format('select * from %s()', f.summary::regproc), true, false, '')::text end,
                   current_database(), current_user
            from (select count(*) > 0 as installed, max(p.oid) as summary,
                         coalesce(bool_or(has_schema_privilege(p.pronamespace, 'usage') and has_function_privilege(p.oid, 'execute')), false)
                             as callable
                  from pg_extension e
                  left join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid and d.deptype = 'e'
                                       and d.classid = 'pg_proc'::regclass
                  left join pg_proc p on p.oid = d.objid and p.proname = 'pg_buffercache_summary'
                  where e.extname = 'pg_buffercache') f
            """;

    static final Probe<BufferCacheRow> PROBE = new SqlProbe<>(
            "buffer cache",
            BufferCacheRow.class,
            Pace.every(Duration.ofSeconds(10)).in(Pace.Lane.PATIENT).whenCheap(),
            SqlProbe.Query.since(16, SQL),
            BufferCacheProbe::read);

    private BufferCacheProbe() {}

    private static BufferCacheRow read(ResultSet row, ProbeContext context) throws SQLException {
        if (!row.getBoolean(1)) {
            throw new IllegalArgumentException(
                    "the extension pg_buffercache is not installed in database " + row.getString(5));
        }
        if (!row.getBoolean(2)) {
            throw new IllegalArgumentException("pg_buffercache is older than 1.4 and has no summary; ALTER EXTENSION"
                    + " pg_buffercache UPDATE brings it");
        }
        if (!row.getBoolean(3)) {
            throw new IllegalArgumentException(
                    "the role " + row.getString(6) + " may not call pg_buffercache_summary(); it needs pg_monitor and"
                            + " usage of the extension's schema");
        }
        String summary = Columns.text(row, 4);
        return new BufferCacheRow(
                count(summary, "buffers_used"),
                count(summary, "buffers_unused"),
                count(summary, "buffers_dirty"),
                count(summary, "buffers_pinned"),
                average(summary));
    }

    private static long count(String summary, String column) throws SQLException {
        String value = value(summary, column);
        if (value == null) {
            throw new SQLException(column + " is missing in " + summary);
        }
        return Long.parseLong(value);
    }

    private static @Nullable Double average(String summary) {
        String value = value(summary, "usagecount_avg");
        return value == null ? null : Double.valueOf(value);
    }

    private static @Nullable String value(String summary, String column) {
        Matcher element = Pattern.compile("<" + column + ">([^<]+)</").matcher(summary);
        return element.find() ? element.group(1) : null;
    }
}
