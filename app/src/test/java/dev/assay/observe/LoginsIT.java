package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.SettingRow;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.probe.SqlProbe;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions are counted by the server: {@code watcher} is a role that nobody else has, and one that is logging in has no role yet. */
@Timeout(120)
class LoginsIT {

    private static final String SESSIONS =
            "select count(*) from pg_stat_get_activity(null) where backend_type = 'client backend'"
                    + " and (usesysid = (select w from watcher) or usesysid is null)";
    private static final String TERMINATE =
            "select pg_terminate_backend(pid) from pg_stat_get_activity(null) where application_name = 'assay'";

    private static TestDatabase database(EmbeddedServer server) throws SQLException {
        return TestDatabase.on(
                server,
                "create role watcher login in role pg_monitor",
                "create table watcher as select oid as w from pg_authid where rolname = 'watcher'");
    }

    /** Counts until it is told to stop; the most that it saw at once. */
    private static CompletableFuture<Integer> most(Connection view, AtomicBoolean over) {
        return CompletableFuture.supplyAsync(() -> {
            int most = 0;
            try {
                while (!over.get()) {
                    most = Math.max(most, Integer.parseInt(TestDatabase.one(view, SESSIONS)));
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return most;
        });
    }

    private static SamplerPlan plan(TestDatabase database) {
        return new SamplerPlan(database.address("watcher"), Probes.all(), false);
    }

    private static Probe<SettingRow> asleep(Pace.Lane lane) {
        return new SqlProbe<>(
                "asleep",
                SettingRow.class,
                Pace.every(Duration.ofMillis(100)).in(lane),
                SqlProbe.Query.since(10, "select pg_sleep(4)::text"),
                (row, context) -> new SettingRow("", "", ""));
    }

    @Test
    void thereAreNeverMoreThanTwoSessionsWhateverBecomesOfThem() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16");
                TestDatabase database = database(server);
                Connection view = database.connect("view");
                Connection other = database.connect("other")) {
            Witness witness = new Witness();
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> most = most(view, over);
            try (Sampler sampler = Sampler.start(plan(database), witness)) {
                for (int round = 1; round <= 5; round++) {
                    witness.untilEvents(ObserverRow.Kind.CONNECTED, 2 * round);
                    TestDatabase.run(other, TERMINATE);
                    witness.untilEvents(ObserverRow.Kind.LOST, 2 * round);
                }
                witness.untilEvents(ObserverRow.Kind.CONNECTED, 12);
                assertThat(sampler.lost()).isNull();
                assertThat(witness.events(ObserverRow.Kind.RESTARTED)).isEmpty();
            } finally {
                over.set(true);
            }
            assertThat(most.join()).isEqualTo(2);
            await().atMost(Witness.PATIENCE)
                    .until(() -> TestDatabase.one(other, SESSIONS).equals("0"));
        }
    }

