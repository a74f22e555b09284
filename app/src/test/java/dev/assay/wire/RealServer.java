package dev.assay.wire;

import static org.awaitility.Awaitility.await;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server for the tests of this package, each test's own; user {@code postgres} is trusted. */
public final class RealServer implements AutoCloseable {

    public static final String NEWEST = "18";
    public static final String OLDER = "16";

    /** One of the tests opens one more. */
    public static final int SESSIONS_MAX = 250;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EmbeddedServer server;

    private RealServer(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * @param accessRules lines of {@code pg_hba.conf} that go before the one that trusts everybody
     */
    public static RealServer start(String version, List<String> accessRules) {
        RealServer server = start(version);
        boolean done = false;
        try {
            server.askForPasswords(accessRules);
            done = true;
            return server;
        } finally {
            if (!done) {
                server.close();
            }
        }
    }

    public static RealServer start(String version) {
        try {
            return new RealServer(
                    EmbeddedServer.start(TestServers.settings(version).withMaxConnections(SESSIONS_MAX)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a server was starting", e);
        }
    }

    private void askForPasswords(List<String> accessRules) {
        List<String> rules = new ArrayList<>(accessRules);
        rules.add("host all all 127.0.0.1/32 trust");
        String before = loadedAt();
        Path file = server.dataFolder().resolve("pg_hba.conf");
        try {
            Files.write(file, rules);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (WireSession session = session()) {
            session.execute("select pg_reload_conf()");
        }
        // the postmaster reads the rules in the same breath as the settings, and a new session inherits that moment
        await().atMost(PATIENCE).until(() -> !loadedAt().equals(before));
    }

    private String loadedAt() {
        try (WireSession session = session()) {
            return String.valueOf(
                    session.query("select pg_conf_load_time()").get(0).get(0));
        }
    }

    /** The exact version, as {@code server_version} reports it. */
    String version() {
        return server.version().toString();
    }

    public Endpoint endpoint() {
        return new Endpoint(server.host(), server.port());
    }

    public static Credentials postgres() {
        return new Credentials("postgres", null, "postgres");
    }

    public WireSession session() {
        return WireSession.connect(endpoint(), postgres(), "assay test", PATIENCE);
    }

    /** kill -9 for the postmaster and every process below it. */
    public void kill() {
        server.crash();
    }

    /** Sends a signal such as {@code STOP} to one server process. */
    public static void signal(String name, int pid) {
        List<String> command = List.of("kill", "-" + name, Integer.toString(pid));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(command + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
