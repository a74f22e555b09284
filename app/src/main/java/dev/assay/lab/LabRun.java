package dev.assay.lab;

import dev.assay.evidence.Evidence;
import java.util.Map;

/**
 * An experiment's result with the raw samples that it was made from.
 *
 * @param evidence by variant, of all its successful trials; a variant without one is missing
 * @param interrupted whether it was ended before its last trial; then nothing was asked of the servers any more: no checks, no diagnosis
 */
public record LabRun(ExperimentResult result, Map<String, Evidence> evidence, boolean interrupted) {

    public LabRun {
        evidence = Map.copyOf(evidence);
    }
}
