package dev.assay.report;

import dev.assay.lab.ExperimentResult;
import dev.assay.lab.compare.ExpectationResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of an experiment as terminal, page and document show it.
 *
 * @param expectations what became of those that the user gave
 * @param calibration of the load engine on this machine; null when none was made
 */
public record RunReport(
        ExperimentResult result,
        List<ExpectationResult> expectations,
        @Nullable KeptCalibration calibration) {

    public RunReport {
        expectations = List.copyOf(expectations);
    }

    /** The result alone. */
    public static RunReport of(ExperimentResult result) {
        return new RunReport(result, List.of(), null);
    }
}
