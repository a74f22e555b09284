package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * CPU time of the server's processes of one kind, from {@code /proc/PID/stat}, in steps of one tick (10 ms).
 *
 * <p>The rows of one sample together are all that the server has used since it started. A process that ends between two looks takes what it
 * used last into {@link Kind#ENDED}.
 *
 * @param kind which processes
 * @param processes how many of them live
 * @param running how many of them run or wait for a core now
 * @param cpuMillis CPU time that was seen to be theirs since the server started
 * @param startedAt when the server started, by the machine's clock; a later one is a restart
 */
public record ServerProcessesRow(Kind kind, int processes, int running, long cpuMillis, Instant startedAt)
        implements CounterRow {

    /** Which processes. */
    public enum Kind {
        /** Sessions of clients, their parallel workers, and WAL senders. */
        CLIENT,
        /** The postmaster and all others: checkpointer, WAL writer, autovacuum workers, ... */
        BACKGROUND,
        /** Those that ended before their share was seen. */
        ENDED
    }

    @Override
    public String key() {
        return kind.name();
    }

    @Override
    public @Nullable Instant statsReset() {
        return startedAt;
    }
}
