package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Sample;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody holds, or waits for, the strongest lock on a table or catalog, and watches every few milliseconds from that very session whether
 * one of our sessions waits for a lock, and since when: {@code pg_locks.waitstart} tells.
 */
@Timeout(300)
class CatalogLocksIT {

    private static final Duration LOCKED = Duration.ofMillis(1200);

    /** The limit is 100 ms; the rest is for a busy machine that wakes a process late. */
    private static final double WAIT_MILLIS_MAX = 400;

    private static final String WAITING =
            "select extract(epoch from clock_timestamp() - l.waitstart) * 1000, a.query from pg_locks l"
                    + " join pg_stat_get_activity(null) a on a.pid = l.pid"
                    + " where not l.granted and l.waitstart is not null and a.application_name = 'assay'";

    private static final String OURS =
            "select count(*) from pg_stat_get_activity(null) where application_name = 'assay'";

    private final List<String> figures = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"14", "16", "18"})
    void noLookWaitsLongAndEveryProbeComesBack(String version) throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(
                        TestServers.settings(version).with("shared_preload_libraries", "pg_stat_statements"));
                TestDatabase database = TestDatabase.on(
                        server,
                        "create extension pg_stat_statements",
                        "create role watcher login in role pg_monitor",
                        "create table orders (id int primary key, region text)",
                        "insert into orders select i, 'eu' from generate_series(1, 1000) i");
                Connection holder = database.connect("holder");
                Connection second = database.connect("second")) {
            Witness witness = new Witness();
            SamplerPlan plan = new SamplerPlan(database.address("watcher"), probes(), false, CostBudget.closeLook());
            TestDatabase.rows(holder, WAITING); // so that nothing has to be looked up in a catalog that is locked
            TestDatabase.one(holder, OURS);
            try (Sampler sampler = Sampler.start(plan, witness)) {
                await().atMost(Witness.PATIENCE).until(() -> names(witness, 0).containsAll(asked(witness)));
                // six looks make the driver and the server keep a statement prepared
                await().atMost(Witness.PATIENCE)
                        .until(() ->
                                asked(witness).stream().allMatch(name -> witness.looks(name, LookRow.Outcome.OK) >= 6));
                Set<String> refused = refused(witness);
                assertThat(asked(witness)).contains("statements");
                for (String table : List.of(
                        "orders",
                        "pg_class",
                        "pg_authid",
                        "pg_database",
                        "pg_proc",
                        "pg_namespace",
                        "pg_stat_statements")) {
                    held(table, holder, witness);
                    queued(table, holder, second, witness);
                    assertThat(refused(witness)).as("after locks on " + table).isEqualTo(refused);
                }
                assertThat(witness.events(ObserverRow.Kind.LOST)).isEmpty();
                assertThat(sampler.lost()).isNull();
            } finally {
                System.out.println("PostgreSQL " + version + ": " + String.join("\n  ", figures));
            }
        }
    }

    /** Each at least once a second, activity ten times. */
    private static List<Probe<?>> probes() {
        return Probes.all().stream()
                .<Probe<?>>map(probe ->
                        probe.at(probe.pace().at(Duration.ofMillis(probe.row().equals(ActivityRow.class) ? 100 : 500))))
                .toList();
    }

    /** Probes that are asked whatever happens, and that the server does not refuse. */
    private static Set<String> asked(Witness witness) {
        Set<String> names = Probes.all().stream()
                .filter(probe -> !probe.pace().onLockWaits())
                .map(Probe::name)
                .collect(Collectors.toCollection(TreeSet::new));
        names.removeAll(refused(witness));
        return names;
    }

    private static Set<String> refused(Witness witness) {
        return witness.looks(LookRow.Outcome.REFUSED).stream()
                .map(LookRow::probe)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> names(Witness witness, int skipped) {
        return witness.looks(LookRow.Outcome.OK).stream()
                .skip(skipped)
                .map(LookRow::probe)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void held(String table, Connection holder, Witness witness) throws Exception {
        TestDatabase.run(holder, "begin; lock table " + table + " in access exclusive mode");
        try {
            watch(table + " held", holder, witness);
        } finally {
            TestDatabase.run(holder, "rollback");
        }
        comesBack(table, witness);
    }

    /** A reader holds the table, so somebody waits for the strong lock, and everybody else waits behind. */
    private void queued(String table, Connection reader, Connection second, Witness witness) throws Exception {
        TestDatabase.run(reader, "begin; lock table " + table + " in access share mode");
        CompletableFuture<Void> waiting;
        try {
            waiting = TestDatabase.runAside(
                    second, "set lock_timeout = '20s'; begin; lock table " + table + " in access exclusive mode");
            await().atMost(Witness.PATIENCE)
                    .until(() -> TestDatabase.one(
                                    reader,
                                    "select count(*) from pg_locks where not granted and mode = 'AccessExclusiveLock'")
                            .equals("1"));
            watch(table + " queued", reader, witness);
        } finally {
            TestDatabase.run(reader, "rollback");
        }
        waiting.join();
        TestDatabase.run(second, "rollback");
        comesBack(table, witness);
    }

    private void watch(String what, Connection watching, Witness witness) throws SQLException, InterruptedException {
        int looksBefore = witness.looks(LookRow.Outcome.MISSED).size();
        Instant from = last(witness);
        int activityBefore = witness.samples(ActivityRow.class);
        double longest = 0;
        String by = "";
        int waits = 0;
        long end = System.nanoTime() + LOCKED.toNanos();
        while (System.nanoTime() < end) {
            for (List<String> wait : TestDatabase.rows(watching, WAITING)) {
                waits++;
                double millis = Double.parseDouble(wait.get(0));
                if (millis > longest) {
                    longest = millis;
                    by = wait.get(1);
                }
            }
            Thread.sleep(5);
        }
        assertThat(longest).as("%s: %s", what, by).isLessThan(WAIT_MILLIS_MAX);
        assertThat(TestDatabase.one(watching, OURS)).isEqualTo("2");
        int activity = witness.samples(ActivityRow.class) - activityBefore;
        long gap = longestGapMillis(witness, from);
        List<LookRow> missed = witness.looks(LookRow.Outcome.MISSED);
        missed = missed.subList(looksBefore, missed.size());
        figures.add(String.format(
                "%s: longest wait %.0f ms, seen waiting %d times; %d looks at activity, %d ms apart at most; missed %s",
                what,
                longest,
                waits,
                activity,
                gap,
                missed.stream().map(LookRow::probe).collect(Collectors.toCollection(TreeSet::new))));
        assertThat(activity).as("looks at activity while %s", what).isGreaterThanOrEqualTo(3);
        assertThat(missed)
                .as(what)
                .noneMatch(look -> look.probe().equals("activity"))
                .allSatisfy(look -> assertThat(look.detail()).contains("lock timeout"));
    }

    private static Instant last(Witness witness) {
        List<Sample<ActivityRow>> samples = witness.seen().samples(ActivityRow.class);
        return samples.get(samples.size() - 1).at();
    }

    private static long longestGapMillis(Witness witness, Instant from) {
        long longest = 0;
        Instant before = from;
        for (Sample<ActivityRow> sample : witness.seen().samples(ActivityRow.class)) {
            if (sample.at().isAfter(before)) {
                longest =
                        Math.max(longest, Duration.between(before, sample.at()).toMillis());
                before = sample.at();
            }
        }
        return longest;
    }

    private static void comesBack(String table, Witness witness) {
        int before = witness.looks(LookRow.Outcome.OK).size();
        await().atMost(Witness.PATIENCE)
                .alias("all probes after a lock on " + table)
                .until(() -> names(witness, before).containsAll(asked(witness)));
    }
}
