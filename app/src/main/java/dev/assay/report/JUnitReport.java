package dev.assay.report;

import dev.assay.lab.Comparison;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Signature;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.Verdict;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.lab.compare.RunComparison;
import dev.assay.lab.compare.RunsComparison;
import dev.assay.lab.compare.StoredRun;
import dev.assay.report.JUnitXml.Case;
import dev.assay.report.JUnitXml.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run, or two compared, as a JUnit test suite: a case for each expectation, comparison, check and signature.
 *
 * <p>A case fails exactly where the command's exit code is 3: an expectation that is contradicted, a check or a signature that does not hold, a
 * comparison that came out {@code wrong}. What the trials do not decide is skipped. A comparison that came out {@code worse} is no failure by
 * itself, for many experiments show on purpose what makes things worse; {@code --expect} says what must not be. A failed trial is an error.
 */
public final class JUnitReport {

    private JUnitReport() {}

    /** One run, with a line feed at the end. */
    public static String of(ExperimentResult result, List<ExpectationResult> expectations) {
        List<Case> cases = new ArrayList<>();
        expectations(cases, expectations);
        for (Comparison comparison : result.comparisons()) {
            cases.add(new Case(
                    "comparisons",
                    comparison.baseline() + " → " + comparison.candidate() + " " + comparison.metric(),
                    status(comparison.verdict()),
                    Words.comparedMetric(comparison.metric()) + ": " + Words.ratio(comparison) + " "
                            + Words.verdict(comparison.verdict()) + ", " + Words.verdictReason(comparison)));
        }
        for (VariantResult variant : result.variants()) {
            checks(cases, variant.name(), variant.checks());
        }
        signatures(cases, result.signatures());
        for (Trial trial : result.trials()) {
            if (trial.failure() != null) {
                cases.add(new Case(
                        "trials", "trial " + trial.order() + " " + trial.variant(), Status.ERROR, trial.failure()));
            }
        }
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("question", result.question());
        properties.put("started_at", JsonShapes.time(result.startedAt()));
        properties.put("seed", Long.toString(result.seed()));
        return JUnitXml.text(result.experiment(), properties, cases);
    }

    /** Two runs; checks and signatures are those of the run after. */
    public static String of(RunsComparison runs, List<ExpectationResult> expectations) {
        List<Case> cases = new ArrayList<>();
        expectations(cases, expectations);
        for (RunComparison row : runs.rows()) {
            cases.add(new Case(
                    "comparisons", row.variant() + " " + row.metric(), status(row.verdict()), RunsWords.sentence(row)));
        }
        for (StoredRun.Variant variant : runs.after().variants()) {
            checks(cases, variant.name(), variant.checks());
        }
        signatures(cases, runs.after().signatures());
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("question", runs.after().question());
        properties.put("before", runs.before().source());
        properties.put("after", runs.after().source());
        properties.put("note", RunsWords.NOT_INTERLEAVED);
        for (RunsComparison.Difference difference : runs.differences()) {
            properties.put(
                    "not the same: " + difference.what(),
                    difference.before() + " before, " + difference.after() + " after");
        }
        return JUnitXml.text(runs.after().experiment(), properties, cases);
    }

    private static void expectations(List<Case> cases, List<ExpectationResult> expectations) {
        for (ExpectationResult result : expectations) {
            cases.add(new Case(
                    "expectations",
                    result.expectation().text() + " " + ExpectationText.subject(result),
                    switch (result.outcome()) {
                        case HELD -> Status.PASSED;
                        case CONTRADICTED -> Status.FAILED;
                        case UNDECIDED -> Status.SKIPPED;
                    },
                    ExpectationText.outcome(result.outcome()) + ": " + ExpectationText.sentence(result)));
        }
    }

    private static Status status(Verdict verdict) {
        return switch (verdict) {
            case WRONG -> Status.FAILED;
            case INCONCLUSIVE -> Status.SKIPPED;
            case BETTER, WORSE, NO_DIFFERENCE -> Status.PASSED;
        };
    }

    private static void checks(List<Case> cases, String variant, List<VariantResult.Check> checks) {
        for (VariantResult.Check check : checks) {
            cases.add(new Case(
                    "checks",
                    variant + " " + check.name(),
                    check.ok() ? Status.PASSED : Status.FAILED,
                    check.detail()));
        }
    }

    private static void signatures(List<Case> cases, List<Signature> signatures) {
        for (Signature signature : signatures) {
            cases.add(new Case(
                    "signatures",
                    signature.name(),
                    signature.ok() ? Status.PASSED : Status.FAILED,
                    "expected " + signature.expected() + ", seen " + signature.seen()));
        }
    }
}
