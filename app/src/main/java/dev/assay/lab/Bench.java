package dev.assay.lab;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.Script;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerException;
import dev.assay.server.ServerSettings;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireException;
import dev.assay.wire.WireSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A system under test, running: its server, the session that watches it, and the load clients of the variants that run on it. Used by one
 * thread.
 */
final class Bench implements AutoCloseable {

    static final String APPLICATION_NAME = "assay-lab";

    private static final Duration CALL_DEADLINE = Duration.ofSeconds(60);

    /** A statement that has waited this long without a byte has met a server that is stuck, and the trial is lost. */
    private static final Duration STALL = Duration.ofSeconds(20);

    private final Experiment.SystemUnderTest system;
    private final Experiment.Load load;
    private final long seed;
    private final EmbeddedServer server;
    private final Map<String, LoadClient> clients = new HashMap<>();
    private @Nullable TargetSession watch;

    private Bench(Experiment.SystemUnderTest system, Experiment.Load load, long seed, EmbeddedServer server) {
        this.system = system;
        this.load = load;
        this.seed = seed;
        this.server = server;
    }

    /** Starts the server and builds its schema. */
    static Bench start(
            Experiment.SystemUnderTest system,
            Experiment.Load load,
            long seed,
            @Nullable Path baseFolder,
            Consumer<String> steps)
            throws InterruptedException {
        ServerSettings settings = ServerSettings.of(system.server()).with(system.settings());
        if (baseFolder != null) {
            settings = settings.withBaseFolder(baseFolder);
        }
        Bench bench = new Bench(system, load, seed, EmbeddedServer.start(settings, steps));
        boolean done = false;
        try {
            steps.accept("building the schema of " + system.name());
            bench.build();
            done = true;
            return bench;
        } finally {
            if (!done) {
                bench.close();
            }
        }
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

    EmbeddedServer server() {
        return server;
    }

    private Endpoint endpoint() {
        return new Endpoint(server.host(), server.port());
    }

    private Credentials credentials() {
        return new Credentials(server.user(), server.password().orElse(null), server.database());
    }

    /** A session that may write. */
    WireSession connect() {
        return WireSession.connect(endpoint(), credentials(), APPLICATION_NAME, CALL_DEADLINE);
    }

    /** The session that only watches; opened on first use and after a crash. */
    TargetSession watch() {
        TargetSession open = watch;
        if (open == null) {
            open = TargetSession.open(TargetAddress.of(
                    "dbname=" + server.database() + " user=" + server.user(),
                    server.host(),
                    server.port(),
                    null,
                    server.password()
                            .map(password -> Map.of("PGPASSWORD", password))
                            .orElse(Map.of())));
            watch = open;
        }
        return open;
    }

    /** The variant's load client with all its connections open; opened on first use and after a loss. */
    LoadClient client(Experiment.Variant variant) {
        LoadClient open = clients.get(variant.name());
        if (open == null) {
            open = LoadClient.open(new LoadSettings(
                    endpoint(),
                    credentials(),
                    APPLICATION_NAME,
                    List.of(new WeightedScript(script(variant), 1)),
                    Protocol.valueOf(load.protocol().toUpperCase(Locale.ROOT)),
                    load.clients(),
                    1,
                    seed,
                    CALL_DEADLINE,
                    STALL,
                    LoadRules.closedLoop()));
            clients.put(variant.name(), open);
        }
        return open;
    }

    static Script script(Experiment.Variant variant) {
        return Script.parse("script of " + variant.name(), variant.script());
    }

    /** Starts a server that has died again, and forgets the sessions that died with it. */
    void revive() throws InterruptedException {
        if (!server.isAlive()) {
            forget();
            server.restart();
        }
    }

    /** Closes every session; the next use opens new ones. */
    void forget() {
        clients.values().forEach(LoadClient::close);
        clients.clear();
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
                || e instanceof ServerException;
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
