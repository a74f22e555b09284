package dev.assay.evidence;

import dev.assay.pg.Oid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one database, from the functions under {@code pg_stat_database}.
 *
 * @param oid the database's; null for what all databases share
 * @param database its name, or its OID while the name cannot be read; null for what all databases share
 * @param commits transactions committed
 * @param rollbacks transactions rolled back
 * @param blocksRead blocks not found in shared buffers
 * @param blocksHit blocks found in shared buffers
 * @param tuplesReturned live rows that scans went through, and index entries that index scans returned
 * @param tuplesFetched live rows fetched by index scans
 * @param conflicts queries cancelled on a standby because they conflicted with recovery
 * @param temporaryFiles files that queries made because their memory did not suffice
 * @param temporaryBytes written to them
 * @param deadlocks deadlocks detected
 * @param checksumFailures pages that failed their checksum; null while checksums are off
 * @param checksumLastFailure when the last one failed; null when none did
 * @param readMillis time in reading blocks; stands still while {@code track_io_timing} is off
 * @param writeMillis time in writing blocks by backends; stands still while {@code track_io_timing} is off
 * @param sessionMillis time that sessions were connected; null before 14, as all that follow
 * @param activeMillis time that sessions ran statements
 * @param idleInTransactionMillis time that sessions were idle in a transaction
 * @param sessions sessions ever established
 * @param sessionsAbandoned ended because the client was gone
 * @param sessionsFatal ended by an error
 * @param sessionsKilled ended by an operator
 * @param parallelWorkersPlanned parallel workers that queries wanted; null before 18
 * @param parallelWorkersLaunched parallel workers that they got; null before 18
 */
public record DatabaseRow(
        @Nullable Oid oid,
        @Nullable String database,
        long commits,
        long rollbacks,
        long blocksRead,
        long blocksHit,
        long tuplesReturned,
        long tuplesFetched,
        long tuplesInserted,
        long tuplesUpdated,
        long tuplesDeleted,
        long conflicts,
        long temporaryFiles,
        long temporaryBytes,
        long deadlocks,
        @Nullable Long checksumFailures,
        @Nullable Instant checksumLastFailure,
        double readMillis,
        double writeMillis,
        @Nullable Double sessionMillis,
        @Nullable Double activeMillis,
        @Nullable Double idleInTransactionMillis,
        @Nullable Long sessions,
        @Nullable Long sessionsAbandoned,
        @Nullable Long sessionsFatal,
        @Nullable Long sessionsKilled,
        @Nullable Long parallelWorkersPlanned,
        @Nullable Long parallelWorkersLaunched,
        @Nullable Instant statsReset)
        implements CounterRow {

    @Override
    public String key() {
        return oid == null ? "" : oid.toString();
    }
}
