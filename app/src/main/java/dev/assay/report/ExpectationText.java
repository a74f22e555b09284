package dev.assay.report;

import dev.assay.lab.RatioEstimate;
import dev.assay.lab.UnpairedInterval;
import dev.assay.lab.compare.Expectation;
import dev.assay.lab.compare.ExpectationResult;
import java.util.List;
import java.util.Locale;

/** What became of expectations: a line for each, its outcome first. */
final class ExpectationText {

    private ExpectationText() {}

    /** {@code HELD}, ... so wide that the lines stand under each other. */
    private static final int OUTCOME_WIDTH = "CONTRADICTED".length();

    static void addTo(List<String> out, List<ExpectationResult> results, int width, Ink ink) {
        for (ExpectationResult result : results) {
            String outcome = Ink.pad(outcome(result.outcome()).toUpperCase(Locale.ROOT), OUTCOME_WIDTH);
            List<String> lines = Ink.wrap(sentence(result), width - OUTCOME_WIDTH - 4);
            for (int i = 0; i < lines.size(); i++) {
                out.add("  "
                        + (i == 0 ? ink(ink, result.outcome(), outcome) : " ".repeat(OUTCOME_WIDTH))
                        + "  "
                        + lines.get(i));
            }
        }
    }

    private static String ink(Ink ink, Expectation.Outcome outcome, String text) {
        return switch (outcome) {
            case HELD -> ink.good(text);
            case CONTRADICTED -> ink.bad(text);
            case UNDECIDED -> ink.doubtful(text);
        };
    }

    static String outcome(Expectation.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    /** {@code tps>=0.98, first → second: 1.02× [0.99–1.05], 99 % interval, 6 rounds} and what follows from it. */
    static String sentence(ExpectationResult result) {
        RatioEstimate estimate = result.estimate();
        String pair = result.expectation().text() + ", " + subject(result) + ": ";
        String figures = pair + Words.ratio(estimate) + ", " + Numbers.level(estimate.level()) + " interval, "
                + estimate.basis();
        if (result.wrong() != null) {
            return figures + "; its speed does not count: " + result.wrong();
        }
        return switch (result.outcome()) {
            case HELD, CONTRADICTED -> figures;
            case UNDECIDED -> figures + "; " + further(result);
        };
    }

    /** {@code first → second} of one run; {@code second, after / before} of two. */
    static String subject(ExpectationResult result) {
        return result.estimate() instanceof UnpairedInterval
                ? result.candidate() + ", after / before"
                : result.baseline() + " → " + result.candidate();
    }

    private static String further(ExpectationResult result) {
        Integer further = result.furtherTrials();
        if (Double.isNaN(result.estimate().ratio())) {
            return "there are not trials of both with a positive "
                    + Words.comparedMetric(result.expectation().metric());
        }
        if (Double.isNaN(result.estimate().standardError(0))) {
            return "there are too few to tell how many more would decide";
        }
        if (further == null) {
            return "more than " + RatioEstimate.FURTHER_TRIALS_MAX + " further trials a side would be needed";
        }
        return "about " + Words.count(further, "further trial") + " a side would probably decide";
    }
}