    /**
     * While the catalog of roles is locked a login waits on the server without any time-out there. It is told after ten seconds; no second login
     * is left behind beside it, and it is used as soon as the lock is gone.
     */
    @Test
    void aLoginThatHangsIsKeptAndTheOtherLaneGoesOn() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("18");
                TestDatabase database = database(server);
                Connection view = database.connect("view");
                Connection holder = database.connect("holder")) {
            Witness witness = new Witness();
            AtomicBoolean over = new AtomicBoolean();
            TestDatabase.one(view, SESSIONS);
            CompletableFuture<Integer> most = most(view, over);
            List<Probe<?>> one =
                    Probes.all().stream() // each lane has one, so that its session is known by its statement
                            .filter(probe ->
                                    Set.of(ActivityRow.class, SettingRow.class).contains(probe.row()))
                            .<Probe<?>>map(probe -> probe.at(probe.pace().at(Duration.ofMillis(500))))
                            .toList();
            Sampler sampler = Sampler.start(new SamplerPlan(database.address("watcher"), one, false), witness);
            try (sampler) {
                await().atMost(Witness.PATIENCE)
                        .until(() -> witness.samples(ActivityRow.class) >= 2 && witness.samples(SettingRow.class) >= 1);
                TestDatabase.run(holder, "begin; lock table pg_authid in access exclusive mode");
                TestDatabase.run(
                        holder,
                        "select pg_terminate_backend(pid) from pg_stat_get_activity(null)"
                                + " where application_name = 'assay' and query not like '%pg_stat_get_activity(null)%'");
                witness.untilEvents(ObserverRow.Kind.REFUSED, 1);
                assertThat(witness.events(ObserverRow.Kind.REFUSED).get(0).detail())
                        .startsWith("the server has not answered the login for 10 s");
                witness.untilMore(ActivityRow.class, 3);
                TestDatabase.run(holder, "rollback");
                witness.untilEvents(ObserverRow.Kind.CONNECTED, 3);
                // and once more, to stop while it hangs
                TestDatabase.run(holder, "begin; lock table pg_authid in access exclusive mode");
                TestDatabase.run(holder, TERMINATE);
                witness.untilEvents(ObserverRow.Kind.LOST, 3);
                await().atMost(Witness.PATIENCE)
                        .until(() -> TestDatabase.one(
                                        view,
                                        "select count(*) from pg_stat_get_activity(null) where usesysid is null"
                                                + " and backend_type = 'client backend'")
                                .equals("2"));
                long start = System.nanoTime();
                sampler.stop();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
                TestDatabase.run(holder, "rollback");
            } finally {
                over.set(true);
            }
            assertThat(most.join()).isEqualTo(2);
            await().atMost(Witness.PATIENCE)
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().startsWith("assay-login")));
        }
    }

    @Test
    void aServerWithoutAFreeConnectionIsToldAndTriedAgain() throws Exception {
        try (EmbeddedServer server =
                        EmbeddedServer.start(TestServers.settings("16").withMaxConnections(9));
                TestDatabase database = database(server);
                Connection view = database.connect("view")) {
            List<TargetSession> fillers = new ArrayList<>();
            try {
                while (fillers.size() < 5) { // 9 less 3 that are reserved less the view
                    fillers.add(TargetSession.open(database.address("watcher")));
                }
                TargetException full = catchThrowableOfType(
                        TargetException.class,
                        () -> Sampler.start(plan(database), new Witness()).close());
                assertThat(full.sqlState()).isEqualTo("53300");

                fillers.remove(0).close();
                Witness witness = new Witness();
                try (Sampler sampler = startedInTheLastSlot(database, view, witness)) {
                    witness.untilEvents(ObserverRow.Kind.REFUSED, 1);
                    assertThat(witness.events(ObserverRow.Kind.REFUSED).get(0).detail())
                            .contains("has no free connection");
                    witness.untilMore(ActivityRow.class, 2);
                    assertThat(witness.events(ObserverRow.Kind.CONNECTED)).hasSize(1);
                    fillers.remove(0).close();
                    witness.untilEvents(ObserverRow.Kind.CONNECTED, 2);
                    await().atMost(Witness.PATIENCE).until(() -> witness.samples(SettingRow.class) >= 1);
                    assertThat(sampler.lost()).isNull();
                }
            } finally {
                fillers.forEach(TargetSession::close);
            }
        }
    }

    private static Sampler startedInTheLastSlot(TestDatabase database, Connection view, Witness witness) {
        await().atMost(Witness.PATIENCE)
                .until(() -> Integer.parseInt(TestDatabase.one(view, SESSIONS)) == 4); // the filler's backend has gone
        return Sampler.start(plan(database), witness);
    }

    @Test
    void stoppingDoesNotWaitForALookAndALentSessionIsFreeAgain() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"));
                Connection view = database.connect("view");
                TargetSession lent = database.target()) {
            String asleep = "select count(*) from pg_stat_get_activity(null) where wait_event = 'PgSleep' and datid ="
                    + " (select oid from pg_database where datname = '" + database.name() + "')";
            Sampler sampler = Sampler.start(lent, List.of(asleep(Pace.Lane.QUICK)));
            await().atMost(Witness.PATIENCE)
                    .until(() -> TestDatabase.one(view, asleep).equals("1"));
            long start = System.nanoTime();
            sampler.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(lent.query("select 7", row -> row.getInt(1))).containsExactly(7);

            Witness witness = new Witness();
            SamplerPlan plan = new SamplerPlan(
                    database.address("postgres"), List.of(asleep(Pace.Lane.QUICK), asleep(Pace.Lane.PATIENT)), false);
            Sampler own = Sampler.start(plan, witness);
            await().atMost(Witness.PATIENCE)
                    .until(() -> TestDatabase.one(view, asleep).equals("2"));
            start = System.nanoTime();
            own.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            await().atMost(Witness.PATIENCE)
                    .until(() -> TestDatabase.one(view, asleep).equals("0"));
            assertThat(witness.events()).extracting(ObserverRow::kind).containsOnly(ObserverRow.Kind.CONNECTED);
        }
    }

    /** The network carries nothing any more: neither the look nor the request to end it gets an answer. */
    @Test
    void stoppingDoesNotWaitForANetworkThatCarriesNothing() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (SwitchedPort port = new SwitchedPort(server)) {
            Witness witness = new Witness();
            SamplerPlan plan = new SamplerPlan(port.address(server, server.user()), Probes.all(), false);
            Sampler sampler = Sampler.start(plan, witness);
            try (sampler) {
                witness.untilMore(ActivityRow.class, 2);
                port.stall();
                int before = witness.samples(ActivityRow.class);
                Thread.sleep(1500); // a look has begun
                assertThat(witness.samples(ActivityRow.class)).isLessThanOrEqualTo(before + 1);
                long start = System.nanoTime();
                sampler.stop();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            }
        }
        await().atMost(Witness.PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("assay-sampler")
                                || thread.getName().startsWith("assay-cancel")));
    }

    /** A thread that ends without a word would leave a recorder that looks at nothing and says that all is well. */
    @Test
    void aLackOfMemoryIsTold() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"));
                TargetSession lent = database.target()) {
            Probe<SettingRow> large = new SqlProbe<>(
                    "large",
                    SettingRow.class,
                    Pace.every(Duration.ofMillis(100)),
                    SqlProbe.Query.since(10, "select 1"),
                    (row, context) -> {
                        throw new OutOfMemoryError("Java heap space");
                    });
            try (Sampler sampler = Sampler.start(lent, List.of(large))) {
                ObserverException told =
                        catchThrowableOfType(ObserverException.class, () -> sampler.await(Witness.PATIENCE));
                assertThat(told)
                        .hasMessage("the looks at the server broke off: java.lang.OutOfMemoryError: Java heap space");
                assertThat(told.hint()).contains("ASSAY_JAVA_OPTS");
            }
        }
    }
}
