package dev.assay.observe;

/**
 * What looking may cost the server. What is spent is weighed by {@link CostMeter}; costly probes have a share of their own, which
 * {@link CostlyLooks} keeps.
 *
 * @param shareOfCoresMax share of the server's cores, 0 to 1, above which looks become rarer; infinite where they never do
 * @param shareOfCoresLow share below which they become more frequent again; well under half of the maximum, as they then cost up to twice
 *     as much
 * @param wholeProcess whether all of this program's CPU time counts where it shares the machine with the server, not the looking threads'
 *     alone
 */
public record CostBudget(double shareOfCoresMax, double shareOfCoresLow, boolean wholeProcess) {

    /** Probes that tell they are costly never take more than this share of the time, whatever the budget: one core for a twentieth. */
    private static final double COSTLY_SHARE_OF_TIME_MAX = 1.0 / 20;

    /** And never more than this share of the budget. */
    private static final double COSTLY_SHARE_OF_BUDGET = 1.0 / 4;

    public CostBudget {
        if (!(shareOfCoresMax > 0) || !(shareOfCoresLow >= 0) || shareOfCoresLow > shareOfCoresMax / 2) {
            throw new IllegalArgumentException("a budget of " + shareOfCoresMax + ", low " + shareOfCoresLow);
        }
    }

    /** For looks that go on for days: one hundredth of the server's cores. */
    public static CostBudget recording() {
        return new CostBudget(0.01, 0.004, false);
    }

    /** For a look of minutes that somebody asked for: the cadence stays, costly probes keep to a twentieth of the time. */
    public static CostBudget closeLook() {
        return new CostBudget(Double.POSITIVE_INFINITY, 0, false);
    }

    /** The same, with all of this program counted. */
    public CostBudget ofWholeProcess() {
        return new CostBudget(shareOfCoresMax, shareOfCoresLow, true);
    }

    /** The share of the time, 0 to 1, that all costly probes together may take on a server with so many cores. */
    double costlyShareOfTime(int cores) {
        return Math.min(COSTLY_SHARE_OF_TIME_MAX, COSTLY_SHARE_OF_BUDGET * shareOfCoresMax * cores);
    }
}
