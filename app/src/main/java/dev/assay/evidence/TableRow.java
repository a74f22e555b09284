package dev.assay.evidence;

import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters and state of one table of the observed database: a table, a materialised view, a partitioned table, or a TOAST table that holds
 * something. From {@code pg_class} and the functions under {@code pg_stat_all_tables}.
 *
 * <p>Whether it has changed is judged without {@code frozenXidAge} and {@code multiXactAge}: these grow with every transaction of the server.
 *
 * @param relation its OID
 * @param name its name
 * @param kind what it is
 * @param toastOf for a TOAST table the table it belongs to, else null
 * @param pages {@code relpages}: size in pages of 8 KB as VACUUM or ANALYZE last saw it
 * @param tuples {@code reltuples}: -1 where it is not known
 * @param pagesAllVisible {@code relallvisible}
 * @param frozenXid {@code relfrozenxid}; null where it has none
 * @param frozenXidAge its age in transactions
 * @param multiXactAge age of {@code relminmxid} in multixacts
 * @param options {@code reloptions}, comma-separated; empty where there are none
 * @param sequentialScans how often it was read from end to end
 * @param sequentialTuples live tuples that these read
 * @param indexScans scans of its indexes; null where it has none
 * @param indexTuples live tuples that these fetched; null where it has none
 * @param tuplesInserted inserted tuples
 * @param tuplesUpdated updated tuples
 * @param tuplesDeleted deleted tuples
 * @param tuplesHotUpdated updates that needed no new index entry
 * @param tuplesNewPageUpdated updates that moved the tuple to another page; null before 16
 * @param liveTuples estimate of live tuples
 * @param deadTuples estimate of dead tuples
 * @param changesSinceAnalyze tuples changed since the last ANALYZE
 * @param insertsSinceVacuum tuples inserted since the last VACUUM
 * @param vacuums manual VACUUMs, not counting FULL
 * @param autovacuums VACUUMs of autovacuum
 * @param analyzes manual ANALYZEs
 * @param autoanalyzes ANALYZEs of autovacuum
 * @param lastVacuum when the last one ended; null when never
 * @param lastAutovacuum when the last one ended; null when never
 * @param lastAnalyze when the last one ended; null when never
 * @param lastAutoanalyze when the last one ended; null when never
 * @param vacuumMillis time in manual VACUUM; null before 18
 * @param autovacuumMillis time in VACUUM of autovacuum; null before 18
 * @param analyzeMillis time in manual ANALYZE; null before 18
 * @param autoanalyzeMillis time in ANALYZE of autovacuum; null before 18
 */
public record TableRow(
        Oid relation,
        RelationName name,
        CatalogRelation.Kind kind,
        @Nullable Oid toastOf,
        long pages,
        double tuples,
        long pagesAllVisible,
        @Nullable Long frozenXid,
        @Nullable Integer frozenXidAge,
        @Nullable Integer multiXactAge,
        String options,
        long sequentialScans,
        long sequentialTuples,
        @Nullable Long indexScans,
        @Nullable Long indexTuples,
        long tuplesInserted,
        long tuplesUpdated,
        long tuplesDeleted,
        long tuplesHotUpdated,
        @Nullable Long tuplesNewPageUpdated,
        long liveTuples,
        long deadTuples,
        long changesSinceAnalyze,
        long insertsSinceVacuum,
        long vacuums,
        long autovacuums,
        long analyzes,
        long autoanalyzes,
        @Nullable Instant lastVacuum,
        @Nullable Instant lastAutovacuum,
        @Nullable Instant lastAnalyze,
        @Nullable Instant lastAutoanalyze,
        @Nullable Double vacuumMillis,
        @Nullable Double autovacuumMillis,
        @Nullable Double analyzeMillis,
        @Nullable Double autoanalyzeMillis)
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
