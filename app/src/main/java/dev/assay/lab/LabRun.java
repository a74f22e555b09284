package dev.assay.lab;

import dev.assay.evidence.Evidence;
import java.util.Map;

/**
 * An experiment's result with the raw samples that it was made from.
 *
 * @param evidence by variant, of all its successful trials; a variant without one is missing
 */
public record LabRun(ExperimentResult result, Map<String, Evidence> evidence) {

    public LabRun {
        evidence = Map.copyOf(evidence);
    }
}
