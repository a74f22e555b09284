package dev.assay.lab;

import dev.assay.evidence.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What came out of an experiment.
 *
 * @param partial true when it was interrupted or trials failed
 * @param clients how many clients each trial had
 * @param trialLength measured part of a trial
 * @param seed of the order of trials and of the draws
 */
public record ExperimentResult(
        String experiment,
        String title,
        String question,
        Instant startedAt,
        Duration took,
        boolean partial,
        List<Unavailable> unavailable,
        Environment environment,
        int clients,
        Duration trialLength,
        long seed,
        List<VariantResult> variants,
        List<Comparison> comparisons,
        List<Signature> signatures,
        List<Trial> trials) {

    public ExperimentResult {
        unavailable = List.copyOf(unavailable);
        variants = List.copyOf(variants);
        comparisons = List.copyOf(comparisons);
        signatures = List.copyOf(signatures);
        trials = List.copyOf(trials);
    }

    public VariantResult variant(String name) {
        return variants.stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no variant '" + name + "' in " + experiment));
    }
}
