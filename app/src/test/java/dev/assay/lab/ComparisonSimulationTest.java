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

/** Simulated experiments by the thousand: how often the verdict is false, how often a real difference is found. */
class ComparisonSimulationTest {

    private static final int EXPERIMENTS = 1000;

    /** Ten times as many where the bound is near the true rate: of 1,000 at a rate of 1 % more than 20 come up now and then. */
    private static final int SAME_TWICE = 10_000;

    private static final double MARGIN = 0.05;

    static Stream<Arguments> shapesAndTrials() {
        return Stream.of(Shape.values())
                .flatMap(shape -> Stream.of(5, 6, 10).map(trials -> Arguments.of(shape, trials)));
    }

    @ParameterizedTest
    @MethodSource("shapesAndTrials")
    void theSameTwiceIsHardlyEverDifferent(Shape shape, int trials) {
        long seed = 1_000_000L * (1 + shape.ordinal()) + 10_000L * trials;
        int differences = 0;
        int noDifference = 0;
        int covered = 0;
        for (int experiment = 0; experiment < SAME_TWICE; experiment++) {
            RatioInterval interval = simulate(shape, trials, 1, seed + experiment);
            Verdict verdict = interval.verdict(MARGIN, false);
            differences += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
            noDifference += verdict == Verdict.NO_DIFFERENCE ? 1 : 0;
            covered += interval.low() <= 1 && 1 <= interval.high() ? 1 : 0;
        }
        report(
                "A/A %s %d trials: %.1f %% different, %.1f %% no_difference, %.1f %% covered (seed %d)",
                shape, trials, differences / 100.0, noDifference / 100.0, covered / 100.0, seed);
        assertThat(differences).as("seed " + seed).isLessThanOrEqualTo(SAME_TWICE * 2 / 100);
        assertThat(covered).as("seed " + seed).isGreaterThanOrEqualTo(SAME_TWICE * 98 / 100);
    }

    /**
     * A disturbance of 10 % that comes and goes. Slow or fast ones are no worse than noise; one that comes every four trials is in step with
     * ABBA and is the known limit of the method, told in {@link RatioInterval}.
     */
    @ParameterizedTest
    @CsvSource({"6, 8, 60, 40", "6, 3.9, 4.1, 250"})
    void somethingPeriodicIsHarmlessUnlessItIsInStepWithTheRounds(
            int trials, double periodMin, double periodMax, int differencesMax) {
        long seed = 30_000L + trials;
        int differences = 0;
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            Random random = random(seed + experiment);
            double phase = 2 * Math.PI * random.nextDouble();
            double period = periodMin + (periodMax - periodMin) * random.nextDouble();
            Noise noise = (count, draws) -> add(
                    logNormal(0.02).of(count, draws), index -> 0.1 * Math.sin(phase + 2 * Math.PI * index / period));
            Verdict verdict = RatioInterval.of(rounds(noise, trials, 1, random)).verdict(MARGIN, false);
            differences += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
        }
        report(
                "A/A with a period of %.1f to %.1f trials: %.1f %% different (seed %d)",
                periodMin, periodMax, differences / 10.0, seed);
        assertThat(differences).as("seed " + seed).isLessThanOrEqualTo(differencesMax);
    }

    @ParameterizedTest
    @CsvSource({"2", "3", "4", "5", "6", "10"})
    void theIntervalHoldsTheTruthWhateverTheRatioAndTheNumberOfTrials(int trials) {
        long seed = 40_000L + trials;
        int covered = 0;
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            RatioInterval interval = simulate(Shape.LOG_NORMAL_5, trials, 1.3, seed + experiment);
            covered += interval.low() <= 1.3 && 1.3 <= interval.high() ? 1 : 0;
        }
        report("coverage of 1.3x at %d trials: %.1f %% (seed %d)", trials, covered / 10.0, seed);
        assertThat(covered).as("seed " + seed).isBetween(EXPERIMENTS * 98 / 100, EXPERIMENTS);
    }

    @ParameterizedTest
    @CsvSource({"5", "6", "10"})
    void aRealDifferenceIsFound(int trials) {
        long seed = 60_000L + trials;
        int better = 0;
        int worse = 0;
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            Verdict there =
                    simulate(Shape.LOG_NORMAL_5, trials, 1.3, seed + experiment).verdict(MARGIN, false);
            Verdict back = simulate(Shape.LOG_NORMAL_5, trials, 1 / 1.3, seed + 500_000 + experiment)
                    .verdict(MARGIN, false);
            better += there == Verdict.BETTER ? 1 : 0;
            worse += back == Verdict.WORSE ? 1 : 0;
        }
        report(
                "1.3x with 5 %% noise at %d trials: found in %.1f %%, its inverse in %.1f %% (seed %d)",
                trials, better / 10.0, worse / 10.0, seed);
        assertThat(better).as("seed " + seed).isGreaterThan(EXPERIMENTS * 95 / 100);
        assertThat(worse).as("seed " + seed).isGreaterThan(EXPERIMENTS * 95 / 100);
    }

    @ParameterizedTest
    @CsvSource({"5, 0.01", "6, 0.01", "10, 0.02"})
    void quietRunsOfTheSameEndInNoDifference(int trials, double noise) {
        long seed = 80_000L + trials;
        int noDifference = 0;
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            Random random = random(seed + experiment);
            Verdict verdict = RatioInterval.of(rounds(logNormal(noise), trials, 1, random))
                    .verdict(MARGIN, false);
            noDifference += verdict == Verdict.NO_DIFFERENCE ? 1 : 0;
        }
        report(
                "the same at %.0f %% noise, %d trials: no_difference in %.1f %% (seed %d)",
                100 * noise, trials, noDifference / 10.0, seed);
        assertThat(noDifference).as("seed " + seed).isGreaterThan(EXPERIMENTS * 90 / 100);
    }

    private static RatioInterval simulate(Shape shape, int trials, double ratio, long seed) {
        return RatioInterval.of(rounds(shape.noise(), trials, ratio, random(seed)));
    }

    /** As the laboratory does it: the order of {@link TrialOrder}, one value a trial, paired by round. */
    static List<RatioInterval.Round> rounds(Noise shape, int trials, double ratio, Random random) {
        List<TrialOrder.Slot> slots = TrialOrder.of(List.of("baseline", "candidate"), trials, random.nextLong());
        double[] noise = shape.of(slots.size(), random);
        double[][] values = new double[trials][2];
        for (TrialOrder.Slot slot : slots) {
            boolean candidate = slot.variant().equals("candidate");
            double truth = candidate ? 1000 * ratio : 1000;
            values[slot.round() - 1][candidate ? 1 : 0] = truth * Math.exp(noise[slot.order() - 1]);
        }
        List<RatioInterval.Round> rounds = new ArrayList<>();
        for (double[] pair : values) {
            rounds.add(new RatioInterval.Round(pair[0], pair[1]));
        }
        return rounds;
    }

    private static void report(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
