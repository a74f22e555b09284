package dev.assay.lab;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.Script;
import dev.assay.lab.service.ServiceException;
import dev.assay.server.ServerException;
import dev.assay.sys.Await;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireException;
import dev.assay.wire.WireSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A system under test, running: its server, the session that watches it, and the load clients of the variants that run on it. Used by one
 * thread.
 */
final class Bench implements AutoCloseable {

    static final String APPLICATION_NAME = "assay-lab";

    private static final Duration CALL_DEADLINE = Duration.ofSeconds(60);

    /** A checkpoint or a task may take this long. */
    private static final Duration WORK_DEADLINE = Duration.ofHours(1);

    /** Forcing a session to report its counters came with the shared-memory statistics of 15. */
    private static final int FLUSH_SINCE = 15;

    /** What {@code pg_stat_reset_shared} takes, with the version that it came with; the counters of tables stay, as autovacuum goes by them. */
    private static final Map<String, Integer> SHARED =
            new TreeMap<>(Map.of("bgwriter", 10, "wal", 14, "io", 16, "checkpointer", 17));

    /** A statement that has waited this long without a byte has met a server that is stuck, and the trial is lost. */
    private static final Duration STALL = Duration.ofSeconds(20);

    private static final Duration COLLECTED_MAX = Duration.ofSeconds(5);

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private static final String FLUSH = "select pg_stat_force_next_flush()";

    private final Experiment.SystemUnderTest system;
    private final long seed;
    private final RunningSystem server;
    private boolean checkpoints = true;
    private final Map<String, LoadClient> clients = new HashMap<>();
    private @Nullable TargetSession watch;
    private @Nullable WireSession control;

    private Bench(Experiment.SystemUnderTest system, long seed, RunningSystem server) {
        this.system = system;
        this.seed = seed;
        this.server = server;
    }

    /**
     * Starts the server and builds its schema.
     *
     * @param keepsData whether {@link #putBack} will be asked for
     */
    static Bench start(
            Experiment.SystemUnderTest system,
            boolean keepsData,
            long seed,
            @Nullable Path baseFolder,
            Consumer<String> steps)
            throws InterruptedException {
        Bench bench = new Bench(system, seed, server(system, baseFolder, steps));
        boolean done = false;
        try {
            steps.accept("building the schema of " + system.name());
            bench.build();
            if (keepsData) {
                steps.accept("keeping the data of " + system.name());
                bench.forget();
                bench.server.keepData();
            }
            done = true;
            return bench;
        } finally {
            if (!done) {
                bench.close();
            }
        }
    }

    private static RunningSystem server(
            Experiment.SystemUnderTest system, @Nullable Path baseFolder, Consumer<String> steps)
            throws InterruptedException {
        if (system.place() instanceof Experiment.Place.External external) {
            steps.accept("connecting to " + system.name());
            return ExternalSystem.open(
                    system.name(),
                    external.connection(),
                    external.sessions(),
                    !system.setup().isBlank());
        }
        String version = ((Experiment.Place.Embedded) system.place()).version();
        return EmbeddedSystem.start(version, system.settings(), baseFolder, steps);
    }

    private void build() {
        if (system.setup().isBlank()) {
            return;
        }
        List<String> statements =
                Script.parse("schema of " + system.name(), system.setup()).expand(seed);
        try (WireSession session = connect()) {
            for (String statement : statements) {
                run(session, statement);
            }
        }
    }

    private void run(WireSession session, String statement) {
        try {
            session.execute(statement);
        } catch (ErrorResponseException e) {
            throw new LabException(
                    "the schema of system '" + system.name() + "' fails on PostgreSQL " + server.version() + ": "
                            + e.getMessage(),
                    "Statement: " + brief(statement),
                    e);
        }
    }

    static String brief(String statement) {
        String line = statement.strip().replaceAll("\\s+", " ");
        return line.length() <= 120 ? line : line.substring(0, 117) + "...";
    }

    Experiment.SystemUnderTest system() {
        return system;
    }

    long seed() {
        return seed;
    }

    RunningSystem server() {
        return server;
    }

    /** A session that may write. */
    WireSession connect() {
        return server.address().wireSession(APPLICATION_NAME, CALL_DEADLINE);
    }

    /** As {@link #connect}, for one statement that may take an hour. */
    WireSession connectForWork() {
        return server.address().wireSession(APPLICATION_NAME, WORK_DEADLINE);
    }

    /** A session for counters and settings, kept open; opened on first use and after a loss. */
    WireSession control() {
        WireSession open = control;
        if (open == null) {
            open = connectForWork();
            control = open;
        }
        return open;
    }

    /**
     * The server's counters as they stand. Before 15 a reader is content with figures that are half a second old ({@code
     * PGSTAT_STAT_INTERVAL} in {@code pgstat.c}), which may be from before they were set to zero, but says of which moment they are.
     */
    Counters counters() throws InterruptedException {
        WireSession session = control();
        if (server.version().major() < FLUSH_SINCE) {
            String now = session.query("select clock_timestamp()").get(0).get(0);
            String seen = "select pg_stat_get_snapshot_timestamp() >= '" + now + "'";
            Await.until(
                    COLLECTED_MAX, () -> "t".equals(session.query(seen).get(0).get(0)));
        }
        return Counters.read(session, server.version().major());
    }

