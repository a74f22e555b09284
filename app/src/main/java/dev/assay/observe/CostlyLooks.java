package dev.assay.observe;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps all costly probes together within a share of the time, by the one interval below which none of them may look again: the smallest
 * one at which the sum of their costs a second fits. A probe whose own cadence is slower keeps it and leaves the others the rest.
 *
 * <p>What a look cost is what its answer took, which is more than it cost on a server that is short of cores: there it looks the more seldom.
 * Thread-safe.
 */
final class CostlyLooks {

    private static final int HALVINGS = 50;
    private static final long PURSE_NANOS = Duration.ofSeconds(30).toNanos();

    private final double shareMax;

    /** By name; as many as there are costly probes. Guarded by this. */
    private final Map<String, Cost> costs = new HashMap<>();

    private record Cost(long tookNanos, long cadenceNanos) {}

    /** By name. Guarded by this. */
    private final Map<String, Purse> purses = new HashMap<>();

    /** What an occasional probe may still spend, as it was at that time. */
    private record Purse(double nanos, long atNanos) {}

    CostlyLooks(double shareMax) {
        this.shareMax = shareMax;
    }

    /**
     * Notes what a look took.
     *
     * @return how long from its start to the start of the probe's next look, in nanoseconds: its cadence at least
     */
    synchronized long pauseNanos(String probe, long cadenceNanos, long tookNanos) {
        costs.put(probe, new Cost(tookNanos, cadenceNanos));
        double low = 0;
        double high = costs.values().stream().mapToDouble(Cost::tookNanos).sum() / shareMax;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (share(middle) > shareMax) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return Math.max(cadenceNanos, (long) Math.ceil(high));
    }

    /**
     * Notes what a look of a probe took that looks only on occasion.
     *
     * @param endNanos when it was complete, by a clock that does not go back
     * @return how long from its start to the start of the probe's next look, in nanoseconds: its cadence at least
     */
    synchronized long occasionalPauseNanos(String probe, long cadenceNanos, long tookNanos, long endNanos) {
        double full = shareMax * PURSE_NANOS;
        Purse before = purses.getOrDefault(probe, new Purse(full, endNanos));
        double left = Math.min(full, before.nanos() + shareMax * (endNanos - before.atNanos())) - tookNanos;
        purses.put(probe, new Purse(left, endNanos));
        return left >= 0 ? cadenceNanos : Math.max(cadenceNanos, tookNanos + (long) Math.ceil(-left / shareMax));
    }

    private double share(double intervalNanos) {
        return costs.values().stream()
                .mapToDouble(cost -> cost.tookNanos() / Math.max(intervalNanos, (double) cost.cadenceNanos()))
                .sum();
    }
}
