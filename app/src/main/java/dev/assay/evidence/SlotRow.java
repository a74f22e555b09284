package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One replication slot, from {@code pg_get_replication_slots()}.
 *
 * @param name its name
 * @param logical whether it is logical, else physical
 * @param plugin a logical slot's output plugin, else null
 * @param database a logical slot's database, else null
 * @param temporary whether it goes with its session
 * @param activePid who uses it; null while nobody does
 * @param xminAge age of the oldest transaction whose rows it keeps, in transactions; null when none
 * @param catalogXminAge the same for rows of catalogs
 * @param restartLsn WAL is kept from here; null when it keeps none
 * @param confirmedFlushLsn a logical slot's consumer has everything up to here, else null
 * @param retainedBytes WAL from {@code restartLsn} to the end of this server's WAL
 * @param safeBytes WAL that may still be written before the slot is in danger; null when there is no limit or it is lost
 * @param walStatus {@code reserved}, {@code extended}, {@code unreserved}, {@code lost}; null when it keeps no WAL
 * @param inactiveSince since when nobody uses it; null before 17
 * @param invalidationReason why it cannot be used any more: {@code wal_removed}, {@code rows_removed}, {@code wal_level_insufficient},
 *     {@code idle_timeout}; on 16 and older {@code wal_removed} for a lost slot, and on 16 {@code conflict} for what the two others tell; null
 *     while it is valid
 */
public record SlotRow(
        String name,
        boolean logical,
        @Nullable String plugin,
        @Nullable String database,
        boolean temporary,
        @Nullable Integer activePid,
        @Nullable Integer xminAge,
        @Nullable Integer catalogXminAge,
        @Nullable String restartLsn,
        @Nullable String confirmedFlushLsn,
        @Nullable Long retainedBytes,
        @Nullable Long safeBytes,
        @Nullable String walStatus,
        @Nullable Instant inactiveSince,
        @Nullable String invalidationReason)
        implements Row {}
