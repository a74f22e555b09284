package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one of the small caches over transaction status files, from {@code pg_stat_slru}; a block is 8 kB in a stock build.
 *
 * @param name in the spelling of 17 and later, whatever the version: {@code subtransaction}, {@code transaction}, {@code multixact_offset},
 *     {@code multixact_member}, {@code commit_timestamp}, {@code notify}, {@code serializable}, {@code other}
 * @param serverName as the server spells it, {@code Subtrans} and so on up to 16
 * @param blocksZeroed blocks made anew
 * @param blocksHit look-ups that found their block in the cache
 * @param blocksRead blocks read from disk
 * @param blocksWritten blocks written to disk
 * @param blocksExist checks whether a block exists
 * @param flushes times that all dirty blocks were written
 * @param truncates times that old files were removed
 */
public record SlruRow(
        String name,
        String serverName,
        long blocksZeroed,
        long blocksHit,
        long blocksRead,
        long blocksWritten,
        long blocksExist,
        long flushes,
        long truncates,
        @Nullable Instant statsReset)
        implements CounterRow {

    @Override
    public String key() {
        return name;
    }
}
