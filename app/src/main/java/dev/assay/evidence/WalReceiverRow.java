package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A standby's own view of its replication: one row while the server is in recovery, none otherwise. What the receiver does is null where the
 * role may not see it or there is none.
 *
 * @param pid the receiving process; null when there is none
 * @param status {@code streaming}, {@code waiting}, {@code starting}, ...
 * @param senderHost where it receives from: host, address, or folder of a socket
 * @param senderPort and the port there
 * @param slot the slot that it uses there
 * @param writtenLsn written here up to here
 * @param flushedLsn durable here up to here
 * @param latestEndLsn end of WAL that the sender last reported
 * @param replayedLsn replayed up to here
 * @param replayLagBytes WAL that is durable here and not replayed yet
 * @param replayPaused whether replay is paused by {@code pg_wal_replay_pause} or a recovery target
 * @param lastReplayedCommit time of the last transaction replayed, by the primary's clock; null before the first
 * @param lastMessage when the last message of the sender arrived
 */
public record WalReceiverRow(
        @Nullable Integer pid,
        @Nullable String status,
        @Nullable String senderHost,
        @Nullable Integer senderPort,
        @Nullable String slot,
        @Nullable String writtenLsn,
        @Nullable String flushedLsn,
        @Nullable String latestEndLsn,
        @Nullable String replayedLsn,
        @Nullable Long replayLagBytes,
        boolean replayPaused,
        @Nullable Instant lastReplayedCommit,
        @Nullable Instant lastMessage)
        implements Row {}
