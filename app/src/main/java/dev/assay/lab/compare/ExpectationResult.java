package dev.assay.lab.compare;

import dev.assay.lab.Comparison;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.RatioEstimate;
import dev.assay.lab.RatioInterval;
import dev.assay.lab.UnpairedInterval;
import dev.assay.lab.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What became of an expectation on one pair.
 *
 * @param baseline a variant, or of two runs {@code before}
 * @param candidate a variant; of two runs the one that both have
 * @param estimate the ratio with its interval
 * @param furtherTrials how many more trials a side would probably decide, were the ratio the one seen; 0 when decided, null when it cannot be told
 * @param wrong why the candidate's speed does not count, which contradicts whatever is expected of it; null when it does
 */
public record ExpectationResult(
        Expectation expectation,
        String baseline,
        String candidate,
        RatioEstimate estimate,
        Expectation.Outcome outcome,
        @Nullable Integer furtherTrials,
        @Nullable String wrong) {

    /** What a baseline is called where runs are compared. */
    public static final String BEFORE = "before";

    /**
     * Every expectation on every pair that the experiment compares and that it concerns, on the expectation's metric whatever the pair's own
     * is. A candidate that came out {@link Verdict#WRONG} contradicts it.
     */
    public static List<ExpectationResult> of(List<Expectation> expectations, ExperimentResult result) {
        Map<List<String>, Comparison> pairs = new LinkedHashMap<>();
        for (Comparison comparison : result.comparisons()) {
            pairs.merge(
                    List.of(comparison.baseline(), comparison.candidate()),
                    comparison,
                    (first, other) -> other.verdict() == Verdict.WRONG ? other : first);
        }
        List<ExpectationResult> results = new ArrayList<>();
        for (Expectation expectation : expectations) {
            for (Comparison pair : pairs.values()) {
                if (expectation.concerns(pair.candidate())) {
                    RatioInterval interval = RatioInterval.of(RatioInterval.rounds(
                            pair.baseline(), pair.candidate(), expectation.metric(), result.trials()));
                    results.add(judged(
                            expectation,
                            pair.baseline(),
                            pair.candidate(),
                            interval,
                            pair.verdict() == Verdict.WRONG ? String.join(" ", pair.reading()) : null));
                }
            }
        }
        return results;
    }

    /** Every expectation on every variant that both runs have and that it concerns. */
    public static List<ExpectationResult> of(List<Expectation> expectations, RunsComparison runs) {
        List<ExpectationResult> results = new ArrayList<>();
        for (Expectation expectation : expectations) {
            for (StoredRun.Variant variant : runs.after().variants()) {
                String name = variant.name();
                if (!runs.onlyAfter().contains(name) && expectation.concerns(name)) {
                    UnpairedInterval interval = UnpairedInterval.of(
                            runs.before().values(name, expectation.metric()),
                            runs.after().values(name, expectation.metric()));
                    results.add(judged(
                            expectation, BEFORE, name, interval, variant.wrong().orElse(null)));
                }
            }
        }
        return results;
    }

    private static ExpectationResult judged(
            Expectation expectation,
            String baseline,
            String candidate,
            RatioEstimate estimate,
            @Nullable String wrong) {
        Expectation.Outcome outcome = wrong != null ? Expectation.Outcome.CONTRADICTED : expectation.judge(estimate);
        return new ExpectationResult(
                expectation,
                baseline,
                candidate,
                estimate,
                outcome,
                outcome == Expectation.Outcome.UNDECIDED
                        ? estimate.furtherTrialsBeyond(expectation.ratio())
                        : Integer.valueOf(0),
                wrong);
    }

    /**
     * Checks that every expectation speaks of something that is compared, before minutes are spent on measuring.
     *
     * @param candidates names of the variants that can be meant
     * @throws ExpectationException when one does not
     */
    public static void check(List<Expectation> expectations, Collection<String> candidates) {
        for (Expectation expectation : expectations) {
            if (candidates.isEmpty()) {
                throw new ExpectationException(
                        "--expect '" + expectation.text() + "': the experiment compares nothing",
                        "Add a pair to 'comparisons' in its file.");
            }
            if (candidates.stream().noneMatch(expectation::concerns)) {
                throw new ExpectationException(
                        "--expect '" + expectation.text() + "': no variant '" + expectation.variant() + "' is compared",
                        "Variants: " + String.join(", ", new TreeSet<>(candidates)) + ".");
            }
        }
    }
}
