package dev.assay.lab;

import java.util.List;

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

    /** What a comparison may be made on. */
    public static final List<String> COMPARABLE = List.of(
            TRANSACTIONS_PER_SECOND, LATENCY_MEAN, LATENCY_P50, LATENCY_P95, LATENCY_P99, SERVER_CPU_PER_TRANSACTION);

    private MetricNames() {}

    /** Whether a smaller value is the better one. */
    public static boolean lowerIsBetter(String metric) {
        return metric.startsWith("latency_") || metric.equals(SERVER_CPU_PER_TRANSACTION);
    }
}
