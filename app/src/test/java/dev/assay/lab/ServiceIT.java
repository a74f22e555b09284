package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import dev.assay.diagnose.Diagnostician;
import dev.assay.lab.service.ServiceException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services under test: the shop is a program of its own that writes an order for every request. */
@Timeout(180)
final class ServiceIT {

    private static final String HEAD = """
            name: shop
            title: A shop
            question: How does the shop do?
            parameters: {server: 16, clients: 3, pool: 2}
            load: {clients: '${clients}', trials: 2, warmup: 300ms, measured: 1s}
            schemas:
              shop: create table orders (who int, what text, at timestamptz default clock_timestamp());
            systems:
              db: {server: '${server}', schema: shop, settings: {autovacuum: off}}
            """;

    private static final String ORDER =
            "{path: '/orders/{user}', body: '{\"goods\": {random:7-9}}', status: 201, weight: 9}";

    /** The section of one process; words are further arguments of the program. */
    private static String shop(String more, String requests, String... words) {
        StringBuilder command = new StringBuilder();
        for (String word : List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.assay.lab.service.Shop")) {
            command.append('\'').append(word).append("', ");
        }
        return "processes:\n  shop: {command: [" + command + String.join(", ", words)
                + "], environment: {POOL: '${pool}'}" + more + ", requests: [" + requests + "]}\n";
    }

    private static LabRun run(String rest, Map<String, String> set) throws InterruptedException {
        return new Laboratory(new Diagnostician(List.of()), LabListener.SILENT, null)
                .run(ExperimentFile.parse("shop.yaml", HEAD + rest, set), 5);
    }

    private static double median(ExperimentResult result, String variant, String metric) {
        return result.variant(variant).metric(metric).orElseThrow().median();
    }

