package dev.assay.lab;

import java.util.Arrays;
import java.util.List;

/**
 * One figure of a variant over its trials: the median, with an interval that supposes nothing about how trials are distributed.
 *
 * <p>The interval lies between two order statistics: the median of n independent trials lies between the k-th smallest and the k-th largest
 * with probability 1 - 2 P(Binomial(n, 1/2) &lt; k) (David, Nagaraja, "Order Statistics", 7.1). The k is the largest that keeps
 * {@link RatioInterval#LEVEL}; below eight trials not even the smallest and the largest do, so these are given with the level that they
 * really have: 0.9375 at five.
 */
public final class TrialStatistics {

    private TrialStatistics() {}

    /**
     * The metric of these trials.
     *
     * @param values one per trial that counts, in any order, at least one, none NaN
     */
    public static Metric metric(String name, String unit, List<Double> values) {
        if (values.isEmpty() || values.stream().anyMatch(value -> value.isNaN())) {
            throw new IllegalArgumentException(name + " needs at least one trial and no NaN: " + values);
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int count = sorted.length;
        int rank = 1;
        while (rank < (count + 1) / 2 && level(count, rank + 1) >= RatioInterval.LEVEL) {
            rank++;
        }
        return new Metric(
                name, unit, median(sorted), sorted[rank - 1], sorted[count - rank], level(count, rank), count);
    }

    /** Probability that the median lies between the k-th smallest and the k-th largest of {@code count} trials. */
    static double level(int count, int rank) {
        double term = Math.pow(0.5, count);
        double below = 0;
        for (int successes = 0; successes < rank; successes++) {
            below += term;
            term = term * (count - successes) / (successes + 1);
        }
        return Math.max(0, 1 - 2 * below);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
