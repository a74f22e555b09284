package dev.assay.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.Verdict;
import dev.assay.lab.compare.Expectation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunsComparisonTest {

    private static final StoredRun BEFORE =
            Runs.run("before", 1, Runs.variant("with", "16.13"), Runs.trials("with", 1000, 20));

    private static StoredRun after(double perSecond, double millis, VariantResult.Check... checks) {
        return Runs.run("after", 2, Runs.variant("with", "16.14", checks), Runs.trials("with", perSecond, millis));
    }

    @Test
    void everyMetricOfACommonVariantIsCompared() {
        RunsComparison runs = RunsComparison.of(BEFORE, after(800, 16), 0.05);

        assertThat(runs.rows())
                .extracting(RunComparison::metric, RunComparison::unit, RunComparison::verdict)
                .containsExactly(
                        tuple("transactions_per_second", "1/s", Verdict.WORSE),
                        tuple("latency_p99", "ms", Verdict.BETTER));
        assertThat(runs.rows()).allSatisfy(row -> {
            assertThat(row.interval().ratio()).isCloseTo(0.8, within(1e-9));
            assertThat(row.before().trials()).isEqualTo(6);
            assertThat(row.furtherTrials()).isZero();
        });
        assertThat(runs.rows().get(0).after().median()).isCloseTo(800, within(1e-9));
    }

    @Test
    void theSameIsNoDifference() {
        assertThat(RunsComparison.of(BEFORE, after(1000, 20), 0.05).rows())
                .extracting(RunComparison::verdict)
                .containsOnly(Verdict.NO_DIFFERENCE);
    }

    @Test
    void aVariantThatFailsACheckIsWrongHoweverFast() {
        RunsComparison runs =
                RunsComparison.of(BEFORE, after(2000, 10, new VariantResult.Check("books", false, "answered f")), 0.05);

        assertThat(runs.rows()).extracting(RunComparison::verdict).containsOnly(Verdict.WRONG);
        List<ExpectationResult> results = ExpectationResult.of(List.of(Expectation.parse("tps>=1.5")), runs);
        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.CONTRADICTED);
            assertThat(result.wrong()).isEqualTo("with fails the check 'books': answered f");
        });
    }

    @Test
    void aFailedTrialDoesNotCountAndAStalledOneSpoilsItsRatio() {
        List<Trial> trials = new ArrayList<>(Runs.trials("with", 1000, 20));
        trials.add(new Trial(7, 7, "with", "the server died", Map.of()));
        StoredRun failed = Runs.run("after", 2, Runs.variant("with", "16.13"), trials);
        assertThat(RunsComparison.of(BEFORE, failed, 0.05)
                        .rows()
                        .get(0)
                        .interval()
                        .candidateTrials())
                .isEqualTo(6);
        trials.add(new Trial(8, 8, "with", null, Map.of("transactions_per_second", 0.0)));
        StoredRun stalled = Runs.run("after", 2, Runs.variant("with", "16.13"), trials);
        RunComparison row = RunsComparison.of(BEFORE, stalled, 0.05).rows().get(0);
        assertThat(row.interval().ratio()).isNaN();
        assertThat(row.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(row.furtherTrials()).isNull();
    }

    @Test
    void whatElseDiffersIsTold() {
        assertThat(RunsComparison.of(BEFORE, after(1000, 20), 0.05).differences())
                .containsExactly(
                        new RunsComparison.Difference("seed", "1", "2"),
                        new RunsComparison.Difference("server of with", "16.13", "16.14"));
        assertThat(RunsComparison.of(BEFORE, BEFORE, 0.05).differences()).isEmpty();
        assertThat(RunsComparison.of(BEFORE, BEFORE, 0.05).sameRun()).isTrue();
        assertThat(RunsComparison.of(BEFORE, after(1000, 20), 0.05).sameRun()).isFalse();
    }

    @Test
    void variantsOfOneRunOnlyAreToldAndNotCompared() {
        List<StoredRun.Variant> two = List.of(Runs.variant("with", "16.13"), Runs.variant("without", "16.13"));
        StoredRun more = Runs.run("after", "orders", 2, two, Runs.trials("with", 1000, 20));
        RunsComparison runs = RunsComparison.of(BEFORE, more, 0.05);

        assertThat(runs.onlyAfter()).containsExactly("without");
        assertThat(runs.onlyBefore()).isEmpty();
        assertThat(runs.rows()).extracting(RunComparison::variant).containsOnly("with");
        assertThat(RunsComparison.of(more, BEFORE, 0.05).onlyBefore()).containsExactly("without");
    }

    @Test
    void runsOfDifferentExperimentsAreRefused() {
        StoredRun other =
                Runs.run("other", "stock", 2, List.of(Runs.variant("with", "16.13")), Runs.trials("with", 1000, 20));
        assertThatExceptionOfType(CompareException.class)
                .isThrownBy(() -> RunsComparison.of(BEFORE, other, 0.05))
                .withMessage("before holds a run of orders, other one of stock")
                .satisfies(e -> assertThat(e.hint()).contains("run orders again"));
        StoredRun renamed = Runs.run("after", 2, Runs.variant("having", "16.13"), Runs.trials("having", 1000, 20));
        assertThatExceptionOfType(CompareException.class)
                .isThrownBy(() -> RunsComparison.of(BEFORE, renamed, 0.05))
                .withMessageContaining("no variant in common: with before, having after");
    }

    @Test
    void expectationsEndAsTheIntervalsSay() {
        RunsComparison runs = RunsComparison.of(BEFORE, after(1000, 20), 0.05);
        List<ExpectationResult> results = ExpectationResult.of(
                List.of(
                        Expectation.parse("tps>=0.9"),
                        Expectation.parse("with.latency_p99<=0.9"),
                        Expectation.parse("tps>=0.98"),
                        Expectation.parse("latency_p50<=1")),
                runs);

        assertThat(results)
                .extracting(ExpectationResult::outcome)
                .containsExactly(Outcome.HELD, Outcome.CONTRADICTED, Outcome.UNDECIDED, Outcome.UNDECIDED);
        assertThat(results.get(2).furtherTrials()).isBetween(1, 60);
        assertThat(results.get(3).estimate().ratio()).as("nobody measured it").isNaN();
    }

    @Test
    void anExpectationOfNothingIsRefused() {
        assertThatExceptionOfType(ExpectationException.class)
                .isThrownBy(() -> ExpectationResult.check(List.of(Expectation.parse("wiht.tps>=1")), List.of("with")))
                .withMessage("--expect 'wiht.tps>=1': no variant 'wiht' is compared")
                .satisfies(e -> assertThat(e.hint()).isEqualTo("Variants: with."));
        assertThatExceptionOfType(ExpectationException.class)
                .isThrownBy(() -> ExpectationResult.check(List.of(Expectation.parse("tps>=1")), List.of()))
                .withMessageContaining("compares nothing");
        ExpectationResult.check(List.of(Expectation.parse("with.tps>=1")), List.of("with"));
    }
}
