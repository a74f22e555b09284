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
public record SelfCost(Duration elapsed, Duration clientCpu, Duration backendBusy, long queries, long rows) {}
