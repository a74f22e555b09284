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
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A session that can look but not touch: read-only, every statement bounded on the server ({@code statement_timeout},
 * {@code lock_timeout}) and on the client (connecting, logging in, reading).
 *
 * <p>The client's deadlines matter: a login can hang behind a lock on a system catalog, where no server-side time-out has been set yet.
 *
 * <p>Not thread-safe; {@link #close}, {@link #cancel} and the figures may be called from other threads, and the first two end a call in
 * progress.
 */
public final class TargetSession implements AutoCloseable {

    public static final String APPLICATION_NAME = "assay";

    private static final Duration CONNECT_DEADLINE = Duration.ofSeconds(5);
    private static final Duration LOGIN_DEADLINE = Duration.ofSeconds(10);
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);
    private static final Duration IDLE_IN_TRANSACTION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration READ_DEADLINE = Duration.ofSeconds(10);
    private static final Duration CANCEL_DEADLINE = Duration.ofSeconds(1);

    /** Of texts that the driver keeps prepared, on the server too; there are some dozens. */
    private static final int PREPARED_MAX = 64;

    private static final int ROUND_TRIPS_MEASURED = 3;

    private final Connection connection;
    private final TargetAddress address;
    private final String sockets;
    private final ServerFacts server;
    private final Backend backend;
    private final Duration roundTrip;
    private final AtomicLong busyNanos = new AtomicLong();
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private volatile @Nullable Statement running;

    /**
     * The server's side of a session as it was when it was opened.
     *
     * @param pid the backend's process id
     * @param clientPort our own TCP port as the server sees it; null where a Unix socket or a pooler stands in between
     * @param serverStartedAt {@code pg_postmaster_start_time()}
     * @param inRecovery whether the server was a standby
     */
    public record Backend(int pid, @Nullable Integer clientPort, Instant serverStartedAt, boolean inRecovery) {}

    private record Facts(ServerFacts server, Backend backend) {}

    private TargetSession(Connection connection, TargetAddress address, String sockets) throws SQLException {
        this.connection = connection;
        this.address = address;
        this.sockets = sockets;
        Facts facts = readFacts(connection);
        this.server = facts.server();
        this.backend = facts.backend();
        this.roundTrip = roundTrip(connection);
    }

    /**
     * Connects within ten seconds.
     *
     * @throws TargetException when the server cannot be reached, refuses the login, or does not answer in time
     */
    public static TargetSession open(TargetAddress address) {
        try (TargetLogin login = TargetLogin.begin(address)) {
            return login.await(LOGIN_DEADLINE).orElseThrow(() -> noAnswer(address, login.elapsed()));
        }
    }

    /** Connects, for as long as it takes; {@link SessionSockets#abort} ends it. */
    static TargetSession connect(TargetAddress address, String sockets) {
        Properties properties = address.driverProperties();
        properties.setProperty("ApplicationName", APPLICATION_NAME);
        properties.setProperty("connectTimeout", seconds(CONNECT_DEADLINE));
        properties.setProperty("loginTimeout", "0");
        properties.setProperty("socketTimeout", "0");
        properties.setProperty("cancelSignalTimeout", seconds(CANCEL_DEADLINE));
        properties.setProperty("socketFactory", SessionSockets.class.getName());
        properties.setProperty("socketFactoryArg", sockets);
        properties.setProperty("preparedStatementCacheQueries", Integer.toString(PREPARED_MAX));
        properties.setProperty("readOnlyMode", "always");
        properties.setProperty("readOnly", "true");
        Connection connection = null;
        long start = System.nanoTime();
        try {
            connection = DriverManager.getConnection(address.jdbcUrl(), properties);
            connection.setNetworkTimeout(Runnable::run, (int) READ_DEADLINE.toMillis());
            guard(connection);
            return new TargetSession(connection, address, sockets);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw timeout(e) == null
                    ? explain(e, address)
                    : noAnswer(address, Duration.ofNanos(System.nanoTime() - start), e.getSQLState(), e);
        }
    }

    /** What to say of a login that has waited so long. */
    public static TargetException noAnswer(TargetAddress address, Duration elapsed) {
        return noAnswer(address, elapsed, null, null);
    }

    private static TargetException noAnswer(
            TargetAddress address, Duration elapsed, @Nullable String state, @Nullable SQLException e) {
        return new TargetException(
                "no answer from " + address.place() + " in " + elapsed.toSeconds() + " s",
                "The server may be overloaded, the login may wait for a lock on a system catalog, or a firewall drops packets.",
                state,
                e);
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }

    /**
     * Sets the limits on the server's side. The last ones make a session go whose client is gone: it must not stand in the way of the next
     * one.
     */
    private static void guard(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int major = connection.getMetaData().getDatabaseMajorVersion();
            String sinceFourteen = major < 14 ? "" : "; set client_connection_check_interval = 1000";
            // a server that is set to 'snapshot' would copy all counters for each look at one of them
            String sinceFifteen = major < 15 ? "" : "; set stats_fetch_consistency = none";
            statement.execute("set session characteristics as transaction read only; set statement_timeout = "
                    + STATEMENT_TIMEOUT.toMillis()
                    + "; set lock_timeout = "
                    + LOCK_TIMEOUT.toMillis()
                    + "; set idle_in_transaction_session_timeout = "
                    + IDLE_IN_TRANSACTION_TIMEOUT.toMillis()
                    + "; set jit = off; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3"
                    + "; set tcp_keepalives_count = 3"
                    + sinceFourteen
                    + sinceFifteen);
        }
    }

    private static Facts readFacts(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select current_setting('server_version_num')::int, version(), current_database(), pg_backend_pid(),"
                                + " inet_client_port(), pg_postmaster_start_time(), pg_is_in_recovery()")) {
            Timestamp startedAt = row.next() ? row.getTimestamp(6) : null;
            if (startedAt == null) {
                throw new SQLException("the server did not tell its version");
            }
            return new Facts(
                    new ServerFacts(
                            ServerVersion.fromNumber(row.getInt(1)),
                            textOf(row.getString(2)),
                            textOf(row.getString(3))),
                    new Backend(row.getInt(4), (Integer) row.getObject(5), startedAt.toInstant(), row.getBoolean(7)));
        }
    }

    /** The quickest of some empty statements, which the server answers without doing anything. */
    private static Duration roundTrip(Connection connection) throws SQLException {
        long best = Long.MAX_VALUE;
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < ROUND_TRIPS_MEASURED; i++) {
                long start = System.nanoTime();
                statement.execute("");
                best = Math.min(best, System.nanoTime() - start);
            }
        }
        return Duration.ofNanos(best);
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
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                if (parameters[i] instanceof Long[] array) {
                    statement.setArray(i + 1, connection.createArrayOf("bigint", array));
                } else {
                    statement.setObject(i + 1, parameters[i]);
                }
            }
            List<T> result = new ArrayList<>();
            try (ResultSet row = answer(statement)) {
                while (row.next()) {
                    result.add(reader.read(row));
                }
            }
            rows.addAndGet(result.size());
            return result;
        } catch (SQLException e) {
            throw explain(e, address);
        }
    }

    /** Runs the statement and counts the time until the whole answer is there, less the way there and back. */
    private ResultSet answer(PreparedStatement statement) throws SQLException {
        long start = System.nanoTime();
        running = statement;
        try {
            return statement.executeQuery();
        } finally {
            running = null;
            busyNanos.addAndGet(Math.max(0, System.nanoTime() - start - roundTrip.toNanos()));
            queries.incrementAndGet();
        }
    }

    /** Asks the server, from another thread, to end the query in progress, which then fails with 57014; waits a second for it at most. */
    public void cancel() {
        Statement statement = running;
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                // the query ends by its own time-out
            }
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
                running = statement;
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        visitor.visit(row);
                        count++;
                    }
                }
            } finally {
                running = null;
                connection.rollback();
                connection.setAutoCommit(true);
            }
            rows.addAndGet(count);
            return count;
        } catch (SQLException e) {
            throw explain(e, address);
        } finally {
            busyNanos.addAndGet(System.nanoTime() - start);
            queries.incrementAndGet();
        }
    }

    public ServerFacts server() {
        return server;
    }

    /** The role that the session belongs to. */
    public String user() {
        return address.user();
    }

    /** The server's side of this session. */
    public Backend backend() {
        return backend;
    }

    /** How long the way to the server and back takes, as measured when the session was opened. */
    public Duration roundTrip() {
        return roundTrip;
    }

    /** Time until answers were complete so far, less the way there and back: an upper bound of what this session's backend was busy. */
    public Duration busy() {
        return Duration.ofNanos(busyNanos.get());
    }

    public long queries() {
        return queries.get();
    }

    public long rows() {
        return rows.get();
    }

    @Override
    public void close() {
        if (running != null) {
            SessionSockets.abort(sockets); // else the farewell would wait for the answer
        }
        closeQuietly(connection);
        SessionSockets.abort(sockets);
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
