package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.PgBouncer;
import dev.assay.server.TestServers;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code assay diagnose} with what is beside the server: pools, a pooler, a socket, the machine. */
final class DiagnosePoolIT {

    private HttpServer http;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @BeforeEach
    void open() throws Exception {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/metrics", exchange -> {
            byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        http.start();
    }

    @AfterEach
    void close() {
        http.stop(0);
        registry.close();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    private static AssayCommand diagnose(String host, int port, String... more) {
        return AssayCommand.at("diagnose", host, port, "postgres", "postgres").and(more);
    }

    @Test
    void a_pool_is_shown_as_it_was_used_in_the_window() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setUsername(server.user());
        config.setPoolName("checkout");
        config.setMaximumPoolSize(4);
        config.setMetricRegistry(registry);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            assertThat(first).isNotSameAs(second);
            // the pool counts its connections once a second
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> registry.scrape().contains("hikaricp_connections_active{pool=\"checkout\"} 2.0"));
            String login = url("/metrics").replace("http://", "http://bob:s3cret@");
            String json = diagnose("127.0.0.1", server.port(), "--json", "--for", "4s", "--pool", login)
                    .run()
                    .assertDone()
                    .out();
            assertThat(json).doesNotContain("s3cret", "bob");
            JsonNode shown = Schemas.document("diagnose", json).at("/pools");
            assertThat(shown).hasSize(1);
            assertThat(shown.at("/0/pool").asText()).isEqualTo("checkout");
            assertThat(shown.at("/0/endpoint").asText()).isEqualTo(url("/metrics"));
            assertThat(shown.at("/0/active_mean").asDouble()).isEqualTo(2);
            assertThat(shown.at("/0/active_max").asInt()).isEqualTo(2);
            assertThat(shown.at("/0/connections_max").asInt()).isEqualTo(4);
            assertThat(shown.at("/0/pending_max").asInt()).isZero();
            assertThat(shown.at("/0/timeouts").asInt()).isZero();
            assertThat(shown.at("/0/samples").asInt()).isBetween(2, 5);
            String text = diagnose("127.0.0.1", server.port(), "--for", "2s", "--pool", url("/metrics"))
                    .run()
                    .assertDone()
                    .out();
            assertThat(text).contains("CONNECTION POOLS").containsPattern("checkout +4 +2 +2 +0 +0 +0");
        }
    }

    @Test
    void a_URL_without_a_pool_is_a_wrong_command_line() throws Exception {
        Outcome other = diagnose("127.0.0.1", 1, "--json", "--pool", url("/metrics"))
                .run()
                .assertFailed(2);
        assertThat(other.problem()).startsWith("no pool of HikariCP at " + url("/metrics"));
        assertThat(other.hint()).contains("hikaricp_connections_active");
        Outcome none = diagnose("127.0.0.1", 1, "--pool", "app:8080").run().assertFailed(2);
        assertThat(none.problem()).isEqualTo("'app:8080' is not a URL of HTTP");
    }

    @Test
    void a_pooler_in_between_is_named() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(TestServers.shared("16"), "transaction")) {
            JsonNode server = Schemas.document(
                            "diagnose",
                            diagnose("127.0.0.1", bouncer.port(), "--json", "--for", "2s")
                                    .run()
                                    .assertDone()
                                    .out())
                    .at("/server");
            assertThat(server.at("/pooler/name").asText()).isEqualTo("PgBouncer");
            assertThat(server.at("/vendor").asText()).isEqualTo("PostgreSQL");
            assertThat(server.at("/vendor_note").isNull()).isTrue();
        }
    }

    @Test
    void another_users_memory_is_told_as_not_to_be_seen_and_the_rest_is_seen(@TempDir Path folder) throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        for (Path at = folder; at.startsWith("/tmp") && !at.equals(Path.of("/tmp")); at = at.getParent()) {
            Files.setPosixFilePermissions(at, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Path jar = Files.copy(Path.of(System.getProperty("assay.jar")), folder.resolve("assay.jar"));
        String[] line = {"--json", "--for", "2s"};
        JsonNode asOther = Schemas.document(
                "diagnose",
                diagnose("127.0.0.1", server.port(), line)
                        .jar(jar)
                        .behind(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
                        .run()
                        .assertDone()
                        .out());
        assertThat(asOther.at("/unavailable")).hasSize(1);
        assertThat(asOther.at("/unavailable/0/what").asText()).isEqualTo("proportional memory");
        assertThat(asOther.at("/unavailable/0/why").asText()).contains("smaps_rollup is not readable for this user");
        JsonNode asRoot = Schemas.document(
                "diagnose",
                diagnose("127.0.0.1", server.port(), line).run().assertDone().out());
        assertThat(asRoot.at("/unavailable")).isEmpty();
        assertThat(asRoot.at("/server/pooler").isNull()).isTrue();
    }
}
