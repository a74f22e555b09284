package dev.assay.server;

import dev.assay.target.TargetAddress;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A database of a test's own on a server that may be shared; dropped with all its sessions when it is closed. */
public final class TestDatabase implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final EmbeddedServer server;
    private final String name;

    private TestDatabase(EmbeddedServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** Creates the database and runs these statements in it. */
    public static TestDatabase on(EmbeddedServer server, String... statements) throws SQLException {
        TestDatabase database = new TestDatabase(server, "test_" + NUMBER.incrementAndGet());
        database.administer("create database " + database.name);
        try (Connection session = database.connect("setup")) {
            for (String statement : statements) {
                run(session, statement);
            }
        }
        return database;
    }

    public String name() {
        return name;
    }

    /** A session of the superuser under this application name. */
    public Connection connect(String application) throws SQLException {
        return connect(name, application);
    }

    private Connection connect(String database, String application) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("ApplicationName", application);
        properties.setProperty("prepareThreshold", "0");
        properties.setProperty("preferQueryMode", "simple");
        return DriverManager.getConnection(
                "jdbc:postgresql://" + server.host() + ":" + server.port() + "/" + database, properties);
    }

    /** Where it is, for a guarded session of this role. */
    public TargetAddress address(String role) {
        return TargetAddress.of(name, server.host(), server.port(), role, Map.of());
    }

    /** A guarded session of the superuser. */
    public TargetSession target() {
        return TargetSession.open(address(server.user()));
    }

    public static void run(Connection session, String sql) throws SQLException {
        try (Statement statement = session.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs it on another thread; it completes when the statement has ended, whichever way. */
    public static CompletableFuture<Void> runAside(Connection session, String sql) {
        return CompletableFuture.runAsync(() -> {
            try {
                run(session, sql);
            } catch (SQLException e) {
                // cancelled or terminated by the test
            }
        });
    }

    /** All rows, each column as text, null for SQL null. */
    public static List<List<String>> rows(Connection session, String sql) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    values.add(row.getString(column));
                }
                rows.add(values);
            }
        }
        return rows;
    }

    /** The first column of the first row. */
    public static String one(Connection session, String sql) throws SQLException {
        return rows(session, sql).get(0).get(0);
    }

    /** Runs SQL in the server's first database. */
    public void administer(String sql) throws SQLException {
        try (Connection session = connect(server.database(), "administration")) {
            run(session, sql);
        }
    }

    /** Ends all sessions in this one's database but itself. */
    public static void endOthers(Connection session) throws SQLException {
        run(
                session,
                "select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where pid <> pg_backend_pid() and datname = current_database()");
    }

    @Override
    public void close() throws SQLException {
        administer("drop database " + name + " with (force)");
    }
}
