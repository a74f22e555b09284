package dev.assay.observe.probe;

import dev.assay.evidence.DatabaseRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Counters of every database, every five seconds.
 *
 * <p>The view {@code pg_stat_database} reads {@code pg_database} and fails while somebody holds a lock on it. The functions below it need
 * nothing but OIDs, and {@code pg_tablespace_databases} has these from the names of the folders on disk; names come from
 * {@link CatalogNames}. A folder that a crash left behind shows as a database that counts nothing.
 */
final class DatabasesProbe {

    private static final String TEMPLATE = """
            select d.oid::bigint, pg_stat_get_db_xact_commit(d.oid), pg_stat_get_db_xact_rollback(d.oid),
                   pg_stat_get_db_blocks_fetched(d.oid) - pg_stat_get_db_blocks_hit(d.oid), pg_stat_get_db_blocks_hit(d.oid),
                   pg_stat_get_db_tuples_returned(d.oid), pg_stat_get_db_tuples_fetched(d.oid),
                   pg_stat_get_db_tuples_inserted(d.oid), pg_stat_get_db_tuples_updated(d.oid),
                   pg_stat_get_db_tuples_deleted(d.oid), pg_stat_get_db_conflict_all(d.oid), pg_stat_get_db_temp_files(d.oid),
                   pg_stat_get_db_temp_bytes(d.oid), pg_stat_get_db_deadlocks(d.oid), pg_stat_get_db_blk_read_time(d.oid),
                   pg_stat_get_db_blk_write_time(d.oid), pg_stat_get_db_stat_reset_time(d.oid),
                   %s, %s, %s
            from (select 0::oid as oid
                  union
                  select pg_tablespace_databases(t.oid) from pg_tablespace t where t.spcname <> 'pg_global') d
            """;

    private static final String NO_CHECKSUMS = "null::bigint, null::timestamptz";
    private static final String CHECKSUMS =
            "pg_stat_get_db_checksum_failures(d.oid), pg_stat_get_db_checksum_last_failure(d.oid)";

    private static final String NO_SESSIONS =
            "null::float8, null::float8, null::float8, null::bigint, null::bigint, null::bigint, null::bigint";
    private static final String SESSIONS = """
            pg_stat_get_db_session_time(d.oid), pg_stat_get_db_active_time(d.oid), pg_stat_get_db_idle_in_transaction_time(d.oid),
            pg_stat_get_db_sessions(d.oid), pg_stat_get_db_sessions_abandoned(d.oid), pg_stat_get_db_sessions_fatal(d.oid),
            pg_stat_get_db_sessions_killed(d.oid)""";

    private static final String NO_WORKERS = "null::bigint, null::bigint";
    private static final String WORKERS =
            "pg_stat_get_db_parallel_workers_to_launch(d.oid), pg_stat_get_db_parallel_workers_launched(d.oid)";

    static final Probe<DatabaseRow> PROBE = new SqlProbe<>(
            "databases",
            DatabaseRow.class,
            Pace.every(Duration.ofSeconds(5)).in(Pace.Lane.PATIENT).whenCheap(),
            List.of(
                    new SqlProbe.Query(10, 11, TEMPLATE.formatted(NO_CHECKSUMS, NO_SESSIONS, NO_WORKERS)),
                    new SqlProbe.Query(12, 13, TEMPLATE.formatted(CHECKSUMS, NO_SESSIONS, NO_WORKERS)),
                    new SqlProbe.Query(14, 17, TEMPLATE.formatted(CHECKSUMS, SESSIONS, NO_WORKERS)),
                    new SqlProbe.Query(18, SqlProbe.Query.NEWEST, TEMPLATE.formatted(CHECKSUMS, SESSIONS, WORKERS))),
            DatabasesProbe::read);

    private DatabasesProbe() {}

    private static DatabaseRow read(ResultSet row, ProbeContext context) throws SQLException {
        return new DatabaseRow(
                Columns.oidOrNull(row, 1),
                context.names().database(row.getLong(1)),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8),
                row.getLong(9),
                row.getLong(10),
                row.getLong(11),
                row.getLong(12),
                row.getLong(13),
                row.getLong(14),
                Columns.longOrNull(row, 18),
                Columns.instantOrNull(row, 19),
                row.getDouble(15),
                row.getDouble(16),
                Columns.doubleOrNull(row, 20),
                Columns.doubleOrNull(row, 21),
                Columns.doubleOrNull(row, 22),
                Columns.longOrNull(row, 23),
                Columns.longOrNull(row, 24),
                Columns.longOrNull(row, 25),
                Columns.longOrNull(row, 26),
                Columns.longOrNull(row, 27),
                Columns.longOrNull(row, 28),
                Columns.instantOrNull(row, 17));
    }
}
