package dev.assay.server;

import dev.assay.sys.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Debian's PgBouncer in front of a server, for one test. It refuses root as PostgreSQL does, and is run the same way. */
public final class PgBouncer implements AutoCloseable {

    private static final Duration START_MAX = Duration.ofSeconds(10);

    private final Process process;
    private final Path folder;
    private final int port;

    private PgBouncer(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /**
     * Starts it and waits until it listens.
     *
     * @param poolMode session, transaction or statement
     * @param settings further lines of its file
     */
    public static PgBouncer start(EmbeddedServer server, String poolMode, String... settings) throws Exception {
        Path folder = Files.createTempDirectory("assay-pgbouncer");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path users = Files.writeString(folder.resolve("users"), "\"" + server.user() + "\" \"\"\n");
        List<String> lines = new ArrayList<>(List.of(
                "[databases]",
                "* = host=" + server.host() + " port=" + server.port(),
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = trust",
                "auth_file = " + users,
                "pool_mode = " + poolMode));
        lines.addAll(List.of(settings));
        Path file = Files.write(folder.resolve("pgbouncer.ini"), lines);
        Launcher launcher = Launcher.current();
        for (Path own : List.of(folder, users, file)) {
            launcher.give(own);
        }
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(launcher.command(List.of("/usr/sbin/pgbouncer", file.toString())))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!Await.until(START_MAX, () -> listens(port) || !process.isAlive()) || !process.isAlive()) {
            process.destroyForcibly();
            throw new IllegalStateException("pgbouncer does not listen: " + Files.readString(log));
        }
        return new PgBouncer(process, folder, port);
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
