package dev.assay.lab;

import static dev.assay.lab.TrialNoise.logNormal;
import static dev.assay.lab.TrialNoise.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Simulated experiments that ended inconclusive, run again with the number of trials that they asked for. */
class FurtherTrialsSimulationTest {

    private static final int EXPERIMENTS = 1000;
    private static final double MARGIN = 0.05;
    private static final double TRUE_EFFECT = 1.1;

    /** How a thousand of them ended. */
    private static final class Tally {
        private int undecided;
        private int tooMany;
        private int foundAnew;
        private int foundInAll;
        private final List<Integer> asked = new ArrayList<>();

        private void check(String what, long seed) {
            double anew = foundAnew / (double) asked.size();
            double all = foundInAll / (double) asked.size();
            asked.sort(Integer::compare);
            System.out.println(String.format(
                    Locale.ROOT,
                    "%s: %d of %d undecided, %d would need too many; the others asked for %d further trials (median): found in"
                            + " %.1f %% of new runs of that length, in %.1f %% with the first trials counted (seed %d)",
                    what,
                    undecided,
                    EXPERIMENTS,
                    tooMany,
                    asked.get(asked.size() / 2),
                    100 * anew,
                    100 * all,
                    seed));
            assertThat(asked.size()).as("seed " + seed).isGreaterThan(100);
            assertThat(anew).as("seed " + seed).isGreaterThanOrEqualTo(0.9);
            assertThat(all).as("seed " + seed).isGreaterThanOrEqualTo(0.9);
        }
    }

    @ParameterizedTest
    @CsvSource({"5, 0.03", "5, 0.06", "6, 0.04", "6, 0.08", "10, 0.06", "10, 0.1", "20, 0.1"})
    void aTrueEffectOfTenPercentIsFoundInRounds(int trials, double noise) {
        long seed = 600_000_000L + 100_000L * trials + Math.round(1e6 * noise);
        Tally tally = new Tally();
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            Random random = random(seed + experiment);
            List<RatioInterval.Round> first =
                    ComparisonSimulationTest.rounds(logNormal(noise), trials, TRUE_EFFECT, random);
            RatioInterval interval = RatioInterval.of(first);
            if (interval.verdict(MARGIN, false) != Verdict.INCONCLUSIVE) {
                continue;
            }
            tally.undecided++;
            Integer further = interval.furtherTrials(MARGIN);
            if (further == null) {
                tally.tooMany++;
                continue;
            }
            tally.asked.add(further);
            List<RatioInterval.Round> anew =
                    ComparisonSimulationTest.rounds(logNormal(noise), trials + further, TRUE_EFFECT, random);
            tally.foundAnew += found(RatioInterval.of(anew));
            List<RatioInterval.Round> all = new ArrayList<>(first);
            all.addAll(anew.subList(0, further));
            tally.foundInAll += found(RatioInterval.of(all));
        }
        tally.check(String.format(Locale.ROOT, "1.1x, noise %.2f, %d rounds", noise, trials), seed);
    }

    @ParameterizedTest
    @CsvSource({"5, 5, 0.03, 0.03", "6, 6, 0.05, 0.05", "6, 6, 0.02, 0.1", "10, 10, 0.08, 0.08", "5, 12, 0.06, 0.03"})
    void aTrueEffectOfTenPercentIsFoundBetweenRuns(int before, int after, double noiseBefore, double noiseAfter) {
        long seed = 700_000_000L + 100_000L * before + 1_000L * after + Math.round(1e7 * noiseAfter);
        Tally tally = new Tally();
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            Random random = random(seed + experiment);
            List<Double> left = UnpairedSimulationTest.run(logNormal(noiseBefore), before, 1, random);
            List<Double> right = UnpairedSimulationTest.run(logNormal(noiseAfter), after, TRUE_EFFECT, random);
            UnpairedInterval interval = UnpairedInterval.of(left, right);
            if (interval.verdict(MARGIN, false) != Verdict.INCONCLUSIVE) {
                continue;
            }
            tally.undecided++;
            Integer further = interval.furtherTrials(MARGIN);
            if (further == null) {
                tally.tooMany++;
                continue;
            }
            tally.asked.add(further);
            List<Double> leftAnew = UnpairedSimulationTest.run(logNormal(noiseBefore), before + further, 1, random);
            List<Double> rightAnew =
                    UnpairedSimulationTest.run(logNormal(noiseAfter), after + further, TRUE_EFFECT, random);
            tally.foundAnew += found(UnpairedInterval.of(leftAnew, rightAnew));
            tally.foundInAll += found(UnpairedInterval.of(
                    both(left, leftAnew.subList(0, further)), both(right, rightAnew.subList(0, further))));
        }
        tally.check(
                String.format(
                        Locale.ROOT,
                        "1.1x, noise %.2f and %.2f, %d and %d trials",
                        noiseBefore,
                        noiseAfter,
                        before,
                        after),
                seed);
    }

    /**
     * Where nothing differs, the number asked for mostly shows that: not as surely as it finds a difference, for trials that show 1.06 by chance
     * ask for what would find a difference.
     */
    @ParameterizedTest
    @CsvSource({"6, 0.04", "10, 0.04", "10, 0.06"})
    void theSameEndsInNoDifference(int trials, double noise) {
        long seed = 800_000_000L + 100_000L * trials + Math.round(1e6 * noise);
        int asked = 0;
        int same = 0;
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            Random random = random(seed + experiment);
            Integer further = RatioInterval.of(ComparisonSimulationTest.rounds(logNormal(noise), trials, 1, random))
                    .furtherTrials(MARGIN);
            if (further != null && further > 0) {
                asked++;
                same += RatioInterval.of(ComparisonSimulationTest.rounds(logNormal(noise), trials + further, 1, random))
                                        .verdict(MARGIN, false)
                                == Verdict.NO_DIFFERENCE
                        ? 1
                        : 0;
            }
        }
        System.out.println(String.format(
                Locale.ROOT,
                "1.0x, noise %.2f, %d rounds: %d asked for more, %.1f %% of them end in no_difference (seed %d)",
                noise,
                trials,
                asked,
                100.0 * same / asked,
                seed));
        assertThat(asked).as("seed " + seed).isGreaterThan(100);
        assertThat(same / (double) asked).as("seed " + seed).isGreaterThan(0.6);
    }

    private static int found(RatioEstimate estimate) {
        return estimate.verdict(MARGIN, false) == Verdict.BETTER ? 1 : 0;
    }

    private static List<Double> both(List<Double> first, List<Double> further) {
        List<Double> all = new ArrayList<>(first);
        all.addAll(further);
        return all;
    }
}
