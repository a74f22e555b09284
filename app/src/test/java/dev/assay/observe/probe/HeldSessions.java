package dev.assay.observe.probe;

import static org.awaitility.Awaitility.await;

import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Six sessions in states that are known: {@code sleeper} is in {@code pg_sleep}; {@code holder} has updated a row and is idle in its
 * transaction; {@code waiter} wants that row; {@code serializable} has read the table and holds a predicate lock; {@code rowshare} holds a
 * weak lock of another mode; {@code ddl} waits for a strong lock on the table.
 */
final class HeldSessions implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    static final String MONITOR = "Looks On";
    static final String PLAIN = "plain_role";

    final TestDatabase database;
    final Connection view;
    private final List<Connection> sessions = new ArrayList<>();
    private final List<CompletableFuture<Void>> running = new ArrayList<>();

    HeldSessions(String version) throws Exception {
        database = TestDatabase.on(
                TestServers.shared(version),
                "create table t (id int primary key, n int)",
                "insert into t select i, 0 from generate_series(1, 100) i",
                "create role \"" + MONITOR + "\" login",
                "grant pg_monitor to \"" + MONITOR + "\"",
                "create role " + PLAIN + " login");
        view = database.connect("view");
        aside("sleeper", "select pg_sleep(300), 'literal' as text -- comment");
        TestDatabase.run(session("holder"), "begin");
        TestDatabase.run(sessions.get(1), "update t set n = n + 1 where id = 1");
        aside("waiter", "update t set n = n + 2 where id = 1");
        TestDatabase.run(session("serializable"), "begin isolation level serializable; select count(*) from t");
        TestDatabase.run(session("rowshare"), "begin; lock table t in row share mode");
        untilWaiting(2);
        aside("ddl", "alter table t add column extra int");
        untilWaiting(3);
    }

    private void untilWaiting(int count) {
        await().atMost(PATIENCE)
                .until(() -> TestDatabase.one(
                                view,
                                "select count(*) from pg_stat_activity where datname = '" + database.name()
                                        + "' and wait_event in ('PgSleep', 'transactionid', 'relation')")
                        .equals(Integer.toString(count)));
    }

    private Connection session(String application) throws SQLException {
        Connection session = database.connect(application);
        sessions.add(session);
        boolean computes = !TestDatabase.rows(view, "select 1 from pg_settings where name = 'compute_query_id'")
                .isEmpty();
        if (computes) {
            TestDatabase.run(session, "set compute_query_id = on");
        }
        return session;
    }

    private void aside(String application, String sql) throws SQLException {
        running.add(TestDatabase.runAside(session(application), sql));
    }

    @Override
    public void close() throws SQLException {
        TestDatabase.endOthers(view);
        running.forEach(CompletableFuture::join);
        for (Connection session : sessions) {
            session.close();
        }
        view.close();
        database.close();
        database.administer("drop role \"" + MONITOR + "\"");
        database.administer("drop role " + PLAIN);
    }
}
