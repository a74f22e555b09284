package dev.assay.observe.recording;

import java.io.IOException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A DuckDB in memory, which reads and writes the files of one recording. It never fetches extensions; Parquet and JSON are built in. Not
 * thread-safe.
 */
final class DuckDb implements AutoCloseable {

    private static @Nullable Driver driver; // guarded by the class

    private final Connection connection;

    private DuckDb(Connection connection) {
        this.connection = connection;
    }

    /**
     * Opens one.
     *
     * @param memoryMegabytes what it may use; more is an error, as it never spills to disk
     * @throws RecordingException when the native library cannot be loaded
     */
    static DuckDb open(int threads, int memoryMegabytes) {
        Properties settings = new Properties();
        settings.setProperty("threads", Integer.toString(threads));
        settings.setProperty("memory_limit", memoryMegabytes + "MB");
        settings.setProperty("temp_directory", "");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("jdbc_stream_results", "true");
        try {
            Connection connection = driver().connect("jdbc:duckdb:", settings);
            if (connection == null) {
                throw new SQLException("the driver refuses its own URL");
            }
            return new DuckDb(connection);
        } catch (SQLException e) {
            throw new RecordingException("DuckDB cannot be started: " + firstLine(e), "Is there enough memory?", e);
        }
    }

    private static synchronized Driver driver() {
        if (driver != null) {
            return driver;
        }
        try {
            Driver loaded = (Driver) new DuckDbLibrary.DuckDbLoader(DuckDbLibrary.unpacked())
                    .loadClass("org.duckdb.DuckDBDriver")
                    .getConstructor()
                    .newInstance();
            driver = loaded;
            return loaded;
        } catch (IOException e) {
            throw unusable(RecordingFolder.why(e), e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw unusable(e.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unusable("interrupted", e);
        }
    }

    private static RecordingException unusable(String why, Throwable cause) {
        return new RecordingException(
                "DuckDB's native library cannot be unpacked or loaded: " + why,
                "Set XDG_CACHE_HOME to a folder that this user can write to.",
                cause);
    }

    /** Runs statements that give nothing back. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Takes the rows of an answer one after the other. */
    @FunctionalInterface
    interface Reader {
        void read(ResultSet rows) throws SQLException;
    }

    /** Runs a query; the reader moves through the rows itself. */
    void query(String sql, Reader reader) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            reader.read(rows);
        }
    }

    /** A text as a literal. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A name as an identifier. */
    static String name(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    static String firstLine(SQLException e) {
        String message = e.getMessage();
        return message == null
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("").strip();
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // nothing was written through it that is not complete already
        }
    }
}
