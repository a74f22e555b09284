package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.BlockingTree;
import dev.assay.observe.Sampler;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.target.TargetSession;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who waits for whom is compared with what {@code pg_blocking_pids} tells for each waiter. */
@Timeout(120)
class BlockingProbeIT {

    static final List<String> VERSIONS = NamedSessions.VERSIONS;

    /** The rows of sessions of this database, by the process that waits. */
    private static Map<Integer, BlockingRow> look(NamedSessions sessions, TargetSession session) throws SQLException {
        Map<Integer, BlockingRow> rows = new TreeMap<>();
        Set<String> own = new TreeSet<>();
        sessions.rows("select pid from pg_stat_activity where datname = current_database()")
                .forEach(row -> own.add(row.get(0)));
        for (BlockingRow row : Looks.at(session, BlockingProbe.PROBE)) {
            if (own.contains(Integer.toString(row.pid()))) {
                assertThat(rows.put(row.pid(), row)).as("%s stands twice", row).isNull();
            }
        }
        return rows;
    }

    private static Map<Integer, Set<Integer>> seen(Map<Integer, BlockingRow> rows) {
        Map<Integer, Set<Integer>> seen = new TreeMap<>();
        rows.forEach((pid, row) -> {
            assertThat(row.blockedBy()).doesNotHaveDuplicates().hasSize(row.blockers());
            seen.put(pid, new TreeSet<>(row.blockedBy()));
        });
        return seen;
    }

    private static Map<Integer, Set<Integer>> told(NamedSessions sessions) throws SQLException {
        Map<Integer, Set<Integer>> told = new TreeMap<>();
        for (List<String> row :
                sessions.rows("select l.pid, pg_blocking_pids(l.pid) from pg_locks l join pg_stat_activity a"
                        + " using (pid) where not l.granted and a.datname = current_database()")) {
            Set<Integer> blockers = new TreeSet<>();
            Arrays.stream(row.get(1).replaceAll("[{}]", "").split(","))
                    .filter(pid -> !pid.isEmpty())
                    .forEach(pid -> blockers.add(Integer.valueOf(pid)));
            told.put(Integer.valueOf(row.get(0)), blockers);
        }
        return told;
    }

    /** A row, a tuple and two who queue for it; a DDL with readers behind it; a session that goes ahead in the queue; advisory locks. */
    private static void scene(NamedSessions sessions) throws SQLException {
        sessions.run("a", "begin", "update t set n = 1 where id = 1");
        sessions.waits("b", "update t set n = 2 where id = 1");
        sessions.waits("c", "update t set n = 3 where id = 1");
        sessions.waits("d", "update t set n = 4 where id = 1");
        sessions.run("reader", "begin", "select count(*) from u");
        sessions.waits("ddl", "alter table u add column extra int");
        sessions.waits("late1", "select count(*) from u");
        sessions.waits("late2", "select count(*) from u");
        sessions.waits("writer", "begin; lock table u in row exclusive mode");
        sessions.run("sharer", "begin; lock table v in row share mode");
        sessions.run("holder", "begin; lock table v in access share mode");
        sessions.waits("patient", "begin; lock table v in access exclusive mode");
        sessions.waits("holder", "lock table v in exclusive mode");
        sessions.run("keeper", "select pg_advisory_lock(42), pg_advisory_lock(-5), pg_advisory_lock(1, -2)");
        sessions.waits("single", "select pg_advisory_lock(42)");
        sessions.waits("negative", "select pg_advisory_lock(-5)");
        sessions.waits("pair", "select pg_advisory_lock(1, -2)");
    }

