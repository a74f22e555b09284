package dev.assay.evidence;

import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters and state of one index of the observed database. From {@code pg_class}, {@code pg_index} and the functions under
 * {@code pg_stat_all_indexes}.
 *
 * @param relation the index's OID
 * @param name its name
 * @param table the table it belongs to
 * @param tableName that table's name
 * @param unique whether it enforces uniqueness
 * @param primary whether it is the primary key's
 * @param valid false while or after {@code CREATE INDEX CONCURRENTLY} failed
 * @param pages {@code relpages}: size in pages of 8 KB as VACUUM or ANALYZE last saw it
 * @param tuples {@code reltuples}: entries; -1 where it is not known
 * @param options {@code reloptions}, comma-separated; empty where there are none
 * @param scans index scans; those for uniqueness checks do not count
 * @param tuplesRead entries that scans returned
 * @param tuplesFetched live tuples fetched by simple scans
 * @param lastScan when the last scan's transaction ended; null when never, and before 16
 */
public record IndexRow(
        Oid relation,
        RelationName name,
        Oid table,
        RelationName tableName,
        boolean unique,
        boolean primary,
        boolean valid,
        long pages,
        double tuples,
        String options,
        long scans,
        long tuplesRead,
        long tuplesFetched,
        @Nullable Instant lastScan)
        implements SparseCounterRow {

    @Override
    public String key() {
        return relation.toString();
    }

    /** Always null: the server tells only when the counters of the whole database were reset. */
    @Override
    public @Nullable Instant statsReset() {
        return null;
    }
}
