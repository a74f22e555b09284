package dev.assay.observe;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps all costly probes together within a share of the time, by the one interval below which none of them may look again: the smallest
 * one at which the sum of their costs a second fits. A probe whose own cadence is slower keeps it and leaves the others the rest.
 *
 * <p>What a look cost is the CPU time that it took where what answers it can be seen, our backend or our own thread, but not less than a part of the time until its
 * answer was there: one that waits long stands in others' way. Elsewhere it is that time, an upper bound. Thread-safe.
 */
final class CostlyLooks {

    private static final int HALVINGS = 50;

    /** A twentieth of the time that a look took counts as cost even when it was spent waiting. */
    private static final int WAITING_COUNTS = 20;

    private static final long PURSE_NANOS = Duration.ofSeconds(30).toNanos();

    private final double shareMax;

    /** By name; as many as there are costly probes. Guarded by this. */
    private final Map<String, Cost> costs = new HashMap<>();

    private record Cost(long nanos, long cadenceNanos) {}

    /** By name. Guarded by this. */
    private final Map<String, Purse> purses = new HashMap<>();

    /** What an occasional probe may still spend, as it was at that time. */
    private record Purse(double nanos, long atNanos) {}

    CostlyLooks(double shareMax) {
        this.shareMax = shareMax;
    }

    /**
     * What a look cost.
     *
     * @param tookNanos until its answer was there
     * @param cpuNanos CPU time of what answers meanwhile, our backend or our own thread; negative when it cannot be seen
     */
    static long costNanos(long tookNanos, long cpuNanos) {
        return cpuNanos < 0 ? tookNanos : Math.max(cpuNanos, tookNanos / WAITING_COUNTS);
    }

    /**
     * Notes what a look cost.
     *
     * @return how long from its start to the start of the probe's next look, in nanoseconds: its cadence at least
     */
    synchronized long pauseNanos(String probe, long cadenceNanos, long costNanos) {
        costs.put(probe, new Cost(costNanos, cadenceNanos));
        double low = 0;
        double high = costs.values().stream().mapToDouble(Cost::nanos).sum() / shareMax;
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
     * Notes what a look of a probe cost that looks only on occasion.
     *
     * @param endNanos when it was complete, by a clock that does not go back
     * @return how long from its start to the start of the probe's next look, in nanoseconds: its cadence at least
     */
    synchronized long occasionalPauseNanos(String probe, long cadenceNanos, long costNanos, long endNanos) {
        double full = shareMax * PURSE_NANOS;
        Purse before = purses.getOrDefault(probe, new Purse(full, endNanos));
        double left = Math.min(full, before.nanos() + shareMax * (endNanos - before.atNanos())) - costNanos;
        purses.put(probe, new Purse(left, endNanos));
        return left >= 0 ? cadenceNanos : Math.max(cadenceNanos, costNanos + (long) Math.ceil(-left / shareMax));
    }

    private double share(double intervalNanos) {
        return costs.values().stream()
                .mapToDouble(cost -> cost.nanos() / Math.max(intervalNanos, (double) cost.cadenceNanos()))
                .sum();
    }
}
