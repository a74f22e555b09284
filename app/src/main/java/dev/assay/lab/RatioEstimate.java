package dev.assay.lab;

import java.util.function.IntPredicate;
import org.hipparchus.distribution.continuous.ChiSquaredDistribution;
import org.hipparchus.distribution.continuous.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * An estimated ratio candidate / baseline with its interval, whatever the trials were that it comes from, and what follows from it: the
 * verdict, and how many further trials would decide when it decides nothing.
 *
 * <h2>How many further trials to ask for</h2>
 *
 * <p>The number is for a run of as many trials as were made and that many more. It is meant to keep a promise: a true difference of twice the
 * margin (10 % at the default margin of 5 %) is found in nine of ten such runs. Two temptations would break it.
 *
 * <p><b>To take the ratio seen for the true one.</b> A few noisy trials show 1.2 where 1.1 is true as often as they show 1.0, and who plans
 * for 1.2 looks with a third of the trials that 1.1 needs ("post hoc power": Hoenig, Heisey, "The abuse of power", American Statistician 55,
 * 2001). So the difference that is planned for is twice the margin, unless the trials already exclude it: then the nearest one that they do not
 * exclude, by the one-sided interval of level {@value #RATIO_PLAUSIBLE}.
 *
 * <p><b>To take the spread seen for the true one.</b> Five trials give a standard deviation that is too small by a third in one case of five.
 * So the spread that is planned for is the upper end of its one-sided interval of level {@value #SPREAD_PLAUSIBLE} (Browne, "On the use of a pilot
 * sample for sample size determination", Statistics in Medicine 14, 1995).
 *
 * <p>A ratio seen inside the margin asks for the trials that would show {@link Verdict#NO_DIFFERENCE}; these are more than a difference of twice
 * the margin needs, so they find that as well.
 */
public sealed interface RatioEstimate permits RatioInterval, UnpairedInterval {

    /** More further trials than this are not recommended to anyone. */
    int FURTHER_TRIALS_MAX = 200;

    /** Level of the one-sided interval of the ratio that further trials are planned with. */
    double RATIO_PLAUSIBLE = 0.9;

    /** Level of the one-sided interval of the spread that further trials are planned with; found by simulation to be enough. */
    double SPREAD_PLAUSIBLE = 0.7;

    /** Standard normal quantile of 0.9: further trials are counted so that they find a difference nine times of ten. */
    double DIFFERENT_QUANTILE = 1.2816;

    /** That of 0.95: an interval around 1 must end inside the margin on both sides. */
    double SAME_QUANTILE = 1.6449;

    /** Candidate divided by baseline; NaN when there is nothing to compare. */
    double ratio();

    /** Lower end of the interval, 0 when unbounded. */
    double low();

    /** Upper end, infinite when unbounded. */
    double high();

    /** Confidence level of the interval, 0 to 1. */
    double level();

    /** What stands behind it, for people: {@code 6 rounds}, {@code 6 and 8 trials}. */
    String basis();

    /**
     * Standard error of the log ratio at the spread seen.
     *
     * @param further so many more trials a side; 0 for those that were made
     * @return NaN when the spread is not known
     */
    double standardError(int further);

    /** Degrees of freedom of {@link #standardError}. */
    double degreesOfFreedom(int further);

    /**
     * What the interval says.
     *
     * @param margin inside of which a difference does not matter: from 1/(1+margin) to 1+margin
     * @param lowerIsBetter for metrics such as latency
     */
    default Verdict verdict(double margin, boolean lowerIsBetter) {
        if (Double.isNaN(ratio())) {
            return Verdict.INCONCLUSIVE;
        }
        if (low() >= 1 / (1 + margin) && high() <= 1 + margin) {
            return Verdict.NO_DIFFERENCE;
        }
        if (low() > 1) {
            return lowerIsBetter ? Verdict.WORSE : Verdict.BETTER;
        }
        if (high() < 1) {
            return lowerIsBetter ? Verdict.BETTER : Verdict.WORSE;
        }
        return Verdict.INCONCLUSIVE;
    }

    /**
     * How many more trials a side would probably decide; see above.
     *
     * @return 0 when decided, null when it cannot be told from so few or when more than {@value #FURTHER_TRIALS_MAX} would be needed
     */
    default @Nullable Integer furtherTrials(double margin) {
        if (verdict(margin, false) != Verdict.INCONCLUSIVE) {
            return 0;
        }
        double now = standardError(0);
        if (Double.isNaN(now) || Double.isNaN(ratio())) {
            return null;
        }
        double distance = Math.abs(Math.log(ratio()));
        double reach = quantile(RATIO_PLAUSIBLE, degreesOfFreedom(0)) * now;
        double near = Math.max(0, distance - reach);
        double far = distance + reach;
        double limit = Math.log1p(margin);
        double planned = Math.log1p(2 * margin);
        double effect = Math.min(Math.max(planned, near), far);
        boolean twiceTheMarginIsExcluded = far < planned;
        return least(further -> {
            boolean different = effect > plannedReach(further, DIFFERENT_QUANTILE);
            boolean same = near + plannedReach(further, SAME_QUANTILE) < limit;
            return same || (different && (distance >= limit || twiceTheMarginIsExcluded));
        });
    }

    /**
     * How many more trials a side would probably put the whole interval on one side of a limit, were the ratio the one seen.
     *
     * @param limit above 0
     * @return 0 when it is there, null when it cannot be told from so few or when more than {@value #FURTHER_TRIALS_MAX} would be needed
     */
    default @Nullable Integer furtherTrialsBeyond(double limit) {
        if (low() > limit || high() < limit) {
            return 0;
        }
        if (Double.isNaN(standardError(0)) || Double.isNaN(ratio())) {
            return null;
        }
        double distance = Math.abs(Math.log(ratio() / limit));
        return least(further -> distance > plannedReach(further, DIFFERENT_QUANTILE));
    }

    /** Half the interval's width on the logarithmic scale, at a standard error and its degrees of freedom. */
    static double halfWidth(double standardError, double degreesOfFreedom) {
        return quantile((1 + RatioInterval.LEVEL) / 2, degreesOfFreedom) * standardError;
    }

    /** How far the interval's end probably is from the true log ratio, at the largest spread that is still plausible. */
    private double plannedReach(int further, double powerQuantile) {
        double freedom = degreesOfFreedom(0);
        double least = new ChiSquaredDistribution(freedom).inverseCumulativeProbability(1 - SPREAD_PLAUSIBLE);
        double error = standardError(further) * Math.sqrt(freedom / least);
        return halfWidth(error, degreesOfFreedom(further)) + powerQuantile * error;
    }

    private static double quantile(double probability, double degreesOfFreedom) {
        return new TDistribution(degreesOfFreedom).inverseCumulativeProbability(probability);
    }

    /** The least number from 1 on that is enough, when more is enough too. */
    private static @Nullable Integer least(IntPredicate enough) {
        if (!enough.test(FURTHER_TRIALS_MAX)) {
            return null;
        }
        int low = 1;
        int high = FURTHER_TRIALS_MAX;
        while (low < high) {
            int middle = (low + high) / 2;
            if (enough.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
