package dev.assay.observe.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.metrics.prometheus.PrometheusMetricsTrackerFactory;
import dev.assay.evidence.PoolRow;
import dev.assay.observe.probe.LocalProbe;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real HikariCP pool, published in the three ways that applications publish it, against what its MXBean says. */
@Timeout(90)
final class HikariPoolIT {

    private static final int SIZE = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private HttpServer http;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        http = Endpoints.start();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        http.stop(0);
    }

    private HikariDataSource pool(String name, Consumer<HikariConfig> metrics) throws InterruptedException {
        EmbeddedServer server = TestServers.shared("16");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setUsername(server.user());
        config.setPoolName(name);
        config.setMaximumPoolSize(SIZE);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(2_000);
        metrics.accept(config);
        HikariDataSource pool = new HikariDataSource(config);
        opened.add(pool);
        return pool;
    }

    @SuppressWarnings("unchecked")
    private List<PoolRow> look(LocalProbe<?> probe) throws Exception {
        return (List<PoolRow>) probe.reading().read();
    }

    private LocalProbe<?> probe(String path) {
        return (LocalProbe<?>) PoolProbe.of(List.of(Endpoints.url(http, path))).get(0);
    }

    /** All connections held and two threads waiting until they give up. */
    private void compare(HikariDataSource pool, LocalProbe<?> probe, int others) throws Exception {
        HikariPoolMXBean told = pool.getHikariPoolMXBean();
        AtomicInteger gaveUp = new AtomicInteger();
        List<Connection> held = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            held.add(pool.getConnection());
        }
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            waiting.add(CompletableFuture.runAsync(
                    () -> {
                        try (Connection late = pool.getConnection()) {
                            assertThat(late).isNull();
                        } catch (SQLTransientConnectionException e) {
                            gaveUp.incrementAndGet();
                        } catch (java.sql.SQLException e) {
                            throw new AssertionError(e);
                        }
                    },
                    task -> new Thread(task).start()));
        }
        // its figures are those of up to a second ago
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            PoolRow row = row(probe, pool);
            assertThat(row.pending()).isEqualTo(2).isEqualTo(told.getThreadsAwaitingConnection());
            assertThat(row.active()).isEqualTo(SIZE).isEqualTo(told.getActiveConnections());
            assertThat(row.idle()).isZero().isEqualTo(told.getIdleConnections());
            assertThat(row.total()).isEqualTo(SIZE).isEqualTo(told.getTotalConnections());
            assertThat(row.max()).isEqualTo(SIZE);
            assertThat(row.min()).isEqualTo(1);
        });
        waiting.forEach(CompletableFuture::join);
        for (Connection connection : held) {
            connection.close();
        }
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            PoolRow row = row(probe, pool);
            assertThat(row.timeouts()).isEqualTo(2).isEqualTo(gaveUp.get());
            assertThat(row.active()).isZero().isEqualTo(told.getActiveConnections());
            assertThat(row.idle()).isEqualTo(told.getIdleConnections());
            assertThat(row.pending()).isZero();
            assertThat(row.acquired()).isGreaterThanOrEqualTo(SIZE);
            assertThat(row.acquireMicros()).isNotNegative();
            assertThat(row.usageMicros())
                    .isBetween(SIZE * 1_900_000L, SIZE * 40_000_000L); // all were held for 2 s and more
        });
        assertThat(look(probe)).hasSize(1 + others);
    }

    private PoolRow row(LocalProbe<?> probe, HikariDataSource pool) throws Exception {
        return look(probe).stream()
                .filter(row -> row.pool().equals(pool.getPoolName()))
                .findFirst()
                .orElseThrow();
    }

    private PrometheusMeterRegistry registry() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        opened.add(registry::close);
        return registry;
    }

    @Test
    void micrometers_prometheus_text_says_what_the_pool_says() throws Exception {
        PrometheusMeterRegistry registry = registry();
        HikariDataSource pool = pool("shop \"eu\"", config -> config.setMetricRegistry(registry));
        pool("idle", config -> config.setMetricRegistry(registry));
        Endpoints.serve(http, "/actuator/prometheus", () -> registry.scrape());
        // the application's own address is enough
        compare(pool, probe("/"), 1);
    }

    @Test
    void micrometers_openmetrics_text_says_the_same() throws Exception {
        PrometheusMeterRegistry registry = registry();
        HikariDataSource pool = pool("open", config -> config.setMetricRegistry(registry));
        Endpoints.serve(
                http, "/metrics", () -> registry.scrape("application/openmetrics-text; version=1.0.0; charset=utf-8"));
        compare(pool, probe("/metrics"), 0);
    }

    @Test
    void hikaris_own_prometheus_names_say_the_same() throws Exception {
        CollectorRegistry registry = new CollectorRegistry();
        HikariDataSource pool =
                pool("own", config -> config.setMetricsTrackerFactory(new PrometheusMetricsTrackerFactory(registry)));
        Endpoints.serve(http, "/metrics", () -> {
            StringWriter text = new StringWriter();
            TextFormat.write004(text, registry.metricFamilySamples());
            return text.toString();
        });
        compare(pool, probe("/metrics"), 0);
    }

    @Test
    void springs_actuator_in_JSON_says_the_same() throws Exception {
        MeterRegistry registry = registry();
        HikariDataSource pool = pool("shop & co", config -> config.setMetricRegistry(registry));
        pool("other", config -> config.setMetricRegistry(registry));
        Endpoints.serveActuator(http, registry);
        compare(pool, probe("/actuator"), 1);
        compareAgain(pool, "/actuator/metrics");
        compareAgain(pool, "/actuator/metrics/hikaricp.connections.active");
        compareAgain(pool, "");
    }

    private void compareAgain(HikariDataSource pool, String path) throws Exception {
        assertThat(row(probe(path), pool).timeouts()).as(path).isEqualTo(2);
        assertThat(row(probe(path), pool).endpoint()).isEqualTo(Endpoints.url(http, "/actuator/metrics"));
    }
}
