package dev.assay.evidence;

import dev.assay.pg.Oid;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One VACUUM at work, manual or of autovacuum, from {@code pg_stat_get_progress_info('VACUUM')}. All but pid and database is null where the
 * role may not see it.
 *
 * @param pid the process at work; its session is in the activity sample
 * @param database where, its name or OID
 * @param relation the table, null also when it is of another database
 * @param phase {@code scanning heap}, {@code vacuuming indexes}, {@code vacuuming heap}, ...
 * @param heapBlocks pages of the table when it began
 * @param heapBlocksScanned how far the scan is, in pages
 * @param heapBlocksVacuumed pages whose dead tuples are gone
 * @param indexPasses how often all indexes were gone through, completed ones
 * @param deadTupleBytesMax memory that dead tuples may take: 6 bytes a tuple up to 16
 * @param deadTupleBytes memory that dead tuples take now: 6 bytes a tuple up to 16
 * @param deadItems dead item identifiers kept since the last pass
 * @param indexes indexes to go through in this pass; null before 17
 * @param indexesProcessed of them done; null before 17
 * @param delayMillis time slept for {@code vacuum_cost_delay}; null before 18, 0 unless {@code track_cost_delay_timing}
 */
public record VacuumProgressRow(
        int pid,
        @Nullable String database,
        @Nullable Oid relation,
        @Nullable String phase,
        @Nullable Long heapBlocks,
        @Nullable Long heapBlocksScanned,
        @Nullable Long heapBlocksVacuumed,
        @Nullable Long indexPasses,
        @Nullable Long deadTupleBytesMax,
        @Nullable Long deadTupleBytes,
        @Nullable Long deadItems,
        @Nullable Long indexes,
        @Nullable Long indexesProcessed,
        @Nullable Double delayMillis)
        implements Row {

    @Override
    public Set<Oid> speaksOf() {
        return relation == null ? Set.of() : Set.of(relation);
    }
}
