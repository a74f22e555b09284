package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.Unavailable;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.probe.SqlProbe;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.sys.Clock;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(90)
class SamplerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static int looks(Sampler sampler, Class<? extends Row> row) {
        return sampler.soFar().samples(row).size();
    }

    private static void untilMore(Sampler sampler, Class<? extends Row> row, int more) {
        int before = looks(sampler, row);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(looks(sampler, row))
                        .as("%s, lost %s", sampler.soFar().unavailable(), sampler.lost())
                        .isGreaterThanOrEqualTo(before + more));
    }

    @Test
    void looksTenTimesASecondAtActivityOnceAtLocksAndOnceAMinuteAtSettings() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"));
                TargetSession session = database.target();
                Sampler sampler = Sampler.start(session, Probes.close())) {
            untilMore(sampler, ActivityRow.class, 30);
            Observation seen = sampler.stop();
            double seconds = Duration.between(seen.from(), seen.to()).toMillis() / 1000.0;
            assertThat(seconds).isGreaterThan(2.8);
            assertThat((double) seen.samples(ActivityRow.class).size()).isLessThan(10 * seconds + 2);
            assertThat((double) seen.samples(RelationLocksRow.class).size()).isBetween(1.0, seconds + 1);
            assertThat(seen.samples(SettingRow.class)).hasSize(1);
            assertThat(seen.unavailable()).isEmpty();
            assertThat(sampler.lost()).isNull();
            assertThat(seen.cost().clientCpu()).isPositive();
            assertThat(seen.cost().queries()).isGreaterThan(30);
            // the session is free again
            assertThat(session.query("select 7", row -> row.getInt(1))).containsExactly(7);
        }
    }

    /**
     * Nobody can log in while {@code pg_authid} is locked, and {@code pg_stat_activity} fails: the looks go on all the same, with the names that
     * are known.
     */
    @ParameterizedTest
    @ValueSource(strings = {"14", "16", "18"})
    void lockedCatalogsOfRolesAndDatabasesCostNoLook(String version) throws Exception {
        try (EmbeddedServer server = TestServers.fresh(version);
                TestDatabase database = TestDatabase.on(
                        server, "create role monitor login in role pg_monitor", "create table t (i int)");
                Connection sleeper = database.connect("sleeper");
                Connection holder = database.connect("holder");
                TargetSession session = TargetSession.open(database.address("monitor"));
                Sampler sampler = Sampler.start(session, Probes.close())) {
            TestDatabase.run(sleeper, "begin; lock table t in row share mode");
            var sleeping = TestDatabase.runAside(sleeper, "select pg_sleep(300)");
            untilMore(sampler, ActivityRow.class, 3);
            TestDatabase.run(holder, "begin");
            TestDatabase.run(holder, "create role newcomer");
            TestDatabase.run(
                    holder,
                    "lock table pg_authid, pg_auth_members, pg_database, pg_db_role_setting in access exclusive mode");
            int before = looks(sampler, ActivityRow.class);
            untilMore(sampler, ActivityRow.class, 10);
            untilMore(sampler, RelationLocksRow.class, 1);
            Observation during = sampler.soFar();
            List<ActivityRow> asleep = new ArrayList<>();
            during.samples(ActivityRow.class)
                    .subList(before, before + 10)
                    .forEach(sample -> sample.rows().stream()
                            .filter(row -> row.application().equals("sleeper"))
                            .forEach(asleep::add));
            assertThat(asleep).hasSize(10).allSatisfy(row -> {
                assertThat(row.user()).isEqualTo("postgres");
                assertThat(row.database()).isEqualTo(database.name());
                assertThat(row.timeGoesTo()).hasToString("Timeout:PgSleep");
            });
            TestDatabase.run(holder, "rollback");
            TestDatabase.run(
                    holder,
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sleeper'");
            sleeping.join();
            assertThat(sampler.stop().unavailable()).isEmpty();
            assertThat(sampler.lost()).isNull();
        }
    }

    /**
     * A sampler that starts while the catalog is locked has no names: OIDs stand for them until they can be read. (The session has looked before,
     * so that its backend knows what its own role may see.)
     */
    @Test
    void anUnknownNameIsItsOidUntilItCanBeRead() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16");
                TestDatabase database = TestDatabase.on(server);
                Connection holder = database.connect("holder");
                Connection seen = database.connect("seen");
                TargetSession session = database.target()) {
            String oid = TestDatabase.one(holder, "select oid from pg_roles where rolname = 'postgres'");
            try (Sampler first = Sampler.start(session, Probes.close())) {
                untilMore(first, ActivityRow.class, 3);
            }
            TestDatabase.run(seen, "begin");
            TestDatabase.run(holder, "begin; lock table pg_authid in access exclusive mode");
            try (Sampler sampler = Sampler.start(session, Probes.close())) {
                untilMore(sampler, ActivityRow.class, 3);
                assertThat(users(sampler.soFar())).containsExactly(oid);
                assertThat(databases(sampler.soFar())).containsExactly(database.name());
                TestDatabase.run(holder, "rollback");
                await().atMost(PATIENCE).until(() -> users(sampler.soFar()).contains("postgres"));
                assertThat(sampler.lost()).isNull();
            }
        }
    }

    private static List<String> users(Observation seen) {
        return seen.samples(ActivityRow.class).stream()
                .flatMap(sample -> sample.rows().stream())
                .map(ActivityRow::user)
                .distinct()
                .toList();
    }

    private static List<String> databases(Observation seen) {
        return seen.samples(ActivityRow.class).stream()
                .flatMap(sample -> sample.rows().stream())
                .map(ActivityRow::database)
                .distinct()
                .toList();
    }

    @Test
    void aTerminatedBackendEndsTheSamplingAndWhatWasSeenIsKept() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"));
                Connection other = database.connect("other");
                TargetSession session = database.target()) {
            int backend = session.query("select pg_backend_pid()", row -> row.getInt(1))
                    .get(0);
            try (Sampler sampler = Sampler.start(session, Probes.close())) {
                untilMore(sampler, ActivityRow.class, 3);
                TestDatabase.run(other, "select pg_terminate_backend(" + backend + ")");
                await().atMost(PATIENCE).until(() -> sampler.lost() != null);
                assertThat(Objects.requireNonNull(sampler.lost()).getMessage()).startsWith("lost the connection to");
                Observation seen = sampler.stop();
                assertThat(seen.samples(ActivityRow.class)).hasSizeGreaterThanOrEqualTo(3);
                assertThat(seen.samples(SettingRow.class)).hasSize(1);
                assertThat(seen.unavailable())
                        .singleElement()
                        .extracting(Unavailable::what)
                        .asString()
                        .startsWith("everything after ");
            }
        }
    }

    private static Probe<SettingRow> probe(String name, int from, String sql, SqlProbe.Reader<SettingRow> reader) {
        return new SqlProbe<>(
                name, SettingRow.class, Pace.every(Duration.ofMillis(100)), SqlProbe.Query.since(from, sql), reader);
    }

    @Test
    void aProbeThatCannotBeAskedIsToldAndTheOthersGoOn() throws Exception {
        SqlProbe.Reader<SettingRow> reader = (row, names) -> new SettingRow(row.getString(1), "", "");
        List<Probe<?>> probes = new ArrayList<>(Probes.close());
        probes.add(probe("newer", 99, "select 1", reader));
        probes.add(probe("refused", 10, "select * from no_such_view", reader));
        probes.add(probe("unknown word", 10, "select 'x'", (row, names) -> {
            throw new IllegalArgumentException("not a lock mode of pg_locks: 'x'");
        }));
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"));
                TargetSession session = database.target();
                Sampler sampler = Sampler.start(session, probes)) {
            untilMore(sampler, ActivityRow.class, 10);
            Observation seen = sampler.stop();
            assertThat(seen.unavailable())
                    .extracting(Unavailable::what)
                    .containsExactlyInAnyOrder("newer", "refused", "unknown word");
            assertThat(seen.unavailable())
                    .extracting(Unavailable::why)
                    .anyMatch(why -> why.startsWith("not on PostgreSQL 16."))
                    .anyMatch(why -> why.contains("\"no_such_view\" does not exist"))
                    .contains("not a lock mode of pg_locks: 'x'");
            assertThat(sampler.lost()).isNull();
        }
    }

    /** A look that meets a lock is lost, is counted, and is taken again. */
    @Test
    void aLookThatTimesOutIsTakenAgain() throws Exception {
        SqlProbe.Reader<SettingRow> reader = (row, names) -> new SettingRow("i", row.getString(1), "");
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"), "create table t as select 7 as i");
                Connection holder = database.connect("holder");
                TargetSession session = database.target()) {
            TestDatabase.run(holder, "begin; lock table t in access exclusive mode");
            List<Probe<?>> probes = new ArrayList<>(Probes.close());
            probes.removeIf(probe -> probe.row().equals(SettingRow.class));
            probes.add(probe("locked", 10, "select i from t", reader));
            try (Sampler sampler = Sampler.start(session, probes)) {
                untilMore(sampler, ActivityRow.class, 5);
                assertThat(looks(sampler, SettingRow.class)).isZero();
                TestDatabase.run(holder, "rollback");
                untilMore(sampler, SettingRow.class, 2);
                assertThat(sampler.stop().unavailable())
                        .singleElement()
                        .extracting(Unavailable::what)
                        .asString()
                        .matches("[1-9]\\d* looks of locked");
            }
        }
    }

    /** The machine's clock, which a test can put ahead, both of it or what the wall shows alone. */
    private static final class AheadClock implements Clock {
        private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        private final AtomicReference<Duration> set = new AtomicReference<>(Duration.ZERO);

        void putAhead(Duration by) {
            ahead.updateAndGet(before -> before.plus(by));
        }

        void setWall(Duration by) {
            set.updateAndGet(before -> before.plus(by));
        }

        @Override
        public long nanos() {
            return System.nanoTime() + ahead.get().toNanos();
        }

        @Override
        public Instant now() {
            return Instant.now().plus(ahead.get()).plus(set.get());
        }
    }

    /** A recorder that has run for days shall see what somebody grants it, or an extension that somebody creates. */
    @Test
    void aProbeThatWasRefusedIsAskedAgainAfterTenMinutes() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"), "create table secret (i int)");
                Connection owner = database.connect("owner")) {
            String role = database.name() + "_plain";
            TestDatabase.run(owner, "create role " + role + " login");
            Probe<SettingRow> secret = new SqlProbe<>(
                    "secret",
                    SettingRow.class,
                    Pace.every(Duration.ofSeconds(1)),
                    SqlProbe.Query.since(10, "select count(*) from secret"),
                    (row, context) -> new SettingRow("", "", ""));
            List<Probe<?>> probes = new ArrayList<>(Probes.close());
            probes.add(secret);
            AheadClock clock = new AheadClock();
            Witness witness = new Witness();
            try (Sampler sampler =
                    Sampler.start(new SamplerPlan(database.address(role), probes, false), witness, clock)) {
                await().atMost(PATIENCE).until(() -> witness.looks("secret", LookRow.Outcome.REFUSED) == 1);
                TestDatabase.run(owner, "grant select on secret to " + role);
                witness.untilMore(ActivityRow.class, 20);
                clock.putAhead(Duration.ofMinutes(9));
                witness.untilMore(ActivityRow.class, 20);
                assertThat(witness.looks("secret", LookRow.Outcome.OK)).isZero();
                clock.putAhead(Duration.ofMinutes(1));
                await().atMost(PATIENCE).until(() -> witness.looks("secret", LookRow.Outcome.OK) >= 2);
                assertThat(witness.looks("secret", LookRow.Outcome.REFUSED)).isEqualTo(1);
                assertThat(witness.seen().unavailable())
                        .extracting(Unavailable::what)
                        .doesNotContain("secret");
                assertThat(sampler.lost()).isNull();
            } finally {
                TestDatabase.run(owner, "drop table secret; drop role " + role);
            }
        }
    }

    /** Somebody sets the wall clock, an hour ahead and two hours back: it is told, looks go on at their cadence, and times are the new ones. */
    @Test
    void aWallClockThatIsSetIsToldAndLooksGoOn() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"))) {
            AheadClock clock = new AheadClock();
            Witness witness = new Witness();
            SamplerPlan plan = new SamplerPlan(database.address("postgres"), Probes.close(), false);
            try (Sampler sampler = Sampler.start(plan, witness, clock)) {
                for (Duration jump : List.of(Duration.ofHours(1), Duration.ofHours(-2))) {
                    witness.untilMore(ActivityRow.class, 5);
                    int before = witness.events(ObserverRow.Kind.CLOCK_MOVED).size();
                    clock.setWall(jump);
                    witness.untilEvents(ObserverRow.Kind.CLOCK_MOVED, before + 1);
                    witness.untilMore(ActivityRow.class, 20);
                    List<Sample<ActivityRow>> looks = witness.seen().samples(ActivityRow.class);
                    Sample<ActivityRow> last = looks.get(looks.size() - 1);
                    assertThat(Duration.between(last.at(), clock.now()).abs()).isLessThan(Duration.ofSeconds(5));
                    Duration twenty =
                            Duration.between(looks.get(looks.size() - 20).at(), last.at());
                    assertThat(twenty).isBetween(Duration.ofMillis(1500), Duration.ofSeconds(20));
                }
                assertThat(witness.events(ObserverRow.Kind.CLOCK_MOVED))
                        .extracting(ObserverRow::detail)
                        .satisfiesExactly(
                                ahead -> assertThat(ahead).startsWith("the wall clock moved ahead by 3"),
                                back -> assertThat(back).startsWith("the wall clock moved back by 7"));
                assertThat(witness.events(ObserverRow.Kind.LOST)).isEmpty();
                assertThat(sampler.lost()).isNull();
            }
        }
    }
}
