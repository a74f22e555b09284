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
 * @param signatures exact numbers of locks, whatever the speed of the machine
 * @param expected what must be seen under load if the mechanism is the one that the experiment is about
 */
public record Experiment(
        String name,
        String title,
        String question,
        Load load,
        Map<String, SystemUnderTest> systems,
        List<Variant> variants,
        List<Pair> comparisons,
        List<Expectation> signatures,
        List<Expected> expected) {

    public Experiment {
        systems = ordered(systems);
        variants = List.copyOf(variants);
        comparisons = List.copyOf(comparisons);
        signatures = List.copyOf(signatures);
        expected = List.copyOf(expected);
    }

    /**
     * How long, how often and how hard every variant is measured.
     *
     * @param clients sessions at work at the same time, 1 to {@value #CLIENTS_MAX}
     * @param threads of the load client that drive them, 1 to {@value #THREADS_MAX}
     * @param protocol one of {@link #PROTOCOLS}
     * @param trials of every variant, {@value #TRIALS_MIN} to {@value #TRIALS_MAX}; fewer than five rarely decide anything
     * @param warmup run before every trial and not counted; the shortest one where {@code warmupMax} is longer
     * @param warmupMax until when the warm-up goes on that waits for stable throughput; as long as {@code warmup} when it does not wait
     * @param measured length of a trial
     * @param rate transactions a second that begin at random moments, all clients together; 0 for as fast as they can
     * @param latencyLimit what took longer is no goodput, and with a rate is not even begun; null for none
     * @param maxTries of a transaction that meets a serialization failure or a deadlock, 0 for no limit
     */
    public record Load(
            int clients,
            int threads,
            String protocol,
            int trials,
            Duration warmup,
            Duration warmupMax,
            Duration measured,
            double rate,
            @Nullable Duration latencyLimit,
            int maxTries) {

        public static final int CLIENTS_MAX = 1000;
        public static final int THREADS_MAX = 64;
        public static final int RATE_MAX = 10_000_000;
        public static final int TRIES_MAX = 1_000_000;
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
            if (warmupMax.compareTo(warmup) < 0) {
                throw new IllegalArgumentException("the longest warm-up is shorter than " + warmup + ": " + warmupMax);
            }
            if (measured.compareTo(MEASURED_MIN) < 0 || measured.compareTo(MEASURED_MAX) > 0) {
                throw new IllegalArgumentException("measured must be 100 ms to 1 h: " + measured);
            }
        }
    }

    /**
     * A server under test and what is on it.
     *
     * @param settings server settings, in file order; none for one that is not the laboratory's
     * @param setup SQL that builds schema and data, parameters already replaced; empty for none
     */
    public record SystemUnderTest(String name, Place place, Map<String, String> settings, String setup) {

        public SystemUnderTest {
            settings = ordered(settings);
        }
    }

    /** Where the server of a system comes from. */
    public sealed interface Place {

        /**
         * A server that the laboratory starts.
         *
         * @param version major ({@code 16}: the newest known) or exact ({@code 16.4})
         */
        record Embedded(String version) implements Place {}

        /**
         * A server that runs already.
         *
         * @param connection as psql takes it
         * @param sessions that the experiment opens at most
         */
        record External(String connection, int sessions) implements Place {}
    }

    /**
     * One way to do the work.
     *
     * @param system the name of the server it runs on; variants may share one
     * @param load the experiment's, with what this variant changes
     * @param background what goes on beside its trials
     * @param fresh whether every trial begins with the data as the schema left them
     * @param checks name to SQL that must return true after the trials, in file order
     */
    public record Variant(
            String name,
            String title,
            String system,
            Workload workload,
            Load load,
            List<Background> background,
            boolean fresh,
            Map<String, String> checks) {

        public Variant {
            background = List.copyOf(background);
            checks = ordered(checks);
        }

        /** Whether a trial of it is one timed execution. */
        public boolean isTask() {
            return workload instanceof Workload.Task;
        }

        /** The kind of its work, for people: only variants of a kind have figures in common. */
        public String kind() {
            return isTask() ? "task" : workload instanceof Workload.Service ? "process" : "script";
        }

        /** The scripts that its clients run; empty where the work is something else. */
        public List<Workload.Part> scripts() {
            return workload instanceof Workload.Scripts scripts ? scripts.parts() : List.of();
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

    /**
     * A figure of a variant that must lie on one side of a number, or between two.
     *
     * @param figure name of a metric, or a wait event ({@code Type:Name}) whose share of a transaction's time is meant, 0 to 1
     * @param waitEvent whether the figure is a wait event
     * @param times a variant whose figure this one is divided by; null for none
     * @param above null for no lower bound
     * @param below null for no upper bound
     */
    public record Expected(
            String variant,
            String figure,
            boolean waitEvent,
            @Nullable String times,
            @Nullable Double above,
            @Nullable Double below) {}

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
