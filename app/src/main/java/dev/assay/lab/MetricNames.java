package dev.assay.lab;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures of a trial that have a name of their own; their unit stands in {@link Metric#unit}. */
public final class MetricNames {

    /** Committed transactions in a second, 1/s. */
    public static final String TRANSACTIONS_PER_SECOND = "transactions_per_second";

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

    /** What every trial measures, with its unit, in the order to show it. */
    static final Map<String, String> UNITS = units();

    /** What a comparison may be made on. */
    public static final List<String> COMPARABLE = List.of(
            TRANSACTIONS_PER_SECOND, LATENCY_MEAN, LATENCY_P50, LATENCY_P95, LATENCY_P99, SERVER_CPU_PER_TRANSACTION);

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

    private static Map<String, String> units() {
        Map<String, String> units = new LinkedHashMap<>();
        units.put(TRANSACTIONS_PER_SECOND, "1/s");
        units.put(LATENCY_P50, "ms");
        units.put(LATENCY_P95, "ms");
        units.put(LATENCY_P99, "ms");
        units.put(SERVER_CPU_PER_TRANSACTION, "us");
        units.put(BUSY_CORES, "cores");
        units.put(LATENCY_MEAN, "ms");
        units.put(WAITING_FOR_CORE_PER_TRANSACTION, "us");
        return Collections.unmodifiableMap(units);
    }

    /** Whether a smaller value is the better one. */
    public static boolean lowerIsBetter(String metric) {
        return metric.startsWith("latency_") || metric.equals(SERVER_CPU_PER_TRANSACTION);
    }
}
