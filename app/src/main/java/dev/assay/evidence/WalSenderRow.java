package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One WAL sender with whom it feeds, from {@code pg_stat_get_wal_senders}. All but pid, user and application is null where the role may not
 * see it. Lags in bytes are against the end of this server's WAL.
 *
 * @param pid the sending process
 * @param user the role that replicates
 * @param application {@code application_name}: the standby's name
 * @param clientAddress where it connected from; null for a Unix socket
 * @param state {@code streaming}, {@code catchup}, {@code startup}, {@code backup}, {@code stopping}
 * @param sentLsn sent up to here
 * @param writeLsn written there up to here
 * @param flushLsn durable there up to here
 * @param replayLsn replayed there up to here
 * @param sentLagBytes WAL not sent yet
 * @param flushLagBytes WAL not durable there yet
 * @param replayLagBytes WAL not replayed there yet
 * @param writeLagMillis from flush here to write there; null when there is nothing to measure
 * @param flushLagMillis from flush here to flush there; null when there is nothing to measure
 * @param replayLagMillis from flush here to replay there; null when there is nothing to measure
 * @param syncState {@code async}, {@code potential}, {@code sync}, {@code quorum}
 * @param xminAge age of the snapshot that its feedback holds here, in transactions; null when none
 * @param replyTime when it last answered, by its own clock
 */
public record WalSenderRow(
        int pid,
        @Nullable String user,
        String application,
        @Nullable String clientAddress,
        @Nullable String state,
        @Nullable String sentLsn,
        @Nullable String writeLsn,
        @Nullable String flushLsn,
        @Nullable String replayLsn,
        @Nullable Long sentLagBytes,
        @Nullable Long flushLagBytes,
        @Nullable Long replayLagBytes,
        @Nullable Double writeLagMillis,
        @Nullable Double flushLagMillis,
        @Nullable Double replayLagMillis,
        @Nullable String syncState,
        @Nullable Integer xminAge,
        @Nullable Instant replyTime)
        implements Row {}
