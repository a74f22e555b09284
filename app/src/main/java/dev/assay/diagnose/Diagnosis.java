package dev.assay.diagnose;

import dev.assay.evidence.Unavailable;
import java.util.List;

/**
 * What all rules together say of one window.
 *
 * @param findings most severe first
 * @param silent for each rule that found nothing, why
 * @param unavailable what could not be seen, rules that could not judge included
 */
public record Diagnosis(List<Finding> findings, List<Silence> silent, List<Unavailable> unavailable) {

    public Diagnosis {
        findings = List.copyOf(findings);
        silent = List.copyOf(silent);
        unavailable = List.copyOf(unavailable);
    }

    /** A rule that found nothing, and the figure that says so. */
    public record Silence(String rule, String because) {}
}
