package dev.assay.lab;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The figures of a trial that have a name of their own; their unit stands in {@link Metric#unit}. */
public final class MetricNames {

    /** Committed transactions in a second, 1/s. */
    public static final String TRANSACTIONS_PER_SECOND = "transactions_per_second";

    /** Committed transactions in a second that kept the latency limit, 1/s. */
    public static final String GOODPUT = "goodput";

    /** Tries beyond the first, divided by committed transactions. */
    public static final String RETRIES_PER_TRANSACTION = "retries_per_transaction";

    /** Time of a transaction as the client sees it, ms. */
    public static final String LATENCY_MEAN = "latency_mean";

    public static final String LATENCY_P50 = "latency_p50";
    public static final String LATENCY_P95 = "latency_p95";
    public static final String LATENCY_P99 = "latency_p99";

    /** CPU time of all server processes divided by transactions, us. */
    public static final String SERVER_CPU_PER_TRANSACTION = "server_cpu_per_transaction";

    /** Time that server processes could have run and had no core, divided by transactions, us. */
    public static final String WAITING_FOR_CORE_PER_TRANSACTION = "waiting_for_core_per_transaction";

    /** Cores that the server kept busy. */
    public static final String BUSY_CORES = "busy_cores";

    /** Time to plan one execution with nobody else at work, us. */
    public static final String PLANNING_UNLOADED = "planning_unloaded";

    /** Time to execute it, planning not included, with nobody else at work, us. */
    public static final String EXECUTION_UNLOADED = "execution_unloaded";

    /** CPU time of the load client divided by transactions, us. */
    public static final String CLIENT_CPU_PER_TRANSACTION = "client_cpu_per_transaction";

    /** CPU time of the service's process divided by transactions, us. */
    public static final String SERVICE_CPU_PER_TRANSACTION = "service_cpu_per_transaction";

    /**
     * Anonymous memory of server processes: of a script's clients the mean of one backend after the trial, of a task the greatest that its
     * backend was seen with, MiB.
     */
    public static final String BACKEND_MEMORY = "backend_memory";

    /** Time of a task, s. */
    public static final String ELAPSED = "elapsed";

    /** CPU time of all server processes during a task, s. */
    public static final String SERVER_CPU = "server_cpu";

    /** What {@link Counters} brings, of a task as a whole, with its unit. */
    static final Map<String, String> COUNTED = counted();

    /** What every trial measures, with its unit, in the order to show it. */
    static final Map<String, String> UNITS = units();

    /** Whatever a signature can speak of. */
    static final List<String> ALL = Stream.concat(
                    UNITS.keySet().stream(), Stream.of(PLANNING_UNLOADED, EXECUTION_UNLOADED))
            .toList();

    /** Follows the name of a counter that was divided by transactions. */
    static final String PER_TRANSACTION = "_per_transaction";

    /** What a comparison of scripts may be made on; the first is the usual one. */
    public static final List<String> COMPARABLE_SCRIPTS = List.of(
            TRANSACTIONS_PER_SECOND,
            GOODPUT,
            LATENCY_MEAN,
            LATENCY_P50,
            LATENCY_P95,
            LATENCY_P99,
            SERVER_CPU_PER_TRANSACTION,
            CLIENT_CPU_PER_TRANSACTION,
            SERVICE_CPU_PER_TRANSACTION,
            Counters.WAL_BYTES + PER_TRANSACTION,
            Counters.WAL_RECORDS + PER_TRANSACTION,
            Counters.WAL_IMAGES + PER_TRANSACTION,
            BACKEND_MEMORY);

    /** What a comparison of tasks may be made on; the first is the usual one. */
    public static final List<String> COMPARABLE_TASKS =
            List.of(ELAPSED, SERVER_CPU, Counters.WAL_BYTES, Counters.WAL_RECORDS, Counters.WAL_IMAGES, BACKEND_MEMORY);

    /** What a comparison may be made on. */
    public static final List<String> COMPARABLE = Stream.concat(COMPARABLE_SCRIPTS.stream(), COMPARABLE_TASKS.stream())
            .distinct()
            .toList();

    /** A core that is kept busy is none that waits. */
    private static final Set<String> HIGHER_IS_BETTER = Set.of(TRANSACTIONS_PER_SECOND, GOODPUT, BUSY_CORES);

    /** What people call a metric besides its name. */
    private static final Map<String, String> ALIASES =
            Map.of("tps", TRANSACTIONS_PER_SECOND, "latency", LATENCY_MEAN, "cpu", SERVER_CPU_PER_TRANSACTION);

    private MetricNames() {}

    /** The metric that somebody calls so, by its name or an alias such as {@code tps}; empty when none that can be compared is. */
    public static Optional<String> comparable(String called) {
        String name = ALIASES.getOrDefault(called, called);
        return COMPARABLE.contains(name) ? Optional.of(name) : Optional.empty();
    }

    /** All that {@link #comparable} takes: aliases first, then names. */
    public static List<String> comparableNames() {
        return Stream.concat(ALIASES.keySet().stream().sorted(Comparator.reverseOrder()), COMPARABLE.stream())
                .toList();
    }

    /** The unit of a metric that can be compared; {@code ""} for another. */
    public static String unit(String metric) {
        return UNITS.getOrDefault(metric, "");
    }

    private static Map<String, String> counted() {
        Map<String, String> units = new LinkedHashMap<>();
        units.put(Counters.WAL_BYTES, "B");
        for (String name :
                List.of(Counters.WAL_RECORDS, Counters.WAL_IMAGES, Counters.BUFFERS_HIT, Counters.BUFFERS_READ)) {
            units.put(name, "");
        }
        units.put(Counters.TEMP_BYTES, "B");
        for (String cache : Counters.SLRUS) {
            units.put(Counters.slruHit(cache), "");
            units.put(Counters.slruRead(cache), "");
        }
        return Collections.unmodifiableMap(units);
    }

    private static Map<String, String> units() {
        Map<String, String> units = new LinkedHashMap<>();
        units.put(TRANSACTIONS_PER_SECOND, "1/s");
        units.put(ELAPSED, "s");
        units.put(GOODPUT, "1/s");
        units.put(LATENCY_P50, "ms");
        units.put(LATENCY_P95, "ms");
        units.put(LATENCY_P99, "ms");
        units.put(SERVER_CPU_PER_TRANSACTION, "us");
        units.put(SERVER_CPU, "s");
        units.put(BUSY_CORES, "cores");
        units.put(LATENCY_MEAN, "ms");
        units.put(RETRIES_PER_TRANSACTION, "");
        units.put(WAITING_FOR_CORE_PER_TRANSACTION, "us");
        units.put(CLIENT_CPU_PER_TRANSACTION, "us");
        units.put(SERVICE_CPU_PER_TRANSACTION, "us");
        units.put(BACKEND_MEMORY, "MiB");
        counted().forEach((name, unit) -> {
            units.put(name, unit);
            units.put(name + PER_TRANSACTION, unit);
        });
        return Collections.unmodifiableMap(units);
    }

    /** Whether a smaller value is the better one. */
    public static boolean lowerIsBetter(String metric) {
        return !HIGHER_IS_BETTER.contains(metric);
    }
}
