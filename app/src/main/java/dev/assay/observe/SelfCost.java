package dev.assay.observe;

import java.time.Duration;

/**
 * What looking cost.
 *
 * @param elapsed how long was looked
 * @param clientCpu CPU time of the sampler's thread
 * @param backendBusy time until the server's answers were complete: an upper bound of what our backend did
 * @param queries how many queries were asked
 * @param rows how many rows came back
 */
public record SelfCost(Duration elapsed, Duration clientCpu, Duration backendBusy, long queries, long rows) {

    /** The most of one core that looking can have cost the server, 0 to 1; NaN before any time has passed. */
    public double shareOfOneCoreMax() {
        return elapsed.isZero() ? Double.NaN : backendBusy.toNanos() / (double) elapsed.toNanos();
    }
}
