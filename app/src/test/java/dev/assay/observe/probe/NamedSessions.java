package dev.assay.observe.probe;

import static org.awaitility.Awaitility.await;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sessions by application name in a database of their own, on a server that allows prepared transactions and logical slots and has
 * {@code pg_stat_statements} loaded. {@code view} is the session that reads the views.
 */
final class NamedSessions implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final List<String> VERSIONS = List.of("14", "15", "16", "17", "18");

    final EmbeddedServer server;
    final TestDatabase database;
    final Connection view;
    private final Map<String, Connection> sessions = new HashMap<>();
    private final Map<String, Integer> pids = new HashMap<>();
    private final List<CompletableFuture<Void>> running = new ArrayList<>();

    NamedSessions(String version, String... statements) throws Exception {
        server = server(version);
        database = TestDatabase.on(server, statements);
        view = database.connect("view");
    }

    static EmbeddedServer server(String version) throws InterruptedException {
        return TestServers.shared(TestServers.settings(version)
                .with("max_prepared_transactions", "10")
                .with("shared_preload_libraries", "pg_stat_statements")
                .with("compute_query_id", "on")
                .with("wal_level", "logical"));
    }

    Connection session(String name) throws SQLException {
        Connection session = sessions.get(name);
        if (session == null) {
            session = database.connect(name);
            sessions.put(name, session);
            pids.put(name, Integer.valueOf(TestDatabase.one(session, "select pg_backend_pid()")));
            TestDatabase.run(session, "set deadlock_timeout = '1h'");
        }
        return session;
    }

    int pid(String name) {
        return pids.get(name);
    }

    Map<String, Integer> pids() {
        return pids;
    }

    void run(String name, String... statements) throws SQLException {
        for (String sql : statements) {
            TestDatabase.run(session(name), sql);
        }
    }

    /** Runs it on another thread. */
    CompletableFuture<Void> aside(String name, String sql) throws SQLException {
        CompletableFuture<Void> future = TestDatabase.runAside(session(name), sql);
        running.add(future);
        return future;
    }

    /** Runs a statement that has to wait for a lock, and returns when it does. */
    void waits(String name, String sql) throws SQLException {
        if (settles(name, sql)) {
            throw new AssertionError(name + " does not wait for a lock: " + sql);
        }
    }

    /** Runs a statement that may have to wait for a lock; false when it does, true when it has ended. */
    boolean settles(String name, String sql) throws SQLException {
        CompletableFuture<Void> future = aside(name, sql);
        await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(() -> future.isDone() || waiting(pid(name)));
        return future.isDone();
    }

    private boolean waiting(int pid) throws SQLException {
        return !TestDatabase.rows(
                        view, "select 1 from pg_locks where not granted and waitstart is not null and pid = " + pid)
                .isEmpty();
    }

    String one(String sql) throws SQLException {
        return TestDatabase.one(view, sql);
    }

    List<List<String>> rows(String sql) throws SQLException {
        return TestDatabase.rows(view, sql);
    }

    /** A guarded session of this role. */
    TargetSession as(String role) {
        return TargetSession.open(database.address(role));
    }

    @Override
    public void close() throws SQLException {
        TestDatabase.endOthers(view);
        running.forEach(CompletableFuture::join);
        for (Connection session : sessions.values()) {
            session.close();
        }
        for (List<String> row : rows("select gid from pg_prepared_xacts where database = current_database()")) {
            TestDatabase.run(view, "rollback prepared '" + row.get(0) + "'");
        }
        view.close();
        database.close();
    }
}
