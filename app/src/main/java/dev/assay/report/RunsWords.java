package dev.assay.report;

import dev.assay.lab.RatioEstimate;
import dev.assay.lab.RatioInterval;
import dev.assay.lab.VariantResult;
import dev.assay.lab.Verdict;
import dev.assay.lab.compare.RunComparison;
import dev.assay.lab.compare.RunsComparison;
import dev.assay.lab.compare.StoredRun;
import java.util.ArrayList;
import java.util.List;

/** The words on two runs that terminal, JSON and JUnit share. */
final class RunsWords {

    /** The limit of the method; part of every output. */
    static final String NOT_INTERLEAVED =
            "The runs were not interleaved: what changed on the machine between them is part of every ratio and is not cancelled."
                    + " The end of an interval that is nearest to 1 is the drift that would explain a difference by itself."
                    + " Variants of one run are compared without it.";

    private RunsWords() {}

    /** {@code better}, {@code inconclusive +12}. */
    static String verdict(RunComparison row) {
        Integer further = row.furtherTrials();
        String word = Words.verdict(row.verdict());
        return row.verdict() == Verdict.INCONCLUSIVE && further != null && further > 0 ? word + " +" + further : word;
    }

    /** {@code 1.02× [0.99–1.05], 99 % interval, 6 and 6 trials: inconclusive; about 12 further trials a side would probably decide}. */
    static String sentence(RunComparison row) {
        Integer further = row.furtherTrials();
        String figures = Words.comparedMetric(row.metric()) + " of " + row.variant() + ", after / before: "
                + Words.ratio(row.interval()) + ", "
                + Numbers.level(row.interval().level()) + " interval, "
                + row.interval().basis() + ": " + Words.verdict(row.verdict());
        if (row.wrong() != null) {
            return figures + ": " + row.wrong();
        }
        return row.verdict() == Verdict.INCONCLUSIVE && further != null && further > 0
                ? figures + "; about " + Words.count(further, "further trial") + " a side would probably decide"
                : figures;
    }

    /** What a reader must keep in mind. */
    static List<String> doubts(RunsComparison runs) {
        List<String> lines = new ArrayList<>();
        if (runs.sameRun()) {
            lines.add("Both folders hold one and the same run.");
        }
        lines.add(NOT_INTERLEAVED);
        lines.add("Ratios are those of geometric means, with " + Numbers.level(RatioInterval.LEVEL)
                + " intervals by Welch's t on the logarithms of the trials; no difference: within ±"
                + Numbers.percent(runs.margin()) + ". One interval of a hundred misses the truth by chance; here are "
                + runs.rows().size() + ".");
        if (runs.rows().stream().anyMatch(row -> row.verdict() == Verdict.INCONCLUSIVE)) {
            lines.add("+n: run both sides again with so many more trials of each variant; that would probably decide."
                    + " Without a number: more than " + RatioEstimate.FURTHER_TRIALS_MAX
                    + " would be needed, or there are too few to tell.");
        }
        doubts(lines, "before", runs.before());
        doubts(lines, "after", runs.after());
        return lines;
    }

    private static void doubts(List<String> lines, String side, StoredRun run) {
        long failed = run.trials().stream().filter(trial -> !trial.ok()).count();
        if (run.partial()) {
            lines.add("The run " + side + " is incomplete: " + Words.count(failed, "failed trial") + " of "
                    + run.trials().size() + " do not count.");
        }
        for (StoredRun.Variant variant : run.variants()) {
            for (VariantResult.Check check : variant.checks()) {
                if (!check.ok()) {
                    lines.add(
                            variant.name() + " fails the check '" + check.name() + "' " + side + ": " + check.detail());
                }
            }
            if (!variant.answersSame()) {
                lines.add(variant.name() + " does not return the same rows as its baseline " + side + ".");
            }
        }
        run.signatures().stream()
                .filter(signature -> !signature.ok())
                .forEach(signature -> lines.add(signature.name() + " " + side + ": expected " + signature.expected()
                        + ", seen " + signature.seen()));
    }
}
