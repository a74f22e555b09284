package dev.assay.lab;

import static dev.assay.lab.TrialNoise.add;
import static dev.assay.lab.TrialNoise.logNormal;
import static dev.assay.lab.TrialNoise.random;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.lab.TrialNoise.Noise;
import dev.assay.lab.TrialNoise.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two simulated runs by the thousand, compared trial against trial: how often they differ where nothing changed, and what the method cannot see. */
class UnpairedSimulationTest {

    private static final int PAIRS_OF_RUNS = 1000;
    private static final double MARGIN = 0.05;

    /** Noise that is drawn anew for every trial. */
    static Stream<Arguments> shapesAndTrials() {
        List<int[]> trials = List.of(new int[] {5, 5}, new int[] {6, 6}, new int[] {10, 10}, new int[] {5, 12});
        return Stream.of(Shape.LOG_NORMAL_1, Shape.LOG_NORMAL_5, Shape.LOG_NORMAL_15, Shape.OUTLIERS, Shape.HEAVY_TAIL)
                .flatMap(shape -> trials.stream().map(counts -> Arguments.of(shape, counts[0], counts[1])));
    }

    @ParameterizedTest
    @MethodSource("shapesAndTrials")
    void twoRunsOfTheSameAreHardlyEverDifferent(Shape shape, int before, int after) {
        long seed = 200_000_000L + 1_000_000L * shape.ordinal() + 10_000L * before + 100_000L * after;
        int differences = 0;
        int covered = 0;
        for (int pair = 0; pair < PAIRS_OF_RUNS; pair++) {
            Random random = random(seed + pair);
            UnpairedInterval interval =
                    UnpairedInterval.of(run(shape.noise(), before, 1, random), run(shape.noise(), after, 1, random));
            differences += different(interval.verdict(MARGIN, false)) ? 1 : 0;
            covered += interval.low() <= 1 && 1 <= interval.high() ? 1 : 0;
        }
        report(
                "A/A of two runs, %s, %d and %d trials: %.1f %% different, %.1f %% covered (seed %d)",
                shape, before, after, differences / 10.0, covered / 10.0, seed);
        assertThat(differences).as("seed " + seed).isLessThanOrEqualTo(PAIRS_OF_RUNS * 2 / 100);
        assertThat(covered).as("seed " + seed).isGreaterThanOrEqualTo(PAIRS_OF_RUNS * 98 / 100);
    }

    /** Two machines, or two hours of one, need not be equally noisy. */
    @ParameterizedTest
    @CsvSource({"6, 6, 0.01, 0.1", "5, 20, 0.1, 0.02", "5, 20, 0.02, 0.1"})
    void unequalNoiseIsNoDifference(int before, int after, double noiseBefore, double noiseAfter) {
        long seed = 300_000_000L + 1_000L * before + 100_000L * after + Math.round(1e6 * noiseBefore);
        int differences = 0;
        for (int pair = 0; pair < PAIRS_OF_RUNS; pair++) {
            Random random = random(seed + pair);
            Verdict verdict = UnpairedInterval.of(
                            run(logNormal(noiseBefore), before, 1, random),
                            run(logNormal(noiseAfter), after, 1, random))
                    .verdict(MARGIN, false);
            differences += different(verdict) ? 1 : 0;
        }
        report(
                "A/A of two runs with noise of %.2f and %.2f, %d and %d trials: %.1f %% different (seed %d)",
                noiseBefore, noiseAfter, before, after, differences / 10.0, seed);
        assertThat(differences).as("seed " + seed).isLessThanOrEqualTo(PAIRS_OF_RUNS * 2 / 100);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "3, 3", "5, 5", "6, 10", "10, 10"})
    void theIntervalHoldsTheTruth(int before, int after) {
        long seed = 400_000_000L + 1_000L * before + 100_000L * after;
        int covered = 0;
        for (int pair = 0; pair < PAIRS_OF_RUNS; pair++) {
            Random random = random(seed + pair);
            UnpairedInterval interval = UnpairedInterval.of(
                    run(logNormal(0.05), before, 1, random), run(logNormal(0.05), after, 1.3, random));
            covered += interval.low() <= 1.3 && 1.3 <= interval.high() ? 1 : 0;
        }
        report("coverage of 1.3x, %d and %d trials: %.1f %% (seed %d)", before, after, covered / 10.0, seed);
        assertThat(covered).as("seed " + seed).isBetween(PAIRS_OF_RUNS * 98 / 100, PAIRS_OF_RUNS);
    }

    /**
     * The limits that {@link UnpairedInterval} tells, with what they cost: each run as a whole faster or slower by a draw of its own, and trials
     * that resemble their neighbours.
     */
    @ParameterizedTest
    @CsvSource({"0.005, 0, 0, 100", "0.02, 0, 200, 700", "0, 0.3, 0, 100", "0, 0.7, 20, 400"})
    void whatLiesBetweenTheRunsIsTakenForADifference(double shift, double correlation, int fewest, int most) {
        long seed = 500_000_000L + Math.round(1e6 * shift) + Math.round(1e4 * correlation);
        int differences = 0;
        for (int pair = 0; pair < PAIRS_OF_RUNS; pair++) {
            Random random = random(seed + pair);
            Noise within = correlation > 0 ? TrialNoise.autocorrelated(correlation) : logNormal(0.02);
            Noise noise = (trials, draws) -> {
                double offset = shift * draws.nextGaussian();
                return add(within.of(trials, draws), index -> offset);
            };
            Verdict verdict = UnpairedInterval.of(run(noise, 10, 1, random), run(noise, 10, 1, random))
                    .verdict(MARGIN, false);
            differences += different(verdict) ? 1 : 0;
        }
        report(
                "A/A of two runs, shifted by %.3f, correlation %.1f: %.1f %% different (seed %d)",
                shift, correlation, differences / 10.0, seed);
        assertThat(differences).as("seed " + seed).isBetween(fewest, most);
    }

    /**
     * One variant's values of a run as the laboratory makes it: two variants interleaved, so that a variant's own trials have others between
     * them.
     */
    static List<Double> run(Noise shape, int trials, double ratio, Random random) {
        List<TrialOrder.Slot> slots = TrialOrder.of(List.of("this", "other"), trials, random.nextLong());
        double[] noise = shape.of(slots.size(), random);
        List<Double> values = new ArrayList<>();
        for (TrialOrder.Slot slot : slots) {
            if (slot.variant().equals("this")) {
                values.add(1000 * ratio * Math.exp(noise[slot.order() - 1]));
            }
        }
        return values;
    }

    private static boolean different(Verdict verdict) {
        return verdict == Verdict.BETTER || verdict == Verdict.WORSE;
    }

    private static void report(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
