package dev.assay.observe.pool;

import dev.assay.evidence.PoolRow;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The figures of one pool, whatever they were called where they were read. */
final class PoolFigures {

    private static final double MICROS_PER_SECOND = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double MICROS_PER_NANO = 1e-3;

    /** A figure of {@link PoolRow}. */
    enum Figure {
        ACTIVE,
        IDLE,
        PENDING,
        TOTAL,
        MAX,
        MIN,
        TIMEOUTS,
        ACQUIRED,
        ACQUIRE_MICROS,
        USAGE_MICROS
    }

    private record Meaning(Figure figure, double factor) {
        Meaning(Figure figure) {
            this(figure, 1);
        }
    }

    /**
     * Names in the text format: those of Micrometer's registry ({@code hikaricp.connections.active} there), and those of HikariCP's own Prometheus
     * trackers. Source: {@code com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTracker} and {@code
     * com.zaxxer.hikari.metrics.prometheus} of HikariCP 6.3.0.
     */
    private static final Map<String, Meaning> NAMES = Map.ofEntries(
            Map.entry("hikaricp_connections", new Meaning(Figure.TOTAL)),
            Map.entry("hikaricp_connections_active", new Meaning(Figure.ACTIVE)),
            Map.entry("hikaricp_active_connections", new Meaning(Figure.ACTIVE)),
            Map.entry("hikaricp_connections_idle", new Meaning(Figure.IDLE)),
            Map.entry("hikaricp_idle_connections", new Meaning(Figure.IDLE)),
            Map.entry("hikaricp_connections_pending", new Meaning(Figure.PENDING)),
            Map.entry("hikaricp_pending_threads", new Meaning(Figure.PENDING)),
            Map.entry("hikaricp_connections_max", new Meaning(Figure.MAX)),
            Map.entry("hikaricp_max_connections", new Meaning(Figure.MAX)),
            Map.entry("hikaricp_connections_min", new Meaning(Figure.MIN)),
            Map.entry("hikaricp_min_connections", new Meaning(Figure.MIN)),
            Map.entry("hikaricp_connections_timeout_total", new Meaning(Figure.TIMEOUTS)),
            Map.entry("hikaricp_connections_timeout", new Meaning(Figure.TIMEOUTS)),
            Map.entry("hikaricp_connection_timeout_total", new Meaning(Figure.TIMEOUTS)),
            Map.entry("hikaricp_connection_timeout", new Meaning(Figure.TIMEOUTS)),
            Map.entry("hikaricp_connections_acquire_seconds_count", new Meaning(Figure.ACQUIRED)),
            Map.entry("hikaricp_connection_acquired_nanos_count", new Meaning(Figure.ACQUIRED)),
            Map.entry(
                    "hikaricp_connections_acquire_seconds_sum", new Meaning(Figure.ACQUIRE_MICROS, MICROS_PER_SECOND)),
            Map.entry("hikaricp_connection_acquired_nanos_sum", new Meaning(Figure.ACQUIRE_MICROS, MICROS_PER_NANO)),
            Map.entry("hikaricp_connections_usage_seconds_sum", new Meaning(Figure.USAGE_MICROS, MICROS_PER_SECOND)),
            Map.entry("hikaricp_connection_usage_millis_sum", new Meaning(Figure.USAGE_MICROS, MICROS_PER_MILLI)));

    static final String PREFIX = "hikaricp_";

    private final Map<Figure, Double> values = new EnumMap<>(Figure.class);

    void put(Figure figure, double value) {
        if (Double.isFinite(value)) {
            values.put(figure, value);
        }
    }

    /** Whether it says how many connections are in use, without which there is no pool to tell of. */
    boolean complete() {
        return values.containsKey(Figure.ACTIVE);
    }

    PoolRow row(String endpoint, String pool) {
        return new PoolRow(
                endpoint,
                pool,
                count(Figure.ACTIVE),
                count(Figure.IDLE),
                count(Figure.PENDING),
                count(Figure.TOTAL),
                count(Figure.MAX),
                count(Figure.MIN),
                sum(Figure.TIMEOUTS),
                sum(Figure.ACQUIRED),
                sum(Figure.ACQUIRE_MICROS),
                sum(Figure.USAGE_MICROS));
    }

    private @Nullable Integer count(Figure figure) {
        Long value = sum(figure);
        return value == null ? null : (int) Math.min(Integer.MAX_VALUE, value);
    }

    private @Nullable Long sum(Figure figure) {
        Double value = values.get(figure);
        return value == null ? null : Math.round(value);
    }

    /** Every pool of an exposition, by name. */
    static List<PoolRow> rows(String endpoint, Collection<ExpositionText.Metric> metrics) {
        Map<Map<String, String>, PoolFigures> byLabels = new LinkedHashMap<>();
        for (ExpositionText.Metric metric : metrics) {
            Meaning meaning = NAMES.get(metric.name());
            if (meaning != null) {
                byLabels.computeIfAbsent(metric.labels(), key -> new PoolFigures())
                        .put(meaning.figure(), metric.value() * meaning.factor());
            }
        }
        byLabels.values().removeIf(figures -> !figures.complete());
        Map<String, PoolRow> rows = new TreeMap<>();
        byLabels.forEach((labels, figures) -> {
            String pool = name(labels, byLabels.keySet());
            rows.put(pool, figures.row(endpoint, pool));
        });
        return List.copyOf(rows.values());
    }

    /** The pool's label, with the others where it is not enough to tell two pools apart. */
    private static String name(Map<String, String> labels, Collection<Map<String, String>> all) {
        String pool = labels.getOrDefault("pool", "");
        long same = all.stream()
                .filter(other -> other.getOrDefault("pool", "").equals(pool))
                .count();
        if (same < 2) {
            return pool.isEmpty() ? "pool" : pool;
        }
        Map<String, String> others = new TreeMap<>(labels);
        others.remove("pool");
        return pool + others;
    }
}
