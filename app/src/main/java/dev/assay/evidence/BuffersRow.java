package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counters of shared buffers, from {@code pg_stat_bgwriter}.
 *
 * @param cleaned buffers that the background writer wrote
 * @param cleaningsCutShort times that it stopped at {@code bgwriter_lru_maxpages}
 * @param allocated buffers allocated
 * @param writtenByBackends writes that sessions had to do themselves, counted by the requests for a sync that follow them; null since 17. It
 *     cannot be had from {@code pg_stat_io}, which counts blocks and differs by a quarter: {@link IoRow} tells the writes and extensions of
 *     each kind of process on 16 and later
 * @param syncedByBackends files that sessions had to sync themselves; null since 17, see {@link IoRow}
 */
public record BuffersRow(
        long cleaned,
        long cleaningsCutShort,
        long allocated,
        @Nullable Long writtenByBackends,
        @Nullable Long syncedByBackends,
        @Nullable Instant statsReset)
        implements CounterRow {

    @Override
    public String key() {
        return "";
    }
}
