package dev.assay.target;

import dev.assay.pg.Pooler;
import dev.assay.pg.ServerFacts;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
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
    static final Duration READ_DEADLINE = Duration.ofSeconds(10);
    private static final Duration CANCEL_DEADLINE = Duration.ofSeconds(1);

    /** Of texts that the driver keeps prepared, on the server too; there are some dozens. */
    private static final int PREPARED_MAX = 64;

    private static final int ROUND_TRIPS_MEASURED = 3;

    private final Connection connection;
    private final TargetAddress address;
    private final String sockets;
    private final boolean pooled;
    private final int firstPid;
    private final ServerFacts facts;
    private final Backend backend;
    private final Duration roundTrip;
    private final AtomicLong busyNanos = new AtomicLong();
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private volatile @Nullable Pooler pooler;
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

    private TargetSession(Connection connection, TargetAddress address, String sockets, @Nullable Pooler pooler)
            throws SQLException {
        this.connection = connection;
        this.address = address;
        this.sockets = sockets;
        this.pooled = pooler != null;
        this.pooler = pooler;
        this.roundTrip = roundTrip(connection);
        if (pooled) {
            connection.setAutoCommit(false);
            connection
                    .unwrap(PGConnection.class)
                    .setPrepareThreshold(0); // a prepared statement stays on one connection
        }
        this.firstPid = guard();
        this.facts = ServerIdentity.read(this);
        this.backend = ServerIdentity.backend(this, pooled);
        this.busyNanos.set(0); // looking begins here
        this.queries.set(0);
        this.rows.set(0);
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
        // Not "always": that sets the session at once, which may be a pooler's and serve a writer next.
        properties.setProperty("readOnlyMode", "transaction");
        properties.setProperty("readOnly", "true");
        Connection connection = null;
        long start = System.nanoTime();
        try {
            connection = DriverManager.getConnection(address.jdbcUrl(), properties);
            connection.setNetworkTimeout(Runnable::run, (int) READ_DEADLINE.toMillis());
            Pooler pooler = PoolerCheck.of(connection, address, properties).orElse(null);
            return new TargetSession(connection, address, sockets, pooler);
        } catch (TargetException e) {
            closeQuietly(connection);
            throw e;
        } catch (SQLException e) {
            closeQuietly(connection);
            throw ServerMessages.timeout(e) == null
                    ? ServerMessages.explain(e, address)
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
     * Sets the limits on the server's side: once for a session of our own, and behind a pooler in each transaction, for that transaction only.
     *
     * @return our backend's number
     */
    private int guard() throws SQLException {
        String limits = "select set_config('statement_timeout', '" + STATEMENT_TIMEOUT.toMillis() + "', " + pooled
                + "), set_config('lock_timeout', '" + LOCK_TIMEOUT.toMillis() + "', " + pooled
                + "), set_config('idle_in_transaction_session_timeout', '" + IDLE_IN_TRANSACTION_TIMEOUT.toMillis()
                + "', "
                + pooled
                + "), case when current_setting('server_version_num')::int >= 110000 then set_config('jit', 'off', "
                + pooled
                + ") end, pg_backend_pid()";
        try (Statement statement = connection.createStatement()) {
            if (!pooled) {
                statement.execute(ofOurOwnSession());
            }
            try (ResultSet row = statement.executeQuery(limits)) {
                if (!row.next()) {
                    throw new SQLException("the server did not set the limits");
                }
                return row.getInt(5);
            }
        }
    }

    /**
     * Besides reading only: a session goes whose client is gone, as it must not stand in the way of the next one; and a server that is set to
     * take a snapshot of its counters does not copy all of them for each look at one.
     */
    private String ofOurOwnSession() throws SQLException {
        int major = connection.getMetaData().getDatabaseMajorVersion();
        return "set session characteristics as transaction read only; set tcp_keepalives_idle = 5"
                + "; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3"
                + (major < 14 ? "" : "; set client_connection_check_interval = 1000")
                + (major < 15 ? "" : "; set stats_fetch_consistency = none");
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
        try {
            List<T> result = pooled ? inTransaction(sql, reader, parameters) : ask(sql, reader, parameters);
            rows.addAndGet(result.size());
            return result;
        } catch (SQLException e) {
            throw ServerMessages.explain(e, address);
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
            try (ResultSet row = answer(statement)) {
                while (row.next()) {
                    result.add(reader.read(row));
                }
            }
            return result;
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
            if (pooled) {
                enter();
            } else {
                connection.setAutoCommit(false);
            }
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
                connection.setAutoCommit(!pooled);
            }
            rows.addAndGet(count);
            return count;
        } catch (SQLException e) {
            throw ServerMessages.explain(e, address);
        } finally {
            busyNanos.addAndGet(System.nanoTime() - start);
            queries.incrementAndGet();
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
}