    /**
     * Makes a trial's beginning the same as that of the others: writes a checkpoint, so that none is due from before, and sets the shared
     * counters to zero, where they are nobody else's.
     */
    void quieten() {
        checkpoint();
        if (!server.isOwn()) {
            return;
        }
        WireSession session = control();
        SHARED.forEach((name, since) -> {
            if (server.version().major() >= since) {
                session.execute("select pg_stat_reset_shared('" + name + "')");
            }
        });
        session.execute("select pg_stat_reset_slru(null)");
    }

    /** Writes a checkpoint, unless this user may not. */
    void checkpoint() {
        if (!checkpoints) {
            return;
        }
        try {
            control().execute("checkpoint");
        } catch (ErrorResponseException e) {
            if (server.isOwn() || !e.sqlState().equals(INSUFFICIENT_PRIVILEGE)) {
                throw e;
            }
            checkpoints = false;
        }
    }

    /** What the trials on it went without, for people. */
    List<String> limits() {
        List<String> limits = new ArrayList<>();
        server.limit().ifPresent(limits::add);
        if (!checkpoints) {
            limits.add(
                    "no checkpoint was written before the trials: the user may not (pg_checkpoint is the role for it)");
        }
        return limits;
    }

    /** Anonymous memory of a backend, MiB; empty where it cannot be seen. */
    OptionalDouble memory(int... backends) {
        return server.seesProcesses() ? BackendMemory.mean(backends) : OptionalDouble.empty();
    }

    /** Puts the data back as the schema left them; every session is closed. */
    void putBack() throws InterruptedException {
        forget();
        server.putBack();
    }

    /** Makes the sessions of an idle load client report what they have counted; before 15 nothing does. */
    void report(LoadClient client) {
        if (server.version().major() >= FLUSH_SINCE) {
            client.execute(FLUSH);
        }
    }

    /** Makes a session report what it has counted; before 15 nothing does. */
    void report(WireSession session) {
        if (server.version().major() >= FLUSH_SINCE) {
            session.execute(FLUSH);
        }
    }

    /** The session that only watches; opened on first use and after a crash. */
    TargetSession watch() {
        TargetSession open = watch;
        if (open == null) {
            open = TargetSession.open(server.address());
            watch = open;
        }
        return open;
    }

    /** What puts the variant's load on for one trial. */
    LoadSource source(Experiment.Variant variant) throws InterruptedException {
        return variant.workload() instanceof Workload.Service work
                ? ServiceLoad.start(this, variant, work)
                : new ScriptLoad(this, variant);
    }

    /** Process ids of all sessions of clients in the database. */
    Set<Integer> clientBackends() {
        return control()
                .query(
                        "select pid from pg_stat_activity where backend_type = 'client backend' and datname = current_database()")
                .stream()
                .map(row -> Integer.valueOf(String.valueOf(row.get(0))))
                .collect(Collectors.toSet());
    }

    /** The variant's load client with all its connections open; opened on first use and after a loss. */
    LoadClient client(Experiment.Variant variant) {
        LoadClient open = clients.get(variant.name());
        if (open == null) {
            open = open(scripts(variant), variant.load(), seed);
            clients.put(variant.name(), open);
        }
        return open;
    }

    private LoadClient open(List<WeightedScript> scripts, Experiment.Load load, long draws) {
        LoadRules plain = LoadRules.closedLoop();
        return LoadClient.open(new LoadSettings(
                server.address().endpoint(),
                server.address().credentials(),
                APPLICATION_NAME,
                scripts,
                Protocol.valueOf(load.protocol().toUpperCase(Locale.ROOT)),
                load.clients(),
                load.threads(),
                draws,
                CALL_DEADLINE,
                STALL,
                new LoadRules(
                        load.rate(),
                        load.latencyLimit(),
                        load.maxTries(),
                        plain.goesOn(),
                        plain.endsOnAbort(),
                        plain.connectsEach(),
                        plain.reconnects(),
                        plain.scale(),
                        plain.variables())));
    }

    /** The clients of a background load; the caller closes them. */
    LoadClient open(Background.Scripted background, long draws) {
        Workload.Part part = background.script();
        Script script = Script.parse("script '" + part.name() + "' of background " + background.name(), part.text());
        return open(List.of(new WeightedScript(script, 1)), background.load(), draws);
    }

    static List<WeightedScript> scripts(Experiment.Variant variant) {
        return variant.scripts().stream()
                .map(part -> new WeightedScript(
                        Script.parse("script '" + part.name() + "' of " + variant.name(), part.text()), part.weight()))
                .toList();
    }

    /** Starts a server that has died again, and forgets the sessions that died with it. */
    void revive() throws InterruptedException {
        if (!server.isAlive()) {
            forget();
            server.revive();
        }
    }

    /** Closes every session; the next use opens new ones. */
    void forget() {
        clients.values().forEach(LoadClient::close);
        clients.clear();
        WireSession controlling = control;
        control = null;
        if (controlling != null) {
            controlling.close();
        }
        TargetSession open = watch;
        watch = null;
        if (open != null) {
            open.close();
        }
    }

    /** What this exception says when it comes from the server or the way to it; null for any other. */
    static @Nullable String operatingFailure(RuntimeException e) {
        boolean foreseen = e instanceof ErrorResponseException
                || e instanceof WireException
                || e instanceof TargetException
                || e instanceof ServerException
                || e instanceof ServiceException;
        String message = e.getMessage();
        return foreseen ? (message == null ? e.getClass().getSimpleName() : message) : null;
    }

    @Override
    public void close() {
        try {
            forget();
        } finally {
            server.close();
        }
    }
}
