package dev.assay.report;

import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import java.util.ArrayList;
import java.util.List;

/** What a reader must keep in mind about a result: what failed, what was flagged, what was not seen. */
final class Doubts {

    private Doubts() {}

    static List<String> of(RunReport report) {
        ExperimentResult result = report.result();
        List<String> lines = new ArrayList<>();
        if (result.partial()) {
            lines.add("The run is incomplete.");
        }
        for (Trial trial : result.trials()) {
            if (trial.failure() != null) {
                lines.add("Trial " + trial.order() + " (round " + trial.round() + ", " + trial.variant()
                        + ") failed and does not count: " + trial.failure());
            }
        }
        for (VariantResult variant : result.variants()) {
            variant.flags().forEach(flag -> lines.add(variant.name() + ": " + flag));
            if (!variant.answersSame()) {
                lines.add(variant.name() + ": does not give the baseline's answers");
            }
            variant.checks().stream()
                    .filter(check -> !check.ok())
                    .forEach(check ->
                            lines.add(variant.name() + ": check " + check.name() + " failed: " + check.detail()));
        }
        ResultJson.unavailable(report)
                .forEach(missing -> lines.add("Not available: " + missing.what() + ": " + missing.why()));
        return lines;
    }

    /** Why variants without a finding have none. */
    static List<String> silence(ExperimentResult result) {
        List<String> lines = new ArrayList<>();
        for (VariantResult variant : result.variants()) {
            var diagnosis = variant.diagnosis();
            if (diagnosis == null) {
                lines.add(variant.name() + ": not diagnosed"
                        + (variant.waits().isEmpty() ? ", there were no samples" : ""));
            } else if (diagnosis.findings().isEmpty() && diagnosis.silent().isEmpty()) {
                lines.add(variant.name() + ": no rule could judge");
            } else if (diagnosis.findings().isEmpty()) {
                diagnosis
                        .silent()
                        .forEach(silence ->
                                lines.add(variant.name() + ": " + silence.because() + " (" + silence.rule() + ")"));
            }
        }
        return lines;
    }
}
