package dev.assay.observe.probe;

import static org.awaitility.Awaitility.await;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerSettings;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A database in which work of every kind has been done, on a server with little memory that syncs and takes the time of its I/O, so that few
 * counters are zero and few are equal.
 */
final class CountedWork implements AutoCloseable {

    static final String MONITOR = "counter_monitor";
    static final String PLAIN = "counter_plain";
    static final int CHECKPOINTS = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final TestDatabase database;
    final Connection view;

    CountedWork(String version) throws Exception {
        database = TestDatabase.on(
                server(version),
                "create table t (id int primary key, n int, filler text)",
                "create role " + MONITOR + " login in role pg_monitor",
                "create role " + PLAIN + " login");
        view = database.connect("view");
        work();
        deadlock();
        killTwo();
        settle();
    }

    static EmbeddedServer server(String version) throws InterruptedException {
        return TestServers.shared(ServerSettings.of(version)
                .with("track_io_timing", "on")
                .with("track_wal_io_timing", "on")
                .with("shared_buffers", "1MB")
                .with("wal_buffers", "64kB")
                .with("autovacuum", "off"));
    }

    List<String> roles() {
        return List.of("postgres", MONITOR, PLAIN);
    }

    private void work() throws SQLException {
        try (Connection session = database.connect("work")) {
            TestDatabase.run(session, "insert into t select i, 0, repeat('x', 200) from generate_series(1, 20000) i");
            TestDatabase.run(session, "checkpoint");
            TestDatabase.run(session, "update t set n = n + 1 where id % 3 = 0");
            TestDatabase.run(session, "delete from t where id % 7 = 0");
            TestDatabase.run(session, "set work_mem = '64kB'");
            TestDatabase.run(session, "select count(*) from (select filler, id from t order by filler, id desc) s");
            for (int i = 0; i < 5; i++) {
                TestDatabase.run(session, "begin; select 1; rollback");
            }
            TestDatabase.run(session, "select count(n) from t where id in (1, 2, 3, 4)");
            TestDatabase.run(session, "checkpoint");
        }
    }

    private void deadlock() throws Exception {
        try (Connection first = database.connect("first");
                Connection second = database.connect("second")) {
            TestDatabase.run(first, "begin; update t set n = 1 where id = 1");
            TestDatabase.run(second, "begin; update t set n = 1 where id = 2");
            CompletableFuture<Void> waits = TestDatabase.runAside(first, "update t set n = 1 where id = 2");
            TestDatabase.runAside(second, "update t set n = 1 where id = 1").join();
            waits.join();
        }
    }

    private void killTwo() throws SQLException {
        for (int i = 0; i < 2; i++) {
            try (Connection victim = database.connect("victim")) {
                TestDatabase.run(
                        view,
                        "select pg_terminate_backend(" + TestDatabase.one(victim, "select pg_backend_pid()") + ")");
            }
        }
    }

    /** Sessions hand in their counts when they end, and up to 14 a process writes them down a little later. */
    private void settle() {
        await().atMost(PATIENCE)
                .until(() -> TestDatabase.one(
                                view,
                                "select sessions_killed >= 2 and deadlocks >= 1 and temp_files >= 1 and tup_deleted > 0"
                                        + " from pg_stat_database where datname = current_database()")
                        .equals("t"));
    }

    @Override
    public void close() throws SQLException {
        view.close();
        database.close();
        database.administer("drop role " + MONITOR);
        database.administer("drop role " + PLAIN);
    }
}
