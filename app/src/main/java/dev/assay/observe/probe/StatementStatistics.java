package dev.assay.observe.probe;

import dev.assay.evidence.StatementStatisticsRow;
import dev.assay.target.TargetSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code pg_stat_statements} is in this database. Its functions are found in any schema. Calling them on a server that has not loaded the
 * library is an error in the server's log, so that is asked first: the library defines its settings only when it is loaded at start.
 *
 * @param schema quoted as SQL takes it
 * @param extensionVersion may be older than the server, after {@code pg_upgrade}: then columns are missing
 * @param entriesMax {@code pg_stat_statements.max}
 */
record StatementStatistics(String schema, String extensionVersion, long entriesMax) {

    /** Asks for one row; the schema is null where the extension is not created in this database, the setting where it is not loaded. */
    static final String SQL = """
            select current_setting('pg_stat_statements.max', true)::bigint, quote_ident(n.nspname), e.extversion, current_database()
            from (select) one
            left join pg_extension e on e.extname = 'pg_stat_statements'
            left join pg_namespace n on n.oid = e.extnamespace
            """;

    /** The extension's version that tells about itself: PostgreSQL 14. */
    private static final int INFO = 9;

    private record Found(
            @Nullable Long entriesMax,
            @Nullable String schema,
            @Nullable String version,
            String database) {}

    /**
     * Looks it up.
     *
     * @throws UnavailableException when it is not loaded or not created in this database
     */
    static StatementStatistics find(TargetSession session, String sql) {
        List<Found> found = session.query(
                sql,
                row -> new Found(Columns.longOrNull(row, 1), row.getString(2), row.getString(3), Columns.text(row, 4)));
        Found one = found.get(0);
        Long entriesMax = one.entriesMax();
        if (entriesMax == null) {
            throw new UnavailableException(
                    "pg_stat_statements is not loaded; add it to shared_preload_libraries and restart the server");
        }
        String schema = one.schema();
        String version = one.version();
        if (schema == null || version == null) {
            throw new UnavailableException("pg_stat_statements is loaded but not created in database " + one.database()
                    + "; run CREATE EXTENSION pg_stat_statements there");
        }
        return new StatementStatistics(schema, version, entriesMax);
    }

    /** One row: the state of the extension. */
    List<StatementStatisticsRow> state(TargetSession session) {
        String info = atLeast(INFO)
                ? "select dealloc, stats_reset from " + schema + ".pg_stat_statements_info()"
                : "select null::bigint, null::timestamptz";
        return session.query(
                info,
                row -> new StatementStatisticsRow(
                        extensionVersion, entriesMax, Columns.longOrNull(row, 1), Columns.instantOrNull(row, 2)));
    }

    /** Whether the extension is of this version or newer; its versions are {@code 1.x}. */
    private boolean atLeast(int minor) {
        int dot = extensionVersion.indexOf('.');
        return dot < 0
                || !extensionVersion.startsWith("1.")
                || Integer.parseInt(extensionVersion.substring(dot + 1)) >= minor;
    }
}
