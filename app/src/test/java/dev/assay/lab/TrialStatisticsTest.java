package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialStatisticsTest {

    /** Levels by hand from binomial coefficients: for example 12 trials, second smallest: 1 - 2 (1 + 12) / 4096. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 0",
        "2, 1, 2, 0.5",
        "5, 1, 5, 0.9375",
        "6, 1, 6, 0.96875",
        "7, 1, 7, 0.984375",
        "8, 1, 8, 0.9921875",
        "10, 1, 10, 0.998046875",
        "11, 1, 11, 0.9990234375",
        "12, 2, 11, 0.99365234375",
        "20, 4, 17, 0.99742317199"
    })
    void theMediansIntervalTellsTheLevelItHas(int count, int low, int high, double level) {
        List<Double> values = new ArrayList<>();
        for (int value = count; value >= 1; value--) {
            values.add((double) value);
        }

        Metric metric = TrialStatistics.metric("transactions_per_second", "1/s", values);

        assertThat(metric.median()).isEqualTo((count + 1) / 2.0);
        assertThat(metric.low()).isEqualTo(low);
        assertThat(metric.high()).isEqualTo(high);
        assertThat(metric.level()).isCloseTo(level, within(1e-10));
        assertThat(metric.trials()).isEqualTo(count);
    }

    @Test
    void noTrialHasNoMetric() {
        assertThatThrownBy(() -> TrialStatistics.metric("x", "1", List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TrialStatistics.metric("x", "1", List.of(1.0, Double.NaN)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * Log ratios 0.1 0.2 0.3 0.2 0.2: mean 0.2, standard deviation sqrt(0.02 / 4) = 0.0707107. The quantile 4.604095 of Student's t at 4
     * degrees of freedom is from the printed tables; half width 4.604095 x 0.0707107 / sqrt(5) = 0.145594.
     */
    @Test
    void theIntervalIsStudentsOnTheLogs() {
        RatioInterval interval = RatioInterval.of(logs(0.1, 0.2, 0.3, 0.2, 0.2));

        assertThat(interval.ratio()).isCloseTo(1.221403, within(1e-6));
        assertThat(interval.low()).isCloseTo(1.055913, within(1e-5));
        assertThat(interval.high()).isCloseTo(1.412830, within(1e-5));
        assertThat(interval.level()).isEqualTo(0.99);
        assertThat(interval.rounds()).isEqualTo(5);
        assertThat(interval.spread()).isCloseTo(0.0707107, within(1e-7));
    }

    /** Two-sided 99 % quantiles of printed tables: 63.657 at 1 degree of freedom, 9.925 at 2, 4.032 at 5, 3.250 at 9. */
    @ParameterizedTest
    @CsvSource({"2, 63.657", "3, 9.925", "6, 4.032", "10, 3.250"})
    void fewRoundsGiveAWideInterval(int rounds, double quantile) {
        double[] values = new double[rounds];
        Arrays.setAll(values, index -> 0.01 * index);
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();

        RatioInterval interval = RatioInterval.of(logs(values));

        double half = Math.log(interval.high()) - mean;
        assertThat(half / Math.sqrt(squares / (rounds - 1.0) / rounds)).isCloseTo(quantile, within(0.001));
    }

    @Test
    void swappingTheSidesGivesTheReciprocal() {
        RatioInterval there = RatioInterval.of(logs(0.11, 0.24, 0.31, 0.2));
        RatioInterval back = RatioInterval.of(logs(-0.11, -0.24, -0.31, -0.2));

        assertThat(back.ratio()).isCloseTo(1 / there.ratio(), within(1e-12));
        assertThat(back.low()).isCloseTo(1 / there.high(), within(1e-12));
        assertThat(back.high()).isCloseTo(1 / there.low(), within(1e-12));
    }

    @Test
    void nothingAndOneRoundAndAStalledTrialDecideNothing() {
        RatioInterval nothing = RatioInterval.of(List.of());
        RatioInterval one = RatioInterval.of(logs(0.7));
        List<RatioInterval.Round> stalled = new ArrayList<>(logs(0.7, 0.7, 0.7, 0.7, 0.7));
        stalled.add(new RatioInterval.Round(100, 0));
        RatioInterval stall = RatioInterval.of(stalled);

        for (RatioInterval interval : List.of(nothing, one, stall)) {
            assertThat(interval.verdict(0.05, false)).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(interval.low()).isZero();
            assertThat(interval.high()).isInfinite();
            assertThat(interval.furtherTrials(0.05)).isNull();
        }
        assertThat(nothing.ratio()).isNaN();
        assertThat(stall.ratio()).isNaN();
        assertThat(one.ratio()).isCloseTo(2.01375, within(1e-5));
    }

    @ParameterizedTest
    @CsvSource({
        "0.97, 1.02, 0.05, NO_DIFFERENCE",
        "0.9524, 1.05, 0.05, NO_DIFFERENCE",
        "1.01, 1.04, 0.05, NO_DIFFERENCE",
        "1.01, 1.051, 0.05, BETTER",
        "1.2, 1.4, 0.05, BETTER",
        "0.9, 0.99, 0.05, WORSE",
        "0.951, 1.04, 0.05, INCONCLUSIVE",
        "0.99, 1.2, 0.05, INCONCLUSIVE",
        "1.0, 1.2, 0.05, INCONCLUSIVE",
        "0.99, 1.2, 0.3, NO_DIFFERENCE",
        "0, Infinity, 0.05, INCONCLUSIVE"
    })
    void theVerdictFollowsTheInterval(double low, double high, double margin, Verdict verdict) {
        RatioInterval interval = new RatioInterval(Math.sqrt(low * high), low, high, 0.99, 5, 0.1);
        if (Double.isNaN(interval.ratio())) {
            interval = new RatioInterval(1, low, high, 0.99, 5, 0.1);
        }

        assertThat(interval.verdict(margin, false)).isEqualTo(verdict);
        Verdict turned = switch (verdict) {
            case BETTER -> Verdict.WORSE;
            case WORSE -> Verdict.BETTER;
            default -> verdict;
        };
        assertThat(interval.verdict(margin, true)).isEqualTo(turned);
    }

    @Test
    void lowerIsBetterForWhateverIsACost() {
        assertThat(MetricNames.COMPARABLE.stream().filter(metric -> !MetricNames.lowerIsBetter(metric)))
                .containsExactly("transactions_per_second", "goodput");
        assertThat(MetricNames.lowerIsBetter(MetricNames.BUSY_CORES)).isFalse();
    }

    /**
     * Spread 0.1 around log ratio 0.1 at 5 rounds. The spread planned for is 0.1 sqrt(4 / 2.1947) = 0.135, with the 30 % quantile of chi square
     * at 4 degrees of freedom. A difference of 10 % is found when (t + 1.2816) 0.135 / sqrt(n) is below ln 1.1 = 0.0953: 0.0961 at n = 32,
     * 0.0945 at n = 33. So 33, 28 more.
     */
    @Test
    void furtherTrialsAreThoseThatWouldProbablyDecide() {
        assertThat(new RatioInterval(Math.exp(0.1), 0.9, 1.36, 0.99, 5, 0.1).furtherTrials(0.05))
                .isEqualTo(28);
        assertThat(new RatioInterval(1.3, 1.2, 1.4, 0.99, 5, 0.05).furtherTrials(0.05))
                .isZero();
        assertThat(new RatioInterval(1.0005, 0.5, 2, 0.99, 5, 2).furtherTrials(0.05))
                .isNull();
        // A ratio of exactly 1 asks for what shows no difference, and that is more than a difference of 10 % needs.
        assertThat(new RatioInterval(1, 0.94, 1.06, 0.99, 5, 0.03).furtherTrials(0.05))
                .isBetween(5, 25);
    }

    @Test
    void aRatioNearItsLimitAsksForMoreThanOneFarFromIt() {
        RatioInterval interval = new RatioInterval(1, 0.9, 1.11, 0.99, 6, 0.05);
        Integer near = interval.furtherTrialsBeyond(0.96);
        Integer far = interval.furtherTrialsBeyond(0.92);
        assertThat(far).isPositive().isLessThan(near);
        assertThat(interval.furtherTrialsBeyond(0.85)).isZero();
        assertThat(interval.furtherTrialsBeyond(1.2)).isZero();
        assertThat(interval.furtherTrialsBeyond(1)).isNull();
    }

    private static List<RatioInterval.Round> logs(double... logs) {
        return Arrays.stream(logs)
                .mapToObj(log -> new RatioInterval.Round(1000, 1000 * Math.exp(log)))
                .toList();
    }
}
