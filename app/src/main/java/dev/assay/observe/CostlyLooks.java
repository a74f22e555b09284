package dev.assay.observe;

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

    private final double shareMax;

    /** By name; as many as there are costly probes. Guarded by this. */
    private final Map<String, Cost> costs = new HashMap<>();

    private record Cost(long tookNanos, long cadenceNanos) {}

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

    private double share(double intervalNanos) {
        return costs.values().stream()
                .mapToDouble(cost -> cost.tookNanos() / Math.max(intervalNanos, (double) cost.cadenceNanos()))
                .sum();
    }
}
