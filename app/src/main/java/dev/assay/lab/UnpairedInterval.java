package dev.assay.lab;

import java.util.List;

/**
 * The ratio candidate / baseline with its confidence interval, from trials that were not made side by side: those of two separate runs.
 *
 * <h2>Why so</h2>
 *
 * <p><b>Not paired.</b> The third round of one run and the third round of another share nothing, so there are no ratios by round to take;
 * pairing them by number would only throw away degrees of freedom. The two groups of logarithms are compared instead: the ratio is that of
 * the geometric means.
 *
 * <p><b>Welch's t.</b> Two runs may have different numbers of trials and different noise, so their variances are not pooled (Welch, "The
 * generalization of Student's problem when several different population variances are involved", Biometrika 34, 1947): the standard error is
 * the root of s1²/n1 + s2²/n2, with Satterthwaite's degrees of freedom, between the smaller n - 1 and n1 + n2 - 2.
 *
 * <h2>What it cannot see</h2>
 *
 * <p><b>Whatever lay between the runs.</b> Within a run the order of trials is drawn and turned round, so that drift cancels in the ratio of two
 * variants. Between two runs nothing cancels: a machine that is 5 % slower in the evening makes the evening's run 5 % slower, and two runs
 * say nothing about how large such shifts are. The interval covers the noise between trials of a run and no more. Where the same code run
 * twice differs by more than its intervals say, that is the reason; compare within one run instead.
 *
 * <p><b>Disturbances that outlast a trial.</b> Trials of one run that are alike because they lie near each other have a mean that is less certain
 * than their spread says. The simulations in the tests show by how much.
 *
 * @param ratio of the geometric means; NaN when there is nothing to compare
 * @param low lower end, 0 when unbounded
 * @param high upper end, infinite when unbounded
 * @param level 0.99
 * @param baselineTrials that stand behind it
 * @param candidateTrials that stand behind it
 * @param baselineSpread standard deviation of the logarithms; NaN below two trials
 * @param candidateSpread standard deviation of the logarithms; NaN below two trials
 */
public record UnpairedInterval(
        double ratio,
        double low,
        double high,
        double level,
        int baselineTrials,
        int candidateTrials,
        double baselineSpread,
        double candidateSpread)
        implements RatioEstimate {

    private static final int TRIALS_MIN = 2;

    /**
     * The interval.
     *
     * <p>A value that is not a positive number (a trial that finished no transaction) has no logarithm; leaving it out would flatter the side
     * that stalled, so then nothing is known at all. One trial a side gives a ratio without bounds.
     *
     * @param baseline one value a trial, in any order
     * @param candidate one value a trial, in any order
     */
    public static UnpairedInterval of(List<Double> baseline, List<Double> candidate) {
        int before = baseline.size();
        int after = candidate.size();
        if (before == 0 || after == 0 || !comparable(baseline) || !comparable(candidate)) {
            return unbounded(Double.NaN, before, after);
        }
        double[] left = logs(baseline);
        double[] right = logs(candidate);
        double leftMean = RatioInterval.mean(left);
        double rightMean = RatioInterval.mean(right);
        double mean = rightMean - leftMean;
        if (before < TRIALS_MIN || after < TRIALS_MIN) {
            return unbounded(Math.exp(mean), before, after);
        }
        UnpairedInterval unbounded = new UnpairedInterval(
                Math.exp(mean),
                0,
                Double.POSITIVE_INFINITY,
                RatioInterval.LEVEL,
                before,
                after,
                RatioInterval.standardDeviation(left, leftMean),
                RatioInterval.standardDeviation(right, rightMean));
        double half = RatioEstimate.halfWidth(unbounded.standardError(0), unbounded.degreesOfFreedom(0));
        return new UnpairedInterval(
                unbounded.ratio(),
                Math.exp(mean - half),
                Math.exp(mean + half),
                unbounded.level(),
                before,
                after,
                unbounded.baselineSpread(),
                unbounded.candidateSpread());
    }

    private static UnpairedInterval unbounded(double ratio, int before, int after) {
        return new UnpairedInterval(
                ratio, 0, Double.POSITIVE_INFINITY, RatioInterval.LEVEL, before, after, Double.NaN, Double.NaN);
    }

    private static boolean comparable(List<Double> values) {
        return values.stream().allMatch(value -> value > 0 && Double.isFinite(value));
    }

    private static double[] logs(List<Double> values) {
        return values.stream().mapToDouble(Math::log).toArray();
    }

    @Override
    public String basis() {
        return baselineTrials + " and " + candidateTrials + " trials";
    }

    @Override
    public double standardError(int further) {
        return Math.sqrt(variance(baselineSpread, baselineTrials + further)
                + variance(candidateSpread, candidateTrials + further));
    }

    /** Satterthwaite's; those of equal variances when both sides do not vary at all. */
    @Override
    public double degreesOfFreedom(int further) {
        int left = baselineTrials + further;
        int right = candidateTrials + further;
        double leftVariance = variance(baselineSpread, left);
        double rightVariance = variance(candidateSpread, right);
        double sum = leftVariance + rightVariance;
        if (!(sum > 0)) {
            return left + right - 2.0;
        }
        return sum * sum / (leftVariance * leftVariance / (left - 1) + rightVariance * rightVariance / (right - 1));
    }

    /** Of a mean of so many trials. */
    private static double variance(double spread, int trials) {
        return spread * spread / trials;
    }
}
