package dev.assay.observe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What looking cost.
 *
 * @param elapsed how long was looked
 * @param clientCpu CPU time of this program's looking threads, or of all of it where the budget says so
 * @param backendBusy time until the server's answers were there, less the way there and back: an upper bound of what our sessions did
 * @param backendCpu CPU time of our sessions' processes, logging in included; null where the server is on another machine
 * @param cores cores of the server's machine; {@link #ASSUMED_CORES} where it is another one
 * @param slowedBy how many times rarer than planned looks have become to keep to the budget; 1 for not at all
 * @param queries how many queries were asked
 * @param rows how many rows came back
 */
public record SelfCost(
        Duration elapsed,
        Duration clientCpu,
        Duration backendBusy,
        @Nullable Duration backendCpu,
        int cores,
        int slowedBy,
        long queries,
        long rows) {

    /** No view tells how many cores a server has; one that cannot be looked at is taken for the smallest that is usual. */
    public static final int ASSUMED_CORES = 2;

    /** On a server elsewhere, at the planned cadence. */
    public SelfCost(Duration elapsed, Duration clientCpu, Duration backendBusy, long queries, long rows) {
        this(elapsed, clientCpu, backendBusy, null, ASSUMED_CORES, 1, queries, rows);
    }

    /** Whether the server was seen to share this machine, so that the cost is measured and not an upper bound. */
    public boolean sameMachine() {
        return backendCpu != null;
    }

    /** What the server's machine spent on looking: CPU time where that can be measured, else the upper bound. */
    public Duration spentOnServer() {
        Duration measured = backendCpu;
        return measured == null ? backendBusy : measured.plus(clientCpu);
    }

    /** The share of the server's cores, 0 to 1, that looking has taken, at most; NaN before any time has passed. */
    public double shareOfCoresMax() {
        return shareOfOneCoreMax() / cores;
    }

    /** The most of one core that looking can have cost the server, 0 to 1; NaN before any time has passed. */
    public double shareOfOneCoreMax() {
        return elapsed.isZero() ? Double.NaN : spentOnServer().toNanos() / (double) elapsed.toNanos();
    }
}
