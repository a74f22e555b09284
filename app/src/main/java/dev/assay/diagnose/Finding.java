package dev.assay.diagnose;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named cause with its evidence.
 *
 * @param rule the rule that found it
 * @param fingerprint the same for the same cause and culprit on the same server, whatever the window
 * @param title one line
 * @param severity by the share of database time lost
 * @param confidence whether each link was seen
 * @param summary a few sentences: symptom, cause, why one leads to the other
 * @param shareOfDatabaseTime 0 to 1
 * @param evidence the figures
 * @param culprits what to act on, the most important first
 * @param remedies what to do, in the order to try
 * @param refuted rivals that were ruled out
 * @param becauseOf fingerprint of the finding that this one is a consequence of, or null
 */
public record Finding(
        String rule,
        String fingerprint,
        String title,
        Severity severity,
        Confidence confidence,
        String summary,
        double shareOfDatabaseTime,
        List<Figure> evidence,
        List<Culprit> culprits,
        List<Remedy> remedies,
        List<RefutedCause> refuted,
        @Nullable String becauseOf) {

    public Finding {
        if (!(shareOfDatabaseTime >= 0 && shareOfDatabaseTime <= 1)) { // NaN as well
            throw new IllegalArgumentException("a share is between 0 and 1: " + shareOfDatabaseTime);
        }
        if (evidence.isEmpty() || culprits.isEmpty() || remedies.isEmpty()) {
            throw new IllegalArgumentException("a finding needs evidence, a culprit and a remedy: " + rule);
        }
        evidence = List.copyOf(evidence);
        culprits = List.copyOf(culprits);
        remedies = List.copyOf(remedies);
        refuted = List.copyOf(refuted);
    }

    public Finding withRemedies(List<Remedy> other) {
        return new Finding(
                rule,
                fingerprint,
                title,
                severity,
                confidence,
                summary,
                shareOfDatabaseTime,
                evidence,
                culprits,
                other,
                refuted,
                becauseOf);
    }
}
