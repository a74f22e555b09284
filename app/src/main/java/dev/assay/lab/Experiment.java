package dev.assay.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question and how it is asked; what an experiment file holds.
 *
 * @param name lower case with dashes
 * @param systems the servers under test by name, in file order
 * @param variants in file order
 */
public record Experiment(
        String name,
        String title,
        String question,
        Load load,
        Map<String, SystemUnderTest> systems,
        List<Variant> variants,
        List<Pair> comparisons,
        List<Expectation> signatures) {

    public Experiment {
        variants = List.copyOf(variants);
        comparisons = List.copyOf(comparisons);
        signatures = List.copyOf(signatures);
    }

    /** How long, how often and how hard every variant is measured. */
    public record Load(int clients, String protocol, int trials, Duration warmup, Duration measured) {}

    /**
     * An embedded server that the laboratory starts.
     *
     * @param server major ({@code 16}: the newest known) or exact ({@code 16.4}) version
     * @param settings server settings, in file order
     * @param setup SQL that builds schema and data, parameters already replaced
     */
    public record SystemUnderTest(String name, String server, Map<String, String> settings, String setup) {}

    /**
     * One way to do the work.
     *
     * @param system the name of the server it runs on; variants may share one
     * @param script in pgbench's language
     * @param checks name to SQL that must return true after the trials
     */
    public record Variant(
            String name, String title, String system, String script, int scriptLine, Map<String, String> checks) {}

    /**
     * A comparison to make.
     *
     * @param sameAnswer whether both must return the same rows for the same draws
     * @param proves id of the remedy that this pair tests, or null
     */
    public record Pair(
            String question,
            String baseline,
            String candidate,
            String metric,
            double margin,
            boolean sameAnswer,
            @Nullable String proves) {}

    /** An exact expectation of a variant's relation locks; null where the file is silent. */
    public record Expectation(
            String variant,
            @Nullable Integer relationLocks,
            @Nullable Integer fastpath,
            @Nullable Integer slow) {}

    public Variant variant(String wanted) {
        return variants.stream()
                .filter(variant -> variant.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no variant '" + wanted + "' in " + name));
    }
}
