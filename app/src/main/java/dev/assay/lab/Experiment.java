package dev.assay.lab;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
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
        systems = ordered(systems);
        variants = List.copyOf(variants);
        comparisons = List.copyOf(comparisons);
        signatures = List.copyOf(signatures);
    }

    /**
     * How long, how often and how hard every variant is measured.
     *
     * @param clients sessions at work at the same time, 1 to {@value #CLIENTS_MAX}
     * @param protocol one of {@link #PROTOCOLS}
     * @param trials of every variant, {@value #TRIALS_MIN} to {@value #TRIALS_MAX}; fewer than five rarely decide anything
     * @param warmup run before every trial and not counted
     * @param measured length of a trial
     */
    public record Load(int clients, String protocol, int trials, Duration warmup, Duration measured) {

        public static final int CLIENTS_MAX = 1000;
        public static final int TRIALS_MIN = 2;
        public static final int TRIALS_MAX = 200;
        public static final Duration WARMUP_MAX = Duration.ofHours(1);
        public static final Duration MEASURED_MIN = Duration.ofMillis(100);
        public static final Duration MEASURED_MAX = Duration.ofHours(1);

        /** As pgbench names them. */
        public static final List<String> PROTOCOLS = List.of("simple", "extended", "prepared");

        public Load {
            if (clients < 1 || clients > CLIENTS_MAX) {
                throw new IllegalArgumentException("clients must be 1 to " + CLIENTS_MAX + ": " + clients);
            }
            if (!PROTOCOLS.contains(protocol)) {
                throw new IllegalArgumentException("protocol must be one of " + PROTOCOLS + ": " + protocol);
            }
            if (trials < TRIALS_MIN || trials > TRIALS_MAX) {
                throw new IllegalArgumentException(
                        "trials must be " + TRIALS_MIN + " to " + TRIALS_MAX + ": " + trials);
            }
            if (warmup.isNegative() || warmup.compareTo(WARMUP_MAX) > 0) {
                throw new IllegalArgumentException("warmup must be 0 to " + WARMUP_MAX + ": " + warmup);
            }
            if (measured.compareTo(MEASURED_MIN) < 0 || measured.compareTo(MEASURED_MAX) > 0) {
                throw new IllegalArgumentException("measured must be 100 ms to 1 h: " + measured);
            }
        }
    }

    /**
     * An embedded server that the laboratory starts.
     *
     * @param server major ({@code 16}: the newest known) or exact ({@code 16.4}) version
     * @param settings server settings, in file order
     * @param setup SQL that builds schema and data, parameters already replaced
     */
    public record SystemUnderTest(String name, String server, Map<String, String> settings, String setup) {

        public SystemUnderTest {
            settings = ordered(settings);
        }
    }

    /**
     * One way to do the work.
     *
     * @param system the name of the server it runs on; variants may share one
     * @param script in pgbench's language
     * @param scriptLine line of the experiment file that holds the script's first line, from 1; 0 when the script came from elsewhere
     * @param checks name to SQL that must return true after the trials, in file order
     */
    public record Variant(
            String name, String title, String system, String script, int scriptLine, Map<String, String> checks) {

        public Variant {
            checks = ordered(checks);
        }
    }

    /**
     * A comparison to make.
     *
     * @param metric one of {@link MetricNames#COMPARABLE}
     * @param margin share of 1 inside of which a difference does not matter, for example 0.05
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

    /** The variant of this name; asking for one that does not exist is a programmer's error. */
    public Variant variant(String wanted) {
        return variants.stream()
                .filter(variant -> variant.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no variant '" + wanted + "' in " + name));
    }

    private static <V> Map<String, V> ordered(Map<String, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
