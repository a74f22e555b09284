package dev.assay.observe;

import dev.assay.evidence.ObserverRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;

/**
 * Weighs what looking costs over a window that slides, and says by how much every cadence is to be stretched: twice as much when the window
 * cost more than the budget, half as much when it has cost little for a while.
 *
 * <p>A program that has just started is compiled while it runs and costs many times what it will; its first seconds are not weighed. After a
 * change the window begins anew, so that each step is judged by what it brought.
 *
 * <p>Thread-safe. It has no clock: time and cost are handed in.
 */
final class CostMeter {

    static final Duration WARM_UP = Duration.ofSeconds(20);
    static final Duration WINDOW = Duration.ofSeconds(30);
    static final Duration LOW_FOR = Duration.ofMinutes(3);
    static final int STRETCH_MAX = 16;

    private static final Duration BETWEEN_READINGS = Duration.ofSeconds(1);

    private final CostBudget budget;
    private final long startNanos;

    /** Oldest first, a second apart, no more than the longest window needs. Guarded by this. */
    private final Deque<Reading> readings = new ArrayDeque<>();

    private volatile int stretch = 1;

    private record Reading(long atNanos, long spentNanos) {}

    /** What was spent up to a moment and on how many cores it weighs. */
    record Spending(long spentNanos, int cores, boolean measured) {}

    CostMeter(CostBudget budget, long startNanos) {
        this.budget = budget;
        this.startNanos = startNanos;
    }

    /** By how much every cadence is to be stretched. */
    int stretch() {
        return stretch;
    }

    /** Whether enough time has passed since the last reading; the answer is cheap. */
    synchronized boolean due(long nowNanos) {
        Reading last = readings.peekLast();
        return nowNanos - startNanos >= WARM_UP.toNanos()
                && (last == null || nowNanos - last.atNanos() >= BETWEEN_READINGS.toNanos());
    }

    /** Takes a reading; tells when it changed the cadence. */
    synchronized Optional<ObserverRow> weigh(long nowNanos, Spending spending) {
        if (!due(nowNanos)) {
            return Optional.empty();
        }
        readings.addLast(new Reading(nowNanos, spending.spentNanos()));
        while (nowNanos - readings.peekFirst().atNanos() > LOW_FOR.toNanos() + BETWEEN_READINGS.toNanos()) {
            readings.removeFirst();
        }
        double share = share(nowNanos, spending, WINDOW);
        if (share > budget.shareOfCoresMax()) {
            return stretch == STRETCH_MAX
                    ? Optional.empty()
                    : changed(stretch * 2, ObserverRow.Kind.SLOWED, share, spending, WINDOW);
        }
        double longShare = share(nowNanos, spending, LOW_FOR);
        if (stretch > 1 && longShare < budget.shareOfCoresLow()) {
            return changed(stretch / 2, ObserverRow.Kind.QUICKENED, longShare, spending, LOW_FOR);
        }
        return Optional.empty();
    }

    /** The share of the cores over the last so long; NaN, which compares with nothing, while there are no readings that old. */
    private double share(long nowNanos, Spending spending, Duration over) {
        Reading before = null;
        for (Reading reading : readings) {
            if (nowNanos - reading.atNanos() < over.toNanos()) {
                break;
            }
            before = reading;
        }
        return before == null
                ? Double.NaN
                : (spending.spentNanos() - before.spentNanos())
                        / (double) (nowNanos - before.atNanos())
                        / spending.cores();
    }

    private Optional<ObserverRow> changed(
            int to, ObserverRow.Kind kind, double share, Spending spending, Duration over) {
        stretch = to;
        readings.clear();
        String detail = String.format(
                Locale.ROOT,
                "looking took %s%.2f %% of %d %scores in %d s; every probe now looks %s",
                spending.measured() ? "" : "at most ",
                share * 100,
                spending.cores(),
                spending.measured() ? "" : "assumed ",
                over.toSeconds(),
                to == 1 ? "as often as planned" : to + " times more seldom than planned");
        return Optional.of(new ObserverRow(kind, detail));
    }
}
