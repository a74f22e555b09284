package dev.assay.wire;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server for the tests of this package, in a directory of its own; user {@code postgres} is trusted. */
final class RealServer implements AutoCloseable {

    static final String NEWEST = "18.4.0";
    static final String OLDER = "16.14.0";

    private final Path directory;
    private final Process postgres;
    private final Endpoint endpoint;

    private RealServer(Path directory, Process postgres, Endpoint endpoint) {
        this.directory = directory;
        this.postgres = postgres;
        this.endpoint = endpoint;
    }

    /**
     * @param accessRules lines of {@code pg_hba.conf} that go before the one that trusts everybody
     */
    static RealServer start(String version, List<String> accessRules) {
        try {
            Path binaries = Path.of("/tmp/try/b-" + version + "/bin");
            Path directory = Files.createTempDirectory("assay-wire-");
            Path data = directory.resolve("data");
            run(command(
                    binaries.resolve("initdb"),
                    "-D",
                    data.toString(),
                    "-U",
                    "postgres",
                    "--no-sync",
                    "--auth=trust",
                    "-E",
                    "UTF8",
                    "--locale=C"));
            List<String> rules = new ArrayList<>(accessRules);
            rules.add("host all all 127.0.0.1/32 trust");
            Files.write(data.resolve("pg_hba.conf"), rules);
            int port = freePort();
            Process postgres = new ProcessBuilder(command(
                            binaries.resolve("postgres"),
                            "-D",
                            data.toString(),
                            "-p",
                            Integer.toString(port),
                            "-c",
                            "unix_socket_directories=",
                            "-c",
                            "listen_addresses=127.0.0.1",
                            "-c",
                            "max_connections=250",
                            "-c",
                            "fsync=off"))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
            RealServer server = new RealServer(directory, postgres, new Endpoint("127.0.0.1", port));
            server.awaitReady();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RealServer start(String version) {
        return start(version, List.of());
    }

    Endpoint endpoint() {
        return endpoint;
    }

    static Credentials postgres() {
        return new Credentials("postgres", null, "postgres");
    }

    WireSession session() {
        return WireSession.connect(endpoint, postgres(), "assay test", Duration.ofSeconds(10));
    }

    /** kill -9 for the postmaster and every process below it. */
    void kill() {
        List<ProcessHandle> all = postgres.descendants().toList();
        postgres.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
    }

    /** Sends a signal such as {@code STOP} to one server process. */
    static void signal(String name, int pid) {
        run(List.of("kill", "-" + name, Integer.toString(pid)));
    }

    @Override
    public void close() {
        kill();
        try {
            postgres.waitFor(10, TimeUnit.SECONDS);
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(RuntimeException.class)
                .until(() -> {
                    try (WireSession session = session()) {
                        return session.backendPid() > 0;
                    }
                });
    }

    /** PostgreSQL refuses to run as root; a user namespace without a mapping makes it believe that it is not. */
    private static List<String> command(Path program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static void run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(command + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
