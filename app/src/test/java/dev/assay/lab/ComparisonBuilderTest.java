package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.lab.ComparisonBuilder.ServerCpu;
import dev.assay.lab.ComparisonBuilder.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonBuilderTest {

    private static final Experiment.Pair PAIR =
            new Experiment.Pair("Does it help?", "before", "after", "transactions_per_second", 0.05, true, null);
    private static final String LOCK_MANAGER = "LWLock:LockManager";

    @Test
    void aClearLockManagerEffectIsToldByItsParts() {
        Side before = side("before", new ServerCpu(740, 1.48), 10_000, 8_000, 2_000);
        Side after = side("after", new ServerCpu(600, 1.8), 500, 14_000, 2_167);

        Comparison comparison = build(1.5, before, after);

        assertThat(comparison.verdict()).isEqualTo(Verdict.BETTER);
        assertThat(comparison.reading())
                .containsExactly(
                        "after has 1.50 times the transactions per second of before (99 % interval 1.48 to 1.52, 6 rounds): better.",
                        "A transaction takes 16.7 ms instead of 20.0 ms, 3.3 ms less.",
                        "Waits for LWLock:LockManager went from 10.0 ms to 500 µs: more than the whole change.",
                        "CPU work (planning and executing) went from 740 µs to 600 µs: 4 % of the change.",
                        "Waiting for one of 2 cores went from 7.3 ms to 13.4 ms, against the change.",
                        "Time outside the server went from 2.0 ms to 2.2 ms, against the change.",
                        "The server's CPU work per transaction went from 740 µs to 600 µs, which alone makes 1.23 times the throughput;"
                                + " the cores it kept busy went from 1.48 to 1.80 of 2, which alone makes 1.22 times.",
                        "So 52 % of the difference is less CPU work per transaction and 48 % is cores that waits had left idle.");
    }

    @Test
    void nearlyAllCpuIsToldAsCpu() {
        Side before = side("before", new ServerCpu(740, 1.95), 400, 17_600, 1_000);
        Side after = side("after", new ServerCpu(390, 1.95), 0, 9_000, 1_000);

        Comparison comparison = build(1.9, before, after);

        assertThat(comparison.reading())
                .contains(
                        "Waits for LWLock:LockManager went from 400 µs to 0 µs: 4 % of the change.",
                        "CPU work (planning and executing) went from 740 µs to 390 µs: 4 % of the change.",
                        "Waiting for one of 2 cores went from 16.9 ms to 8.6 ms: 92 % of the change.",
                        "So 100 % of the difference is less CPU work per transaction and 0 % is the cores kept busy.")
                .noneMatch(sentence -> sentence.contains("idle"))
                .noneMatch(sentence -> sentence.contains("outside"));
        assertThat(comparison.throughputSplit()).isNotNull();
        assertThat(comparison.throughputSplit().shareOfCpuPerTransaction()).isCloseTo(1, within(1e-9));
    }

    @Test
    void aSlowerCandidateIsToldTheSameWay() {
        Side before = side("before", new ServerCpu(600, 1.8), 500, 14_000, 2_167);
        Side after = side("after", new ServerCpu(740, 1.48), 10_000, 8_000, 2_000);

        Comparison comparison = build(1 / 1.5, before, after);

        assertThat(comparison.verdict()).isEqualTo(Verdict.WORSE);
        assertThat(comparison.reading())
                .contains(
                        "A transaction takes 20.0 ms instead of 16.7 ms, 3.3 ms more.",
                        "Waits for LWLock:LockManager went from 500 µs to 10.0 ms: more than the whole change.",
                        "So 52 % of the difference is more CPU work per transaction and 48 % is the cores kept busy.")
                .first()
                .asString()
                .endsWith(": worse.");
    }

    @Test
    void whatPlanningAndExecutingTakeAloneIsTold() {
        Side before = alone(side("before", new ServerCpu(740, 1.95), 400, 17_600, 1_000), 300, 120);
        Side after = alone(side("after", new ServerCpu(390, 1.95), 0, 9_000, 1_000), 140, 90);

        assertThat(build(1.9, before, after).reading())
                .last()
                .isEqualTo(
                        "With nobody else at work one execution takes 300 µs to plan and 120 µs to execute in before,"
                                + " 140 µs and 90 µs in after.");
    }

    private static Side alone(Side side, double planning, double execution) {
        return new Side(
                side.variant(),
                side.waits(),
                side.cpu(),
                new ComparisonBuilder.Unloaded(planning, execution),
                side.answersSame(),
                side.checks());
    }

    @Test
    void waitsThatVanishWithoutAGainAreSaidToHaveMovedToTheRunQueue() {
        Side before = side("before", new ServerCpu(740, 1.94), 6_000, 12_000, 1_000);
        Side after = side("after", new ServerCpu(742, 1.97), 0, 18_000, 1_000);

        Comparison comparison = build(1.004, before, after);

        assertThat(comparison.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        assertThat(comparison.reading())
                .containsExactly(
                        "after and before do not differ in transactions per second by more than 5 %: the ratio is 1.00 (99 % interval 0.99 to 1.02, 6 rounds).",
                        "Yet waits for LWLock:LockManager went from 6.0 ms to 0 µs per transaction.",
                        "Sessions wait for one of 2 cores instead: 11.3 ms to 17.3 ms.",
                        "The server kept 1.94 and 1.97 of 2 cores busy: the CPU is the limit on this machine, with and without these waits.");
        assertThat(comparison.throughputSplit()).isNull();
    }

    @Test
    void theCpuIsNotCalledTheLimitWhenCoresWereIdleOrNotMeasured() {
        Side before = side("before", new ServerCpu(740, 1.2), 6_000, 12_000, 1_000);
        Side after = side("after", new ServerCpu(742, 1.2), 0, 18_000, 1_000);
        assertThat(build(1.004, before, after).reading()).noneMatch(sentence -> sentence.contains("limit"));

        before = side("before", null, 6_000, 12_000, 1_000);
        after = side("after", null, 0, 18_000, 1_000);
        assertThat(build(1.004, before, after).reading()).hasSize(3).noneMatch(sentence -> sentence.contains("limit"));
    }

    @Test
    void noDifferenceWithoutVanishedWaitsNeedsOneSentence() {
        Side before = side("before", new ServerCpu(740, 1.9), 0, 18_000, 1_000);
        Side after = side("after", new ServerCpu(742, 1.9), 0, 18_000, 1_000);
        assertThat(build(1.004, before, after).reading()).hasSize(1);
    }

    @Test
    void anUndecidedComparisonExplainsNothing() {
        Side before = side("before", new ServerCpu(740, 1.48), 10_000, 8_000, 2_000);
        Side after = side("after", new ServerCpu(600, 1.8), 500, 14_000, 2_167);
        List<Trial> trials = new ArrayList<>();
        double[] factors = {0.9, 1.3, 1.1, 1.0, 1.25, 0.95};
        for (int round = 1; round <= 6; round++) {
            trials.add(trial(round, "before", 1000));
            trials.add(trial(round, "after", 1000 * factors[round - 1]));
        }

        Comparison comparison = ComparisonBuilder.build(PAIR, trials, before, after, 2);

        assertThat(comparison.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(comparison.furtherTrials()).isPositive();
        assertThat(comparison.reading())
                .singleElement()
                .asString()
                .startsWith("The trials do not decide: the ratio of transactions per second is 1.07 (99 % interval 0.8")
                .endsWith(", 6 rounds). About " + comparison.furtherTrials()
                        + " further trials of each would probably decide.");
    }

    @Test
    void nothingToCompareIsSaid() {
        Side before = side("before", null, 1, 1, 1);
        Side after = side("after", null, 1, 1, 1);
        List<Trial> failed =
                List.of(trial(1, "before", 1000), new Trial(1, 2, "after", "the server stopped", Map.of()));
        assertThat(ComparisonBuilder.build(PAIR, failed, before, after, 2).reading())
                .containsExactly("No round has a successful trial of both variants, so there is nothing to compare.");

        List<Trial> stalled = List.of(trial(1, "before", 1000), trial(1, "after", 0));
        assertThat(ComparisonBuilder.build(PAIR, stalled, before, after, 2).reading())
                .containsExactly("At least one trial has no positive transactions per second, so there is no ratio.");

        List<Trial> one = List.of(trial(1, "before", 1000), trial(1, "after", 2000));
        assertThat(ComparisonBuilder.build(PAIR, one, before, after, 2).reading())
                .containsExactly("One round does not decide anything.");
    }

    @Test
    void missingCpuFiguresAndMissingSamplesAreSaid() {
        Side before = side("before", null, 10_000, 8_000, 2_000);
        Side after = side("after", new ServerCpu(600, 1.8), 500, 14_000, 2_167);
        Comparison comparison = build(1.5, before, after);
        assertThat(comparison.throughputSplit()).isNull();
        assertThat(comparison.reading())
                .contains("The server's CPU time was not measured, so less work per transaction cannot be told from"
                        + " cores that were idle.");

        Side blind = new Side("before", List.of(), new ServerCpu(Double.NaN, 0), null, true, List.of());
        assertThat(blind.cpu()).isNull();
        comparison = build(1.5, blind, after);
        assertThat(comparison.timeChanges()).isEmpty();
        assertThat(comparison.reading())
                .contains("No sessions were sampled, so the time of a transaction cannot be split.");
    }

    @Test
    void aWaitSeenAFewTimesOnlyIsNotTold() {
        Side before = new Side(
                "before",
                List.of(new WaitSlice("CPU", 0.5, 10_000, 500), new WaitSlice(LOCK_MANAGER, 0.5, 10_000, 19)),
                null,
                null,
                true,
                List.of());
        Side after = new Side("after", List.of(new WaitSlice("CPU", 1, 10_000, 500)), null, null, true, List.of());

        assertThat(build(2, before, after).reading()).noneMatch(sentence -> sentence.contains("LockManager"));
    }

    @Test
    void aCandidateThatFailsItsChecksOrItsAnswersIsWrongHoweverFast() {
        Side before = side("before", null, 1, 1, 1);
        Side other = new Side("after", before.waits(), null, null, false, List.of());
        Side failing = new Side(
                "after",
                before.waits(),
                null,
                null,
                true,
                List.of(
                        new VariantResult.Check("fine", true, "t"),
                        new VariantResult.Check("books balance", false, "f")));

        assertThat(build(3, before, other).verdict()).isEqualTo(Verdict.WRONG);
        assertThat(build(3, before, other).reading())
                .containsExactly("after does not count: it does not return the same rows as before.");
        assertThat(build(3, before, failing).verdict()).isEqualTo(Verdict.WRONG);
        assertThat(build(3, before, failing).reading())
                .containsExactly("after does not count: it fails the check 'books balance'.");

        Experiment.Pair anyAnswer =
                new Experiment.Pair("?", "before", "after", "transactions_per_second", 0.05, false, null);
        assertThat(ComparisonBuilder.build(anyAnswer, trials(3), before, other, 2)
                        .verdict())
                .isEqualTo(Verdict.BETTER);
        Side failingBaseline = new Side("before", before.waits(), null, null, true, failing.checks());
        Comparison cured = build(3, failingBaseline, side("after", null, 1, 1, 1));
        assertThat(cured.verdict()).isEqualTo(Verdict.BETTER);
        assertThat(cured.reading()).endsWith("The baseline before fails its check 'books balance'.");
    }

    @Test
    void timeChangesAddUpAndNamesOfVersionsAreOneEvent() {
        List<WaitSlice> before = List.of(
                new WaitSlice("CPU", 0.6, 600, 60),
                new WaitSlice("IO:WALSync", 0.2, 200, 20),
                new WaitSlice("LWLock:WALWrite", 0.1, 100, 10),
                new WaitSlice(WaitSlice.OUTSIDE, 0.1, 100, 0));
        List<WaitSlice> after = List.of(
                new WaitSlice("CPU", 0.5, 300, 60),
                new WaitSlice("IO:WalSync", 0.3, 250, 20),
                new WaitSlice("Lock:tuple", 0.1, 7, 10),
                new WaitSlice(WaitSlice.OUTSIDE, 0.1, 90, 0));

        List<Comparison.TimeChange> changes = ComparisonBuilder.timeChanges(before, after);

        assertThat(changes)
                .extracting(Comparison.TimeChange::waitEvent)
                .containsExactly("CPU", "LWLock:WALWrite", "IO:WALSync", WaitSlice.OUTSIDE, "Lock:tuple");
        assertThat(changes.stream()
                        .mapToDouble(Comparison.TimeChange::changeMicros)
                        .sum())
                .isCloseTo(647 - 1000, within(1e-9));
        assertThat(changes.stream()
                        .mapToDouble(Comparison.TimeChange::shareOfChange)
                        .sum())
                .isCloseTo(1, within(1e-9));
        assertThat(ComparisonBuilder.timeChanges(before, before))
                .allSatisfy(change -> assertThat(change.shareOfChange()).isNaN());
    }

    /** By hand: log(1.8/1.48) = 0.195745, log(740/600) = 0.209721, second / sum = 0.517234. */
    @Test
    void theThroughputSplitIsTheShareOfTheLogarithms() {
        Comparison.ThroughputSplit split =
                ComparisonBuilder.throughputSplit(new ServerCpu(740, 1.48), new ServerCpu(600, 1.8));
        assertThat(split).isNotNull();
        assertThat(split.shareOfCpuPerTransaction()).isCloseTo(0.517234, within(1e-6));
        assertThat(ComparisonBuilder.throughputSplit(new ServerCpu(740, 1.9), new ServerCpu(740, 1.91)))
                .isNull();
        assertThat(ComparisonBuilder.throughputSplit(null, new ServerCpu(740, 1.91)))
                .isNull();

        Side before = side("before", new ServerCpu(500, 1.9), 0, 18_000, 1_000);
        Side after = side("after", new ServerCpu(250, 1.2), 0, 13_900, 1_000);
        assertThat(build(1.26, before, after).reading())
                .last()
                .isEqualTo("So all of the difference is less CPU work per transaction, and the cores kept busy worked"
                        + " against it.");
    }

    @Test
    void latencyIsBetterWhenLowerAndGetsNoThroughputSentence() {
        Experiment.Pair latency = new Experiment.Pair("?", "before", "after", "latency_p95", 0.05, true, null);
        List<Trial> trials = new ArrayList<>();
        for (int round = 1; round <= 6; round++) {
            trials.add(new Trial(round, round, "before", null, Map.of("latency_p95", 20.0 + 0.1 * round)));
            trials.add(new Trial(round, round, "after", null, Map.of("latency_p95", 10.0)));
        }
        Side before = side("before", new ServerCpu(740, 1.48), 10_000, 8_000, 2_000);
        Side after = side("after", new ServerCpu(600, 1.8), 500, 6_000, 2_000);

        Comparison comparison = ComparisonBuilder.build(latency, trials, before, after, 1);

        assertThat(comparison.verdict()).isEqualTo(Verdict.BETTER);
        assertThat(comparison.reading().get(0))
                .startsWith("after has 0.49 times the 95th percentile of latency of before");
        assertThat(comparison.reading())
                .anyMatch(sentence -> sentence.contains("Waiting for the one core"))
                .noneMatch(sentence -> sentence.contains("throughput"));
    }

    private static Comparison build(double ratio, Side before, Side after) {
        return ComparisonBuilder.build(PAIR, trials(ratio), before, after, 2);
    }

    /** Six rounds whose ratios lie within half a percent of this one. */
    private static List<Trial> trials(double ratio) {
        List<Trial> trials = new ArrayList<>();
        double[] noise = {0.99, 1.0, 1.01, 0.99, 1.0, 1.01};
        for (int round = 1; round <= 6; round++) {
            trials.add(trial(round, "before", 1000));
            trials.add(trial(round, "after", 1000 * ratio * noise[round - 1]));
            trials.add(trial(round, "another", 5));
        }
        return trials;
    }

    private static Trial trial(int round, String variant, double throughput) {
        return new Trial(round, round, variant, null, Map.of("transactions_per_second", throughput));
    }

    /** {@code run} is time on a core and waiting for one; of it {@code cpu} tells how much was on a core. */
    private static Side side(
            String name, @org.jspecify.annotations.Nullable ServerCpu cpu, double lock, double run, double outside) {
        double whole = lock + run + outside;
        double work = cpu == null ? run / 10 : cpu.microsPerTransaction();
        return new Side(
                name,
                List.of(
                        new WaitSlice("CPU", work / whole, work, 0),
                        new WaitSlice(WaitSlice.QUEUE, (run - work) / whole, run - work, 0),
                        new WaitSlice(LOCK_MANAGER, lock / whole, lock, lock > 0 ? 100 : 0),
                        new WaitSlice(WaitSlice.OUTSIDE, outside / whole, outside, 0)),
                cpu,
                null,
                true,
                List.of());
    }
}
