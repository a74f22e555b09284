package dev.assay.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ratio candidate / baseline with its confidence interval, from rounds that have one trial of each.
 *
 * <h2>Why so</h2>
 *
 * <p><b>The trial is the unit.</b> Transactions within a trial share one cache, one checkpoint, one neighbour on the machine; counting each
 * of 100,000 as an observation gives intervals that are far too narrow (Georges, Buytaert, Eeckhout, "Statistically rigorous Java
 * performance evaluation", OOPSLA 2007; Kalibera, Jones, "Rigorous benchmarking in reasonable time", ISMM 2013).
 *
 * <p><b>Ratios by round.</b> The two trials of a round lie next to each other in time, so slow drift hits both and leaves the ratio. The
 * price is degrees of freedom: n rounds give n - 1 instead of the 2n - 2 of two independent groups. On machines that drift, and test
 * machines do, that is a good trade.
 *
 * <p><b>Logarithms.</b> 2 times and 0.5 times are the same distance from 1, and noise on throughput is rather a factor than a sum. The
 * mean of logs is the geometric mean of the ratios, and swapping baseline and candidate gives exactly the reciprocal.
 *
 * <p><b>Student's t, not a permutation.</b> Swapping the labels within rounds gives 2^n outcomes, so the smallest two-sided p is 2^(1-n):
 * 0.06 at 5 rounds; at the level 0.99 such an interval is unbounded before 8. The bootstrap is known to be too narrow at such n (Hesterberg,
 * "What teachers should know about the bootstrap", 2015). The t interval is exact for log-normal noise at any n >= 2, and wide where
 * little is known: its factor is 63.7 at 2 rounds, 9.92 at 3, 4.60 at 5, 4.03 at 6. Outliers make it wider, not wrong (Benjamini, "Is the t
 * test really conservative when the parent distribution is long-tailed?", JASA 78, 1983): they enlarge the spread more than they move
 * the mean. In an A/A run the log ratio is symmetric by construction (the order is drawn), which is the case where t does best; the
 * simulations in the tests check this for drift, steps, outliers and autocorrelation. What it cannot see: something periodic in step with
 * the rounds (a disturbance every four trials of two variants makes about one A/A run of seven look different), and a bias that follows
 * the variant, for example a system that lies on a slower part of the disk in all rounds.
 *
 * <p><b>Fixed number of trials.</b> The level holds for a number of trials that was chosen before. Adding trials until the verdict pleases
 * does not keep it.
 *
 * @param ratio geometric mean over rounds; NaN when there is nothing to compare
 * @param low lower end, 0 when unbounded
 * @param high upper end, infinite when unbounded
 * @param level {@value #LEVEL}
 * @param rounds that stand behind it
 * @param spread standard deviation of the log ratios; NaN below two rounds
 */
public record RatioInterval(double ratio, double low, double high, double level, int rounds, double spread)
        implements RatioEstimate {

    public static final double LEVEL = 0.99;

    /** One round's two trials. */
    public record Round(double baseline, double candidate) {

        private boolean comparable() {
            return baseline > 0 && candidate > 0 && Double.isFinite(baseline) && Double.isFinite(candidate);
        }
    }

    /** The rounds in which both variants have a trial that counts and that has the metric. */
    public static List<Round> rounds(String baseline, String candidate, String metric, List<Trial> trials) {
        Map<Integer, Double> left = byRound(baseline, metric, trials);
        Map<Integer, Double> right = byRound(candidate, metric, trials);
        List<Round> rounds = new ArrayList<>();
        left.forEach((round, value) -> {
            Double other = right.get(round);
            if (other != null) {
                rounds.add(new Round(value, other));
            }
        });
        return rounds;
    }

    private static Map<Integer, Double> byRound(String variant, String metric, List<Trial> trials) {
        Map<Integer, Double> values = new LinkedHashMap<>();
        for (Trial trial : trials) {
            Double value = trial.values().get(metric);
            if (trial.ok() && trial.variant().equals(variant) && value != null) {
                values.put(trial.round(), value);
            }
        }
        return values;
    }

    /**
     * The interval.
     *
     * <p>A value that is not a positive number (a trial that finished no transaction) has no ratio; leaving its round out would flatter the
     * variant that stalled, so then nothing is known at all.
     */
    public static RatioInterval of(List<Round> rounds) {
        int count = rounds.size();
        if (count == 0 || !rounds.stream().allMatch(Round::comparable)) {
            return new RatioInterval(Double.NaN, 0, Double.POSITIVE_INFINITY, LEVEL, count, Double.NaN);
        }
        double[] logs = rounds.stream()
                .mapToDouble(round -> Math.log(round.candidate()) - Math.log(round.baseline()))
                .toArray();
        double mean = mean(logs);
        if (count == 1) {
            return new RatioInterval(Math.exp(mean), 0, Double.POSITIVE_INFINITY, LEVEL, 1, Double.NaN);
        }
        double spread = standardDeviation(logs, mean);
        double half = RatioEstimate.halfWidth(spread / Math.sqrt(count), count - 1.0);
        return new RatioInterval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), LEVEL, count, spread);
    }

    @Override
    public String basis() {
        return rounds + (rounds == 1 ? " round" : " rounds");
    }

    @Override
    public double standardError(int further) {
        return spread / Math.sqrt(rounds + further);
    }

    @Override
    public double degreesOfFreedom(int further) {
        return rounds + further - 1.0;
    }

    static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    static double standardDeviation(double[] values, double mean) {
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / (values.length - 1));
    }
}
