package dev.assay.observe.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.assay.evidence.PoolRow;
import dev.assay.observe.probe.LocalProbe;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints that are no pool's, that hang, that never end, or that want a login. */
@Timeout(60)
final class PoolEndpointTest {

    private static final String POOL = "hikaricp_connections_active{pool=\"p\"} 2\n";

    private HttpServer http;

    @BeforeEach
    void open() throws IOException {
        http = Endpoints.start();
    }

    @AfterEach
    void close() {
        http.stop(0);
    }

    private static PoolException refusal(String... urls) {
        return catchThrowableOfType(PoolException.class, () -> PoolProbe.of(List.of(urls)));
    }

    @SuppressWarnings("unchecked")
    private static List<PoolRow> look(LocalProbe<?> probe) throws IOException {
        return (List<PoolRow>) probe.reading().read();
    }

    private static LocalProbe<?> probe(String... urls) {
        return (LocalProbe<?>) PoolProbe.of(List.of(urls)).get(0);
    }

    @Test
    void what_was_found_instead_is_named() {
        Endpoints.serve(http, "/html", () -> "<html>hello</html>");
        Endpoints.serve(http, "/other", () -> "# TYPE up gauge\nup 1\n");
        Endpoints.serve(http, "/json", () -> "{\"status\":\"UP\"}");
        assertThat(refusal(Endpoints.url(http, "/none")))
                .hasMessageStartingWith("no pool of HikariCP at " + Endpoints.url(http, "/none"))
                .hasMessageContaining("answers HTTP 404");
        assertThat(refusal(Endpoints.url(http, "/html"))).hasMessageContaining("characters that are no metrics");
        assertThat(refusal(Endpoints.url(http, "/other"))).hasMessageContaining("has metrics, none of HikariCP");
        assertThat(refusal(Endpoints.url(http, "/json"))).hasMessageContaining("JSON without metrics");
        assertThat(refusal(Endpoints.url(http, "/html")).hint()).contains("hikaricp_connections_active");
    }

    @ParameterizedTest
    @ValueSource(strings = {"app:8080", "ftp://app/metrics", "http://", "http://bob:secret@a b/", "/actuator"})
    void what_is_no_url_is_told_without_its_password(String text) {
        PoolException refused = refusal(text);
        assertThat(refused).hasMessageContaining("is not a URL");
        assertThat(refused.getMessage() + refused.hint()).doesNotContain("secret");
    }

    @Test
    void credentials_are_sent_and_never_shown() throws Exception {
        AtomicReference<String> sent = new AtomicReference<>();
        http.createContext("/metrics", exchange -> {
            String login = exchange.getRequestHeaders().getFirst("Authorization");
            sent.set(login);
            Endpoints.answer(exchange, login == null ? 401 : 200, "text/plain", login == null ? "" : POOL);
        });
        assertThat(refusal(Endpoints.url(http, "/metrics"))).hasMessageContaining("HTTP 401 (give user:password@");
        String url = Endpoints.url(http, "/metrics").replace("http://", "http://bob:s%40cret@");
        PoolRow row = look(probe(url)).get(0);
        assertThat(new String(Base64.getDecoder().decode(sent.get().substring("Basic ".length()))))
                .isEqualTo("bob:s@cret");
        assertThat(row.active()).isEqualTo(2);
        assertThat(row.endpoint()).isEqualTo(Endpoints.url(http, "/metrics"));
        assertThat(refusal(url.replace("/metrics", "/none")).getMessage()).doesNotContain("cret", "bob");
    }

    @Test
    void one_that_hangs_or_trickles_is_left_after_two_seconds() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, http.getAddress().getAddress())) {
            long start = System.nanoTime();
            assertThat(refusal("http://127.0.0.1:" + silent.getLocalPort() + "/metrics"))
                    .hasMessageContaining("did not answer within 2 s");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
        }
        http.createContext("/trickle", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                for (int i = 0; i < 100; i++) {
                    out.write('#');
                    out.flush();
                    Thread.sleep(100);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(refusal(Endpoints.url(http, "/trickle"))).hasMessageContaining("did not answer within 2 s");
    }

    @Test
    void one_that_answers_without_end_is_left() {
        Endpoints.serve(http, "/large", () -> "# x\n".repeat(2 << 20));
        assertThat(refusal(Endpoints.url(http, "/large"))).hasMessageContaining("more than 4194304 bytes");
    }

    @Test
    void an_application_that_goes_away_is_missing_and_the_others_go_on() throws Exception {
        Endpoints.serve(http, "/metrics", () -> POOL);
        HttpServer second = Endpoints.start();
        String first = Endpoints.url(http, "/metrics");
        String other = Endpoints.url(second, "/metrics");
        Endpoints.serve(second, "/metrics", () -> POOL);
        LocalProbe<?> both = probe(first, other);
        LocalProbe<?> one = probe(other);
        for (int i = 0;
                i < 200;
                i++) { // as fast as they go: the thread of one look is not quite free when the next begins
            assertThat(look(both)).extracting(PoolRow::endpoint).containsExactly(first, other);
        }
        second.stop(0);
        assertThat(look(both)).extracting(PoolRow::endpoint).containsExactly(first);
        IOException gone = catchThrowableOfType(IOException.class, () -> look(one));
        assertThat(gone).hasMessageStartingWith(other);
        assertThat(refusal(other).hint()).contains("Is the application running");
    }

    @Test
    void no_url_is_no_probe() {
        assertThat(PoolProbe.of(List.of())).isEmpty();
    }
}
