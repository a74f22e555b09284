package dev.assay.target;

import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
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

/**
 * A session that can look but not touch: read-only, every statement bounded on the server ({@code statement_timeout},
 * {@code lock_timeout}) and on the client (connecting, logging in, reading).
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
    private final ServerFacts server;
    private long busyNanos;
    private long queries;
    private long rows;

    private TargetSession(Connection connection, TargetAddress address) throws SQLException {
        this.connection = connection;
        this.address = address;
        this.server = readFacts(connection);
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
        properties.setProperty("readOnlyMode", "always");
        properties.setProperty("readOnly", "true");
        Connection connection = null;
        long start = System.nanoTime();
        try {
            connection = DriverManager.getConnection(address.jdbcUrl(), properties);
            guard(connection);
            return new TargetSession(connection, address);
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

    private static void guard(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set session characteristics as transaction read only; set statement_timeout = "
                    + STATEMENT_TIMEOUT.toMillis()
                    + "; set lock_timeout = "
                    + LOCK_TIMEOUT.toMillis()
                    + "; set idle_in_transaction_session_timeout = "
                    + IDLE_IN_TRANSACTION_TIMEOUT.toMillis()
                    + "; set jit = off");
        }
    }

    private static ServerFacts readFacts(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select current_setting('server_version_num')::int, version(), current_database()")) {
            if (!row.next()) {
                throw new SQLException("the server did not tell its version");
            }
            return new ServerFacts(
                    ServerVersion.fromNumber(row.getInt(1)), textOf(row.getString(2)), textOf(row.getString(3)));
        }
    }

    private static String textOf(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Turns one row of a result into a value. */
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Looks at one row of a result. */
    @FunctionalInterface
    public interface RowVisitor {
        void visit(ResultSet row) throws SQLException;
    }

    /**
     * Runs one query.
     *
     * @param parameters numbers, texts, or {@code Long[]} for a {@code bigint[]}
     * @throws TargetException when it fails, with the server's message
     */
    public <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) {
        long start = System.nanoTime();
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
            rows += result.size();
            return result;
        } catch (SQLException e) {
            throw explain(e, address);
        } finally {
            busyNanos += System.nanoTime() - start;
            queries++;
        }
    }

    /**
     * Runs one query whose answer may be large: it comes in batches and each row is shown once. It is one transaction with one snapshot, which
     * holds back VACUUM as long as it takes.
     *
     * @param batch how many rows to fetch at a time
     * @return how many rows there were
     * @throws TargetException when it fails, with the server's message
     */
    public long scan(String sql, int batch, RowVisitor visitor) {
        long start = System.nanoTime();
        long count = 0;
        try {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setFetchSize(batch);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        visitor.visit(row);
                        count++;
                    }
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            rows += count;
            return count;
        } catch (SQLException e) {
            throw explain(e, address);
        } finally {
            busyNanos += System.nanoTime() - start;
            queries++;
        }
    }

    public ServerFacts server() {
        return server;
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
        boolean vague = first.contains("connection attempt failed") && cause != null && cause.getMessage() != null;
        if (!vague) {
            return first;
        }
        return cause instanceof UnknownHostException
                ? "there is no host '" + cause.getMessage() + "'"
                : first + " (" + cause + ")";
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
