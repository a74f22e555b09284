package dev.assay.lab;

import dev.assay.observe.host.LocalServer;
import dev.assay.pg.ServerVersion;
import dev.assay.sys.CpuReading;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireException;
import dev.assay.wire.WireSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs already and is not the laboratory's. Where the experiment has a schema it is built in a database of its own, which is
 * dropped at the end; nothing else on the server is written or set, its statistics are not reset, and it is not started again when it dies.
 */
final class ExternalSystem implements RunningSystem {

    private static final Duration CALL_DEADLINE = Duration.ofSeconds(60);

    /** A database may take this long to be copied. */
    private static final Duration COPY_DEADLINE = Duration.ofHours(1);

    private static final String DATABASE_PREFIX = "assay_lab_";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final String name;
    private final TargetAddress given;
    private final TargetAddress address;
    private final ServerVersion version;
    private final @Nullable LocalServer local;
    private final @Nullable String database;
    private @Nullable String kept;

    private ExternalSystem(
            String name,
            TargetAddress given,
            ServerVersion version,
            @Nullable LocalServer local,
            @Nullable String database) {
        this.name = name;
        this.given = given;
        this.address = database == null ? given : given.withDatabase(database);
        this.version = version;
        this.local = local;
        this.database = database;
    }

    /**
     * Looks at it and makes a database on it.
     *
     * @param connection as psql takes it; what it leaves out comes from libpq's environment variables and files
     * @param sessions that the experiment will open at most
     * @param ownDatabase whether the experiment has something to build
     * @throws LabException when it cannot be reached, has too few connections left, or lets nobody make a database
     */
    static ExternalSystem open(String name, String connection, int sessions, boolean ownDatabase) {
        return open(name, TargetAddress.of(connection, null, null, null, System.getenv()), sessions, ownDatabase);
    }

    private static ExternalSystem open(String name, TargetAddress given, int sessions, boolean ownDatabase) {
        ServerVersion version;
        Optional<LocalServer> local;
        try (TargetSession session = TargetSession.open(given)) {
            version = session.server().version();
            local = LocalServer.find(session).filter(LocalServer::countsAsWeDo);
            requireConnections(name, session, sessions);
        } catch (TargetException e) {
            throw new LabException("system '" + name + "': " + e.getMessage(), e.hint(), e);
        }
        String database = null;
        if (ownDatabase) {
            database = DATABASE_PREFIX + UUID.randomUUID().toString().substring(0, 8);
            make(name, given, "create database " + database);
        }
        return new ExternalSystem(name, given, version, local.orElse(null), database);
    }

    private static void requireConnections(String name, TargetSession session, int sessions) {
        session.query(
                        "select current_setting('max_connections')::int"
                                + " - current_setting('superuser_reserved_connections')::int,"
                                + " (select sum(numbackends)::int - 1 from pg_stat_database)",
                        row -> new int[] {row.getInt(1), row.getInt(2)})
                .forEach(counts -> {
                    if (counts[0] - counts[1] < sessions) {
                        throw new LabException(
                                "system '" + name + "' has " + Math.max(0, counts[0] - counts[1])
                                        + " connections left, the experiment needs " + sessions,
                                "Lower load.clients, or raise max_connections there.",
                                null);
                    }
                });
    }

    private static void make(String name, TargetAddress place, String statement) {
        try (WireSession session = place.wireSession(Bench.APPLICATION_NAME, COPY_DEADLINE)) {
            session.execute(statement);
        } catch (ErrorResponseException e) {
            throw new LabException(
                    "system '" + name + "': the database for the schema cannot be made: " + e.getMessage(),
                    e.sqlState().equals(INSUFFICIENT_PRIVILEGE)
                            ? "Let the user: alter role ... createdb. Or leave out schema:, and the scripts run in the database"
                                    + " that is there."
                            : "Leave out schema:, and the scripts run in the database that is there.",
                    e);
        }
    }

    @Override
    public TargetAddress address() {
        return address;
    }

    @Override
    public ServerVersion version() {
        return version;
    }

    @Override
    public boolean isOwn() {
        return false;
    }

    @Override
    public boolean seesProcesses() {
        return local != null;
    }

    @Override
    public CpuReading cpuReading() {
        return local == null ? new CpuReading(System.nanoTime(), Map.of()) : local.cpuReading();
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public List<String> logTail(int lines) {
        return List.of();
    }

    @Override
    public void revive() {
        // whoever runs it brings it back
    }

    @Override
    public void keepData() {
        if (database == null) {
            throw new IllegalStateException("system '" + name + "' has no database of its own");
        }
        kept = database + "_kept";
        make(name, given, "create database " + kept + " template " + database);
    }

    @Override
    public void putBack() {
        make(name, given, "drop database if exists " + database + " with (force)");
        make(name, given, "create database " + database + " template " + kept);
    }

    @Override
    public Optional<String> limit() {
        return local != null
                ? Optional.empty()
                : Optional.of(
                        "the server's CPU time and memory were not measured: its processes cannot be seen from here");
    }

    /** Drops the databases that were made, also when the thread is being interrupted. */
    @Override
    public void close() {
        if (database == null) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try (WireSession session = given.wireSession(Bench.APPLICATION_NAME, CALL_DEADLINE)) {
            session.execute("drop database if exists " + database + " with (force)");
            if (kept != null) {
                session.execute("drop database if exists " + kept);
            }
        } catch (ErrorResponseException | WireException e) {
            throw new LabException(
                    "system '" + name + "': database " + database + " is still there: " + e.getMessage(),
                    "Drop it: drop database " + database + (kept == null ? "" : "; drop database " + kept) + ".",
                    e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
