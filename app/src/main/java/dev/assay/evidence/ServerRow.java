package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The server's own state, from functions that need no privilege and no catalog.
 *
 * @param startedAt {@code pg_postmaster_start_time()}; a later one is a restart
 * @param configuredAt {@code pg_conf_load_time()}
 * @param inRecovery whether it is a standby, or still recovers
 * @param lsn end of its WAL: inserted on a primary, replayed on a standby, as {@code X/X}; null where a standby has replayed nothing
 * @param serverTime {@code clock_timestamp()} when it answered
 */
public record ServerRow(
        Instant startedAt,
        Instant configuredAt,
        boolean inRecovery,
        @Nullable String lsn,
        Instant serverTime) implements Row {}
