package dev.assay.lab.compare;

import dev.assay.lab.Environment;
import dev.assay.lab.Signature;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a comparison needs of a run that is over: what was asked, where and how it ran, and every trial's values.
 *
 * @param source where it was read from, for people
 * @param assayVersion that wrote it
 * @param experiment its name
 * @param partial true when it was interrupted or trials failed
 * @param clients how many clients each trial had
 * @param trialSeconds measured part of a trial
 * @param seed of the order of trials and of the draws
 * @param variants in the experiment's order, names unique
 * @param trials failed ones too
 */
public record StoredRun(
        String source,
        String assayVersion,
        String experiment,
        String question,
        Instant startedAt,
        boolean partial,
        Environment environment,
        int clients,
        double trialSeconds,
        long seed,
        List<Variant> variants,
        List<Signature> signatures,
        List<Trial> trials) {

    public StoredRun {
        variants = List.copyOf(variants);
        signatures = List.copyOf(signatures);
        trials = List.copyOf(trials);
    }

    /**
     * One way of doing the work, as it was run.
     *
     * @param serverVersion for example {@code 16.14}
     * @param settings the server settings that the experiment sets
     * @param statement the script's SQL
     * @param answersSame whether it gave its baseline's answers, where that was asked for
     */
    public record Variant(
            String name,
            String serverVersion,
            Map<String, String> settings,
            String statement,
            boolean answersSame,
            List<VariantResult.Check> checks) {

        public Variant {
            settings = Map.copyOf(settings);
            checks = List.copyOf(checks);
        }

        /** Why its speed does not count; empty when it does. */
        public Optional<String> wrong() {
            if (!answersSame) {
                return Optional.of(name + " does not return the same rows as its baseline");
            }
            return checks.stream()
                    .filter(check -> !check.ok())
                    .findFirst()
                    .map(check -> name + " fails the check '" + check.name() + "': " + check.detail());
        }
    }

    /** The variant of this name, if the run has it. */
    public Optional<Variant> variant(String name) {
        return variants.stream().filter(variant -> variant.name().equals(name)).findFirst();
    }

    /** The metric of every trial of a variant that counts and that has it. */
    List<Double> values(String variant, String metric) {
        return trials.stream()
                .filter(trial -> trial.ok() && trial.variant().equals(variant))
                .flatMap(trial -> Optional.ofNullable(trial.values().get(metric)).stream())
                .toList();
    }
}
