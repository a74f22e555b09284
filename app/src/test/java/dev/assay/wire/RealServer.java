package dev.assay.wire;

import static org.awaitility.Awaitility.await;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server for the tests of this package, each test's own; user {@code postgres} is trusted. */
public final class RealServer implements AutoCloseable {

    public static final String NEWEST = "18";
    public static final String OLDER = "16";
    public static final String OLDEST = "14";

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
        rules.add("local all all trust");
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

    /**
     * Lets the server encrypt (ssl = on) from now on, or show another certificate.
     *
     * @param name whose certificate and key it shows
     */
    public void encrypt(TestCertificates certificates, String name) {
        Path certificate = hand(certificates.certificate(name));
        Path key = hand(certificates.key(name));
        Path authorities = hand(certificates.certificate("root"));
        String before = loadedAt();
        try (WireSession session = session()) {
            session.execute("alter system set ssl_cert_file = '" + certificate.getFileName() + "'");
            session.execute("alter system set ssl_key_file = '" + key.getFileName() + "'");
            session.execute("alter system set ssl_ca_file = '" + authorities.getFileName() + "'");
            session.execute("alter system set ssl = on");
            session.execute("select pg_reload_conf()");
        }
        await().atMost(PATIENCE).until(() -> !loadedAt().equals(before));
    }

    /** Copies a file into the data folder as one that the server's user alone may read. */
    private Path hand(Path file) {
        Path copy = server.dataFolder().resolve(file.getFileName());
        try {
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
            Files.setAttribute(copy, "unix:uid", Files.getAttribute(server.dataFolder(), "unix:uid"));
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    Path socketFolder() {
        return server.socketFolder().orElseThrow();
    }

    public static Credentials postgres() {
        return new Credentials("postgres", null, "postgres");
    }

    /** In clear, whatever the server can. */
    public WireSession session() {
        Endpoint inClear = endpoint().withEncryption(Encryption.of(Encryption.Mode.DISABLE));
        return WireSession.connect(inClear, postgres(), "assay test", PATIENCE);
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
