package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.sys.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class SelfCostIT {

    /** Runs fifty times as fast as the machine's clock, so that minutes pass in seconds. */
    private static final class FastClock implements Clock {
        private static final int FASTER = 50;
        private final long startNanos = System.nanoTime();
        private final Instant start = Instant.now();

        @Override
        public long nanos() {
            return startNanos + FASTER * (System.nanoTime() - startNanos);
        }

        @Override
        public Instant now() {
            return start.plusNanos(nanos() - startNanos);
        }
    }

    private static List<Probe<?>> activity(Duration cadence) {
        return Probes.all().stream()
                .filter(probe -> probe.row().equals(ActivityRow.class))
                .<Probe<?>>map(probe -> probe.at(probe.pace().at(cadence)))
                .toList();
    }

    /** What {@code /proc} says of the processes that the server says are ours, read by the test itself. */
    private static long onCoreNanos(Connection view) throws Exception {
        long sum = 0;
        for (List<String> row : TestDatabase.rows(
                view, "select pid from pg_stat_get_activity(null) where application_name = 'assay'")) {
            String account = Files.readString(Path.of("/proc", row.get(0), "schedstat"));
            sum += Long.parseLong(account.substring(0, account.indexOf(' ')));
        }
        return sum;
    }

    @Test
    void theCostIsTheCpuTimeOfOurBackendsWhereTheServerIsOnThisMachine() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16");
                TestDatabase database = TestDatabase.on(server);
                Connection view = database.connect("view")) {
            Witness witness = new Witness();
            SamplerPlan plan = new SamplerPlan(database.address("postgres"), activity(Duration.ofMillis(20)), false);
            try (Sampler sampler = Sampler.start(plan, witness)) {
                witness.untilMore(ActivityRow.class, 100);
                long before = onCoreNanos(view);
                SelfCost cost = sampler.cost();
                long after = onCoreNanos(view);
                assertThat(cost.sameMachine()).isTrue();
                assertThat(cost.backendCpu().toNanos()).isBetween(before, after);
                assertThat(cost.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
                assertThat(cost.clientCpu()).isPositive();
                assertThat(cost.queries()).isGreaterThanOrEqualTo(100);
                assertThat(cost.shareOfCoresMax())
                        .isEqualTo(
                                (cost.backendCpu().toNanos() + cost.clientCpu().toNanos())
                                        / (double) cost.elapsed().toNanos()
                                        / cost.cores());
                // and it goes on from there when the session is another one
                TestDatabase.run(
                        view,
                        "select pg_terminate_backend(pid) from pg_stat_get_activity(null) where application_name = 'assay'");
                witness.untilEvents(ObserverRow.Kind.CONNECTED, 2);
                witness.untilMore(ActivityRow.class, 5);
                assertThat(sampler.cost().backendCpu()).isGreaterThan(cost.backendCpu());
                assertThat(sampler.cost().queries()).isGreaterThan(cost.queries());
            }
        }
    }

    /** Waiting takes real time, so that on the fast clock looks are at least 200 ms times fifty apart, and sixteen times that in the end. */
    @Test
    void overItsBudgetASamplerLooksMoreSeldomAndSaysSo() throws Exception {
        Duration cadence = Duration.ofMillis(200);
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"))) {
            Witness witness = new Witness();
            CostBudget tiny = new CostBudget(1e-7, 0, false);
            SamplerPlan plan = new SamplerPlan(database.address("postgres"), activity(cadence), false, tiny);
            try (Sampler sampler = Sampler.start(plan, witness, new FastClock())) {
                await().atMost(Witness.PATIENCE).until(() -> sampler.cost().slowedBy() == CostMeter.STRETCH_MAX);
                assertThat(witness.events(ObserverRow.Kind.SLOWED))
                        .hasSize(4)
                        .allSatisfy(row -> assertThat(row.detail())
                                .matches(
                                        "looking took \\d+\\.\\d\\d % of \\d+ cores in 30 s; every probe now looks \\d+ times more"
                                                + " seldom than planned"));
                int before = witness.samples(ActivityRow.class);
                await().atMost(Witness.PATIENCE).until(() -> witness.samples(ActivityRow.class) >= before + 2);
                var samples = witness.seen().samples(ActivityRow.class);
                Duration last = Duration.between(
                        samples.get(samples.size() - 2).at(),
                        samples.get(samples.size() - 1).at());
                assertThat(last).isGreaterThan(cadence.multipliedBy(12 * FastClock.FASTER));
                Duration quickest = Duration.ofDays(1);
                for (int i = 1; i < samples.size(); i++) {
                    Duration gap = Duration.between(
                            samples.get(i - 1).at(), samples.get(i).at());
                    quickest = gap.compareTo(quickest) < 0 ? gap : quickest;
                }
                assertThat(quickest).isLessThan(cadence.multipliedBy(4 * FastClock.FASTER));
            }
        }
    }

    @Test
    void withinItsBudgetItSaysNothing() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"))) {
            Witness witness = new Witness();
            CostBudget ample = new CostBudget(1e6, 0, false);
            SamplerPlan plan =
                    new SamplerPlan(database.address("postgres"), activity(Duration.ofSeconds(2)), false, ample);
            try (Sampler sampler = Sampler.start(plan, witness, new FastClock())) {
                await().atMost(Witness.PATIENCE)
                        .until(() -> sampler.cost().elapsed().compareTo(Duration.ofSeconds(200)) > 0);
                assertThat(sampler.cost().slowedBy()).isEqualTo(1);
                assertThat(witness.events()).extracting(ObserverRow::kind).containsExactly(ObserverRow.Kind.CONNECTED);
            }
        }
    }
}