    private static long shopsRunning() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "18"})
    void everyRequestIsCountedAndSoIsWhatItCosts(String server) throws Exception {
        ExperimentResult result = run(
                        shop(", ready: /ready", ORDER + ", {path: /fail, status: 500}") + """
                variants:
                  busy:
                    system: db
                    process: shop
                    load: {latency_limit: 5s}
                    checks:
                      users have numbers: select min(who) = 1 and max(who) = 3 and count(distinct who) = 3 from orders
                      goods are drawn: select count(distinct what) = 3 from orders
                      nothing else is there: select count(*) = 0 from orders where what !~ '^."goods". [789].$'
                signatures:
                  - {variant: busy, expect: {metric: service_cpu_per_transaction, above: 1}}
                """, Map.of("server", server))
                .result();
        assertThat(result.trials()).allMatch(Trial::ok);
        VariantResult busy = result.variant("busy");
        assertThat(busy.checks()).hasSize(3).allMatch(VariantResult.Check::ok);
        // a small heap may be collected for long enough to be told; that is this JVM's affair
        assertThat(busy.flags()).allMatch(flag -> flag.startsWith("the load client "));
        assertThat(result.signatures()).allMatch(Signature::ok);
        assertThat(median(result, "busy", "transactions_per_second")).isGreaterThan(50);
        assertThat(median(result, "busy", "goodput"))
                .isCloseTo(median(result, "busy", "transactions_per_second"), withinPercentage(1));
        assertThat(median(result, "busy", "latency_p50")).isPositive();
        assertThat(median(result, "busy", "server_cpu_per_transaction")).isPositive();
        assertThat(median(result, "busy", "backend_memory")).isPositive();
        // nine of ten requests write a row and commit it
        assertThat(median(result, "busy", "wal_records_per_transaction")).isBetween(1.6, 2.2);
        assertThat(busy.waits().stream().mapToDouble(WaitSlice::share).sum()).isCloseTo(1, within(0.05));
        assertThat(shopsRunning()).isZero();
    }

    @Test
    void aMatrixGoesThroughTheServicesEnvironment() throws Exception {
        Experiment experiment = ExperimentFile.parse(
                "shop.yaml", HEAD.replace("pool: 2", "pool: [1, 2]") + shop("", ORDER) + """
                variants: {busy: {system: db, process: shop}}
                """, Map.of());
        assertThat(experiment.variants())
                .extracting(Experiment.Variant::name)
                .containsExactly("busy-pool-1", "busy-pool-2");
        assertThat(experiment.variants())
                .extracting(variant ->
                        ((Workload.Service) variant.workload()).environment().get("POOL"))
                .containsExactly("1", "2");
    }

    @Test
    void answersThatAreNotExpectedAreFailures() throws Exception {
        ExperimentResult result = run(
                        shop(", ready: /ready", ORDER + ", {path: /fail}")
                                + "variants: {busy: {system: db, process: shop}}\n",
                        Map.of())
                .result();
        assertThat(result.trials()).allMatch(Trial::ok);
        assertThat(result.variant("busy").flags())
                .filteredOn(flag -> !flag.startsWith("the load client "))
                .singleElement()
                .asString()
                .matches("\\d+ requests were answered with HTTP 500");
        ExperimentResult none = run(
                        shop(", ready: /ready", "{path: /fail}") + "variants: {busy: {system: db, process: shop}}\n",
                        Map.of())
                .result();
        assertThat(none.trials())
                .hasSize(2)
                .allSatisfy(trial -> assertThat(trial.failure())
                        .isEqualTo("every transaction failed: GET /fail: HTTP 500 no such goods at all"));
    }

    @Test
    void aServiceThatDiesFailsItsTrialAndIsNamed() throws Exception {
        ExperimentResult result = run(
                        shop(", ready: /ready", "{path: /ready, weight: 50}, {path: /die}")
                                + "variants: {busy: {system: db, process: shop}}\n",
                        Map.of())
                .result();
        assertThat(result.trials())
                .hasSize(2)
                .allSatisfy(trial -> assertThat(trial.failure())
                        .contains(
                                "of 3 connections lost: GET /",
                                "the service ended with 3, it said: killed by a visitor"));
        assertThat(shopsRunning()).isZero();
    }

    @Test
    void aServiceThatDoesNotComeUpIsToldWithWhatItSaid() {
        String variants = "variants: {busy: {system: db, process: shop}}\n";
        assertThatThrownBy(() -> run(shop("", ORDER, "refuse") + variants, Map.of()))
                .isInstanceOf(ServiceException.class)
                .hasMessage("the service ended with 9 before it was ready, it said: the shop is shut today");
        assertThatThrownBy(() -> run(shop(", ready_within: 2s", ORDER, "deaf") + variants, Map.of()))
                .isInstanceOf(ServiceException.class)
                .hasMessage("the service was not ready within 2 s: it does not answer GET /, it said: I hear nothing");
        assertThatThrownBy(() -> run(shop(", ready: /fail, ready_within: 3s", ORDER) + variants, Map.of()))
                .hasMessageContaining("the service was not ready within 3 s: it answers GET /fail with 500");
        assertThatThrownBy(() -> run(
                        "processes: {shop: {command: [/nowhere/shop, '${pool}'], requests: [{path: /}]}}\n" + variants,
                        Map.of()))
                .isInstanceOf(ServiceException.class)
                .hasMessageStartingWith("the service cannot be started: ")
                .hasMessageContaining("/nowhere/shop");
        assertThat(shopsRunning()).isZero();
    }

    @Test
    void anInterruptedRunEndsTheService() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                run(
                        shop(", ready: /ready", ORDER) + "variants: {busy: {system: db, process: shop}}\n",
                        Map.of("load.measured", "100s"));
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        thread.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> shopsRunning() > 0);
        thread.interrupt();
        thread.join(Duration.ofSeconds(30).toMillis());
        assertThat(thread.isAlive()).isFalse();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(shopsRunning()).isZero();
    }
}
