package dev.assay.target;

import dev.assay.pg.Pooler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.PGConnection;

/**
 * Recognises a pooler before anything is set on a connection that may not be ours alone.
 *
 * <p>A server gives its backend's number with the key that cancels a query (BackendKeyData, "Message Formats" in the manual). A pooler makes up
 * a key of its own, as its client's connection outlives the server's, so its number is not the one that {@code pg_backend_pid()} answers (seen with
 * PgBouncer 1.18 in session and transaction mode). It is named by its own database {@code pgbouncer}, where every login of ours ends in a
 * protocol violation, while PostgreSQL says that there is no such database.
 */
final class PoolerCheck {

    private static final String OWN_DATABASE = "pgbouncer";
    private static final String PROTOCOL_VIOLATION = "08P01";
    private static final String DEADLINE_SECONDS = "2";
    private static final String UNNAMED = "a pooler";

    private PoolerCheck() {}

    /** The pooler, empty when the connection is the server's own. It changes nothing on the connection. */
    static Optional<Pooler> of(Connection connection, TargetAddress address, Properties properties)
            throws SQLException {
        int keyed = connection.unwrap(PGConnection.class).getBackendPID();
        int answered = backendPid(connection);
        if (keyed == answered) {
            return Optional.empty();
        }
        return Optional.of(new Pooler(name(address, properties), backendPid(connection) != answered));
    }

    static int backendPid(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            if (!row.next()) {
                throw new SQLException("the server did not tell our backend's number");
            }
            return row.getInt(1);
        }
    }

    /** Its database knows no settings of PostgreSQL, so the driver's first one is a violation even for an administrator. */
    private static String name(TargetAddress address, Properties properties) {
        Properties own = new Properties();
        own.putAll(properties);
        own.setProperty("connectTimeout", DEADLINE_SECONDS);
        own.setProperty("loginTimeout", DEADLINE_SECONDS);
        own.setProperty("socketTimeout", DEADLINE_SECONDS);
        try {
            DriverManager.getConnection(address.jdbcUrl(OWN_DATABASE), own).close();
            return UNNAMED; // an ordinary database of that name
        } catch (SQLException e) {
            return PROTOCOL_VIOLATION.equals(e.getSQLState()) ? "PgBouncer" : UNNAMED;
        }
    }
}