    private static final String[] TABLES = {
        "create table t (id int primary key, n int)",
        "insert into t select i, 0 from generate_series(1, 10) i",
        "create table u (id int primary key)",
        "create table v (id int primary key)"
    };

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void whoWaitsForWhomIsWhatTheServerTells(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, TABLES);
                TargetSession session = sessions.as("postgres")) {
            assertThat(look(sessions, session)).isEmpty();
            scene(sessions);
            Map<Integer, BlockingRow> rows = look(sessions, session);
            assertThat(seen(rows)).isEqualTo(told(sessions)).hasSize(12);

            Map<String, BlockingRow> byName = new HashMap<>();
            sessions.pids().forEach((name, pid) -> byName.put(name, rows.get(pid)));
            assertThat(byName.get("a")).isNull();
            BlockingRow ddl = byName.get("ddl");
            Oid u = new Oid(Long.parseLong(sessions.one("select 'u'::regclass::oid")));
            assertThat(ddl.blockedBy()).containsExactly(sessions.pid("reader"));
            assertThat(ddl.lockType()).isEqualTo("relation");
            assertThat(ddl.relation()).isEqualTo(u);
            assertThat(ddl.speaksOf()).containsExactly(u);
            assertThat(ddl.object()).isEqualTo("relation " + u);
            assertThat(ddl.database()).isEqualTo(sessions.database.name());
            assertThat(ddl.mode()).isEqualTo(LockMode.ACCESS_EXCLUSIVE);
            assertThat(ddl.waitingSince())
                    .isEqualTo(ViewText.instant(
                            sessions.one("select waitstart from pg_locks where not granted and pid = " + ddl.pid())));
            assertThat(byName.get("late1").blockedBy()).containsExactly(sessions.pid("ddl"));
            assertThat(byName.get("holder").blockedBy()).containsExactly(sessions.pid("sharer"));
            assertThat(byName.get("patient").blockedBy())
                    .containsExactlyInAnyOrder(sessions.pid("sharer"), sessions.pid("holder"));
            assertThat(byName.get("b").object())
                    .isEqualTo("transaction "
                            + sessions.one("select transactionid from pg_locks where granted and"
                                    + " locktype = 'transactionid' and pid = " + sessions.pid("a")));
            assertThat(byName.get("b").relation()).isNull();
            String t = sessions.one("select 't'::regclass::oid");
            assertThat(byName.get("c").object()).isEqualTo("tuple (0,1) of relation " + t);
            assertThat(byName.get("d").blockedBy()).containsExactly(sessions.pid("b"), sessions.pid("c"));
            assertThat(byName.get("single").object()).isEqualTo("advisory lock 42");
            assertThat(byName.get("negative").object()).isEqualTo("advisory lock -5");
            assertThat(byName.get("pair").object()).isEqualTo("advisory lock (1, -2)");

            BlockingTree tree = BlockingTree.of(rows.values());
            assertThat(tree.roots())
                    .extracting(BlockingTree.Root::pid)
                    .containsExactlyInAnyOrder(
                            sessions.pid("a"), sessions.pid("reader"), sessions.pid("sharer"), sessions.pid("keeper"));
            assertThat(tree.rootsOf(sessions.pid("late2"))).containsExactly(sessions.pid("reader"));
            // whoever blocks is in the sample of activity, idle in its transaction or not
            Map<Integer, ActivityRow> activity = new HashMap<>();
            Looks.at(session, ActivityProbe.PROBE).forEach(row -> activity.put(row.pid(), row));
            assertThat(activity.get(sessions.pid("reader")).state()).isEqualTo("idle in transaction");
            assertThat(activity).containsKeys(sessions.pid("a"), sessions.pid("sharer"), sessions.pid("ddl"));
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void everyRoleSeesTheSame(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, TABLES);
                Roles roles = new Roles(sessions.database);
                TargetSession all = sessions.as("postgres");
                TargetSession monitor = sessions.as(roles.monitor);
                TargetSession plain = sessions.as(roles.plain)) {
            scene(sessions);
            Map<Integer, BlockingRow> rows = look(sessions, all);
            assertThat(look(sessions, monitor)).isEqualTo(rows).hasSize(12);
            assertThat(look(sessions, plain)).isEqualTo(rows);
        }
    }

    /** A prepared transaction blocks like a session, with no process id; its locks stand among the relation locks too. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void preparedTransactionsBlock(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, TABLES);
                TargetSession session = sessions.as("postgres")) {
            String gid = "blocks " + sessions.database.name();
            sessions.run("p", "begin; update t set n = 1 where id = 1; lock table u in share mode");
            sessions.run("p", "prepare transaction '" + gid + "'");
            sessions.waits("q", "update t set n = 2 where id = 1");
            sessions.waits("r", "insert into u values (1)");
            Map<Integer, BlockingRow> rows = look(sessions, session);
            assertThat(seen(rows)).isEqualTo(told(sessions)).hasSize(2);
            assertThat(rows.get(sessions.pid("r")).blockedBy()).containsExactly(BlockingRow.PREPARED);
            assertThat(BlockingTree.of(rows.values()).roots())
                    .containsExactly(new BlockingTree.Root(BlockingRow.PREPARED, 2, 2, 1));

            long u = Long.parseLong(sessions.one("select 'u'::regclass::oid"));
            assertThat(Looks.at(session, RelationLocksProbe.PROBE).stream().filter(row -> row.pid() == 0))
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.statement()).isNull();
                        assertThat(row.locks())
                                .anyMatch(lock -> lock.relation().value() == u
                                        && lock.mode() == LockMode.SHARE
                                        && lock.granted()
                                        && !lock.fastPath());
                    });
        }
    }

    /** Parallel workers wait for the one who blocks them; whoever they block waits for their session. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void parallelWorkersStandForTheirSession(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(
                        version,
                        "create table big as select i as id from generate_series(1, 20000) i",
                        "create table small (id int)",
                        "analyze big",
                        "alter table big set (parallel_workers = 2)",
                        "create function reads(int) returns bigint language plpgsql parallel safe as"
                                + " $$ begin return (select count(*) from small); end $$");
                TargetSession session = sessions.as("postgres")) {
            sessions.run("locker", "begin; lock table small in access exclusive mode");
            sessions.run(
                    "leader",
                    "set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0;"
                            + " set parallel_leader_participation = off; set max_parallel_workers_per_gather = 2");
            sessions.aside("leader", "select sum(reads(id)) from big");
            await().atMost(NamedSessions.PATIENCE)
                    .until(() -> !sessions.rows("select 1 from pg_locks l join pg_stat_activity a using (pid)"
                                    + " where not l.granted and l.waitstart is not null and a.leader_pid = "
                                    + sessions.pid("leader"))
                            .isEmpty());
            sessions.waits("ddl", "alter table big add column extra int");
            Map<Integer, BlockingRow> rows = look(sessions, session);
            assertThat(seen(rows)).isEqualTo(told(sessions));
            List<BlockingRow> workers = rows.values().stream()
                    .filter(row -> Objects.equals(row.leaderPid(), sessions.pid("leader")))
                    .toList();
            assertThat(workers).isNotEmpty().allSatisfy(row -> {
                assertThat(row.pid()).isNotEqualTo(sessions.pid("leader"));
                assertThat(row.blockedBy()).containsExactly(sessions.pid("locker"));
            });
            assertThat(rows.get(sessions.pid("ddl")).blockedBy()).containsExactly(sessions.pid("leader"));
            assertThat(BlockingTree.of(rows.values()).roots())
                    .containsExactly(new BlockingTree.Root(sessions.pid("locker"), 2, 1, 2));
        }
    }

    /** Twelve sessions take four tables in random modes until most of them wait, circles included; after each request all is compared. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void randomRequestsAgreeWithTheServer(String version) throws Exception {
        long seed = 4200 + Integer.parseInt(version);
        Random random = new Random(seed);
        String[] modes = Arrays.stream(LockMode.values())
                .map(mode -> mode.name().replace('_', ' '))
                .toArray(String[]::new);
        int waiting = 0;
        for (int round = 0; round < 3; round++) {
            try (NamedSessions sessions =
                            new NamedSessions(version, "create table t0 (); create table t1 (); create table t2 ()");
                    TargetSession session = sessions.as("postgres")) {
                Set<String> free = new TreeSet<>();
                for (int i = 0; i < 12; i++) {
                    free.add("s" + i);
                    sessions.run("s" + i, "begin");
                }
                Map<String, String> requests = new LinkedHashMap<>();
                for (int request = 0; request < 30 && !free.isEmpty(); request++) {
                    String name = List.copyOf(free).get(random.nextInt(free.size()));
                    String sql =
                            "lock table t" + random.nextInt(3) + " in " + modes[random.nextInt(modes.length)] + " mode";
                    requests.put(request + " " + name, sql);
                    if (!sessions.settles(name, sql)) {
                        free.remove(name);
                        assertThat(seen(look(sessions, session)))
                                .as("seed %d, round %d: %s of %s", seed, round, requests, sessions.pids())
                                .isEqualTo(told(sessions));
                    }
                }
                waiting += 12 - free.size();
            }
        }
        assertThat(waiting).as("seed %d", seed).isGreaterThan(15);
    }

    /** It costs nothing while nobody waits for a lock. */
    @Test
    void itIsAskedOnlyWhileSomebodyWaits() throws Exception {
        try (NamedSessions sessions = new NamedSessions("17", TABLES);
                TargetSession session = sessions.as("postgres");
                Sampler sampler = Sampler.start(session, Probes.close(List.of(ActivityRow.class, BlockingRow.class)))) {
            sessions.run("holder", "begin; lock table u in access exclusive mode");
            await().atMost(NamedSessions.PATIENCE)
                    .until(() -> sampler.soFar().samples(ActivityRow.class).size() > 20);
            assertThat(sampler.soFar().samples(BlockingRow.class)).isEmpty();
            sessions.waits("waiter", "select count(*) from u");
            await().atMost(NamedSessions.PATIENCE)
                    .untilAsserted(() -> assertThat(sampler.soFar().samples(BlockingRow.class))
                            .anyMatch(sample -> sample.rows().stream()
                                    .anyMatch(row -> row.pid() == sessions.pid("waiter")
                                            && row.blockedBy().equals(List.of(sessions.pid("holder"))))));
            assertThat(sampler.soFar().relations())
                    .contains(new Oid(Long.parseLong(sessions.one("select 'u'::regclass::oid"))));
        }
    }

    /** What is on a lock of another database is told in words, as its OIDs mean nothing here. */
    @Test
    void locksOfOtherDatabasesAreNotNamedHere() throws Exception {
        try (NamedSessions sessions = new NamedSessions("16", TABLES);
                NamedSessions other = new NamedSessions("16");
                TargetSession elsewhere = other.as("postgres")) {
            sessions.run("holder", "begin; lock table u in access exclusive mode");
            sessions.waits("waiter", "select count(*) from u");
            BlockingRow row = look(sessions, elsewhere).get(sessions.pid("waiter"));
            assertThat(row.relation()).isNull();
            assertThat(row.object()).isEqualTo("relation " + sessions.one("select 'u'::regclass::oid"));
            assertThat(row.database()).isEqualTo(sessions.database.name());
            assertThat(row.blockedBy()).containsExactly(sessions.pid("holder"));
        }
    }
}
