package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SessionCountRow;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import dev.assay.wire.WireSession;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand sessions, each in a transaction that holds locks on ten tables and their indexes. */
@Timeout(180)
class ManySessionsIT {

    private static final int SESSIONS = 1000;
    private static final long LOOK_MILLIS_MAX = 3000;

    /** What a look cost is read by the sampler as it ends and here a little later. */
    private static final double PAID_AT_LEAST = 0.8;

    /** A look that takes a quarter of a second of CPU is followed by the next one 50 seconds later on two cores. */
    private static final Duration TWO_PAUSES_MAX = Duration.ofSeconds(110);

    @Test
    void everySessionIsSeenAndLooksStayShort() throws Exception {
        try (EmbeddedServer server =
                        EmbeddedServer.start(TestServers.settings("16").withMaxConnections(SESSIONS + 20));
                TestDatabase database = TestDatabase.on(
                        server,
                        "create table orders (id int primary key, region int) partition by range (id)",
                        "do $$ begin for i in 0..9 loop execute format('create table orders_%s partition of orders"
                                + " for values from (%s) to (%s)', i, i * 100, i * 100 + 100); end loop; end $$");
                Connection view = database.connect("view")) {
            List<WireSession> sessions = new ArrayList<>();
            try {
                Endpoint endpoint = new Endpoint(server.host(), server.port());
                Credentials credentials = new Credentials(server.user(), null, database.name());
                for (int i = 0; i < SESSIONS; i++) {
                    WireSession session = WireSession.connect(endpoint, credentials, "client", Duration.ofSeconds(30));
                    sessions.add(session);
                    session.execute("begin");
                    session.query("select count(*) from orders");
                }
                int locks = Integer.parseInt(TestDatabase.one(
                        view,
                        "select count(*) from pg_locks where locktype = 'relation' and pid <> pg_backend_pid()"
                                + " and database is not null"));
                Witness witness = new Witness();
                try (Sampler sampler =
                        Sampler.start(new SamplerPlan(database.address("postgres"), Probes.all(), false), witness)) {
                    witness.untilMore(ActivityRow.class, 10);
                    await().atMost(Witness.PATIENCE)
                            .until(() -> witness.samples(SessionCountRow.class) >= 1
                                    && witness.samples(RelationLocksRow.class) >= 1);
                    report(witness, sampler.cost(), locks);
                    assertThat(witness.looks(LookRow.Outcome.MISSED)).isEmpty();
                    assertThat(witness.looks(LookRow.Outcome.OK))
                            .allSatisfy(look -> assertThat(look.tookMicros()).isLessThan(LOOK_MILLIS_MAX * 1000));
                    witness.seen()
                            .samples(ActivityRow.class)
                            .forEach(sample -> assertThat(sample.rows().stream()
                                            .filter(row -> row.application().equals("client"))
                                            .filter(row -> row.state().equals("idle in transaction")))
                                    .hasSize(SESSIONS));
                    int seenLocks = witness.seen().samples(RelationLocksRow.class).get(0).rows().stream()
                            .mapToInt(row -> row.locks().size())
                            .sum();
                    assertThat(seenLocks).isEqualTo(locks).isGreaterThan(20 * SESSIONS);
                }
                looksAreTakenWhenPaidFor(database);
            } finally {
                sessions.forEach(WireSession::close);
            }
        }
    }

    /** The time from a look at all locks to the next one pays for the CPU time that it took. */
    private static void looksAreTakenWhenPaidFor(TestDatabase database) throws Exception {
        List<Probe<?>> locks = Probes.all().stream()
                .filter(probe -> probe.row() == RelationLocksRow.class)
                .toList();
        Map<Integer, Duration> cpuAfter = new HashMap<>();
        Witness witness = new Witness();
        try (Sampler sampler = Sampler.start(new SamplerPlan(database.address("postgres"), locks, false), witness)) {
            await().atMost(TWO_PAUSES_MAX).pollInterval(Duration.ofMillis(20)).until(() -> {
                int looks = witness.samples(RelationLocksRow.class);
                cpuAfter.putIfAbsent(looks, sampler.cost().backendCpu());
                return looks >= 3;
            });
        }
        List<Sample<RelationLocksRow>> samples = witness.seen().samples(RelationLocksRow.class);
        List<LookRow> looks = witness.looks(LookRow.Outcome.OK);
        assertThat(looks).extracting(LookRow::probe).containsOnly("relation locks");
        Duration between = Duration.between(
                samples.get(1).at().minusNanos(1000 * looks.get(1).tookMicros()),
                samples.get(2).at().minusNanos(1000 * looks.get(2).tookMicros()));
        Duration cost = cpuAfter.get(2).minus(cpuAfter.get(1));
        double share =
                CostBudget.recording().costlyShareOfTime(Runtime.getRuntime().availableProcessors());
        System.out.printf("a look at all locks takes %s of CPU, the next one came after %s%n", cost, between);
        assertThat(cost).isPositive();
        assertThat(between.toNanos() * share)
                .as("%s pay for %s", between, cost)
                .isGreaterThanOrEqualTo(PAID_AT_LEAST * cost.toNanos());
    }

    private static void report(Witness witness, SelfCost cost, int locks) {
        Map<String, LongSummaryStatistics> took = witness.looks(LookRow.Outcome.OK).stream()
                .collect(Collectors.groupingBy(
                        LookRow::probe, TreeMap::new, Collectors.summarizingLong(LookRow::tookMicros)));
        System.out.printf("%d sessions, %d relation locks; %s%n", SESSIONS, locks, cost);
        took.forEach((probe, micros) -> System.out.printf(
                "  %-22s %3d looks, %.1f ms on average, %.1f ms at most%n",
                probe, micros.getCount(), micros.getAverage() / 1000, micros.getMax() / 1000.0));
    }
}
