package dev.assay.target;

import dev.assay.pg.Pooler;
import dev.assay.pg.ServerFacts;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A session that can look but not touch: read-only, every statement bounded on the server ({@code statement_timeout},
 * {@code lock_timeout}) and on the client (connecting, logging in, reading).
 *
 * <p>Behind a pooler a session is not ours alone: what one sets on it may meet the next client, and may be gone for us. There every query is a
 * read-only transaction of its own that sets its limits for itself; nothing is ever set on the session ({@link PoolerCheck}).
 *
 * <p>The client's deadlines matter: a login can hang behind a lock on a system catalog, where no server-side time-out has been set yet.
 *
 * <p>Not thread-safe; {@link #close} may be called from another thread and ends a call in progress.
 */
public final class TargetSession implements AutoCloseable {

    public static final String APPLICATION_NAME = "assay";

    private static final Duration CONNECT_DEADLINE = Duration.ofSeconds(5);
    private static final Duration LOGIN_DEADLINE = Duration.ofSeconds(10);
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);
    private static final Duration IDLE_IN_TRANSACTION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration READ_DEADLINE = Duration.ofSeconds(10);

    private final Connection connection;
    private final TargetAddress address;
    private final boolean pooled;
    private final int firstPid;
    private final ServerFacts facts;
    private volatile @Nullable Pooler pooler;
    private long busyNanos;
    private long queries;
    private long rows;

    private TargetSession(Connection connection, TargetAddress address, @Nullable Pooler pooler) throws SQLException {
        this.connection = connection;
        this.address = address;
        this.pooled = pooler != null;
        if (pooled) {
            connection.setAutoCommit(false);
            connection
                    .unwrap(PGConnection.class)
                    .setPrepareThreshold(0); // a prepared statement stays on one connection
        }
        this.pooler = pooler;
        this.firstPid = guard();
        this.facts = ServerIdentity.read(this);
        this.busyNanos = 0; // looking begins here
        this.queries = 0;
        this.rows = 0;
    }

    /**
     * Connects within ten seconds.
     *
     * @throws TargetException when the server cannot be reached, refuses the login, or does not answer in time
     */
    public static TargetSession open(TargetAddress address) {
        Properties properties = address.driverProperties();
        properties.setProperty("ApplicationName", APPLICATION_NAME);
        properties.setProperty("connectTimeout", seconds(CONNECT_DEADLINE));
        properties.setProperty("loginTimeout", seconds(LOGIN_DEADLINE));
        properties.setProperty("socketTimeout", seconds(READ_DEADLINE));
        properties.setProperty("tcpKeepAlive", "true");
        // Not "always": that sets the session at once, which may be a pooler's and serve a writer next.
        properties.setProperty("readOnlyMode", "transaction");
        properties.setProperty("readOnly", "true");
        Connection connection = null;
        long start = System.nanoTime();
        try {
            connection = DriverManager.getConnection(address.jdbcUrl(), properties);
            Pooler pooler = PoolerCheck.of(connection, address, properties).orElse(null);
            return new TargetSession(connection, address, pooler);
        } catch (TargetException e) {
            closeQuietly(connection);
            throw e;
        } catch (SQLException e) {
            closeQuietly(connection);
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            throw timedOut(e, elapsed) ? noAnswer(e, address, elapsed) : explain(e, address);
        }
    }

    /** The driver's own deadline gives the same SQLSTATE as a refused connection, and a text in the user's language. */
    private static boolean timedOut(SQLException e, Duration elapsed) {
        return timeout(e) != null || ("08001".equals(e.getSQLState()) && elapsed.compareTo(LOGIN_DEADLINE) >= 0);
    }

    private static TargetException noAnswer(SQLException e, TargetAddress address, Duration elapsed) {
        return new TargetException(
                "no answer from " + address.place() + " in " + elapsed.toSeconds() + " s",
                "The server may be overloaded, the login may wait for a lock on a system catalog, or a firewall drops packets.",
                e.getSQLState(),
                e);
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }

    /**
     * Sets the limits: once for a session of our own, and behind a pooler in each transaction, for that transaction only.
     *
     * @return our backend's number
     */
    private int guard() throws SQLException {
        String limits = "select set_config('statement_timeout', '" + STATEMENT_TIMEOUT.toMillis() + "', " + pooled
                + "), set_config('lock_timeout', '" + LOCK_TIMEOUT.toMillis() + "', " + pooled
                + "), set_config('idle_in_transaction_session_timeout', '" + IDLE_IN_TRANSACTION_TIMEOUT.toMillis()
                + "', " + pooled
                + "), case when current_setting('server_version_num')::int >= 110000 then set_config('jit', 'off', "
                + pooled
                + ") end, pg_backend_pid()";
        try (Statement statement = connection.createStatement()) {
            if (!pooled) {
                statement.execute("set session characteristics as transaction read only");
            }
            try (ResultSet row = statement.executeQuery(limits)) {
                if (!row.next()) {
                    throw new SQLException("the server did not set the limits");
                }
                return row.getInt(5);
            }
        }
    }

    /** Begins the transaction of one look; the driver begins it read-only. */
    private void enter() throws SQLException {
        int pid = guard();
        Pooler known = pooler;
        if (pid != firstPid && known != null && !known.perTransaction()) {
            pooler = new Pooler(known.name(), true);
        }
    }

    private void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // the connection is gone, and the transaction with it
        }
    }

    /** Turns one row of a result into a value. */
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Runs one query.
     *
     * @param parameters numbers, texts, or {@code Long[]} for a {@code bigint[]}
     * @throws TargetException when it fails, with the server's message
     */
    public <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) {
        long start = System.nanoTime();
        try {
            List<T> result = pooled ? inTransaction(sql, reader, parameters) : ask(sql, reader, parameters);
            rows += result.size();
            return result;
        } catch (SQLException e) {
            throw explain(e, address);
        } finally {
            busyNanos += System.nanoTime() - start;
            queries++;
        }
    }

    private <T> List<T> inTransaction(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        boolean done = false;
        try {
            enter();
            List<T> result = ask(sql, reader, parameters);
            connection.commit();
            done = true;
            return result;
        } finally {
            if (!done) {
                rollBack();
            }
        }
    }

    private <T> List<T> ask(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                if (parameters[i] instanceof Long[] array) {
                    statement.setArray(i + 1, connection.createArrayOf("bigint", array));
                } else {
                    statement.setObject(i + 1, parameters[i]);
                }
            }
            List<T> result = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    result.add(reader.read(row));
                }
            }
            return result;
        }
    }

    /** What the server is, and what stands between, as far as it was seen until now. */
    public ServerFacts server() {
        return facts.behind(pooler);
    }

    /** The role that the session belongs to. */
    public String user() {
        return address.user();
    }

    /** Time spent waiting for answers so far: an upper bound of what this session's backend was busy. */
    public Duration busy() {
        return Duration.ofNanos(busyNanos);
    }

    public long queries() {
        return queries;
    }

    public long rows() {
        return rows;
    }

    @Override
    public void close() {
        closeQuietly(connection);
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            // The server ends the session when the socket goes; there is nothing left to do for a session that only
            // read.
        }
    }

    private static TargetException explain(SQLException e, TargetAddress address) {
        String state = e.getSQLState();
        String said = firstLine(e);
        if (state == null) {
            return new TargetException(
                    "no answer from " + address.place() + ": " + said,
                    "Is the server overloaded or the network slow?",
                    null,
                    e);
        }
        SocketTimeoutException late = timeout(e);
        if (late != null) {
            return new TargetException(
                    "no answer from " + address.place() + " in time: " + late.getMessage(),
                    "Is that PostgreSQL? If it is: it may be overloaded, or a lock on a catalog holds up logins.",
                    state,
                    e);
        }
        if (state.equals("08P01") && said.contains("unsupported startup parameter")) {
            String parameter = said.substring(said.lastIndexOf(':') + 1).strip();
            return new TargetException(
                    "the pooler at " + address.place() + " refused the login: " + said,
                    "Add " + parameter + " to ignore_startup_parameters of PgBouncer, or connect to the server itself.",
                    state,
                    e);
        }
        if (said.contains("statement pooling mode")) {
            return new TargetException(
                    "the pooler at " + address.place() + " takes no transactions: " + said,
                    "Looks need read-only transactions; connect to the server itself, or to a pool in session or transaction mode.",
                    state,
                    e);
        }
        return switch (state) {
            case "08001" ->
                new TargetException(
                        "cannot reach PostgreSQL at " + address.place() + ": " + said,
                        "Check host and port (-h, -p, PGHOST, PGPORT) and that the server listens there.",
                        state,
                        e);
            case "08006", "08003", "57P01", "57P02" ->
                new TargetException(
                        "lost the connection to " + address.place() + ": " + said,
                        "The server ended it, or did not answer within " + READ_DEADLINE.toSeconds() + " s.",
                        state,
                        e);
            // The driver says 08004 when a password is missing or the server does not take SSL.
            case "28P01", "28000", "08004" ->
                new TargetException(
                        "login as " + address + " refused: " + said,
                        "Check user, password (PGPASSWORD, ~/.pgpass), sslmode and pg_hba.conf.",
                        state,
                        e);
            case "3D000" ->
                new TargetException(
                        "no database at " + address + ": " + said,
                        "Name one with -d, or list them with psql -l.",
                        state,
                        e);
            case "53300" ->
                new TargetException(
                        "the server at " + address.place() + " has no free connection: " + said,
                        "Try a role with pg_use_reserved_connections (16+) or a superuser.",
                        state,
                        e);
            default ->
                new TargetException(
                        "the server at " + address.place() + " answered: " + said, "SQLSTATE " + state + ".", state, e);
        };
    }

    private static String firstLine(SQLException e) {
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return e.getClass().getSimpleName();
        }
        Throwable cause = e.getCause();
        String first = message.lines().findFirst().orElse(message).strip();
        if (cause == null || cause.getMessage() == null || !first.contains("connection attempt failed")) {
            return first;
        }
        if (cause instanceof UnknownHostException) {
            return "there is no host '" + cause.getMessage() + "'";
        }
        String why = cause.getMessage();
        return cause instanceof SocketException && why != null ? why : first + " (" + cause + ")";
    }

    private static @Nullable SocketTimeoutException timeout(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException late) {
                return late;
            }
        }
        return null;
    }
}
