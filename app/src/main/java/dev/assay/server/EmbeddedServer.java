package dev.assay.server;

import dev.assay.pg.ServerVersion;
import dev.assay.sys.Await;
import dev.assay.sys.CpuReading;
import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server of an exact version, on a free port of the loopback address, with a data folder of its own. When it is closed,
 * when the program ends or is interrupted, or at the next start after the program was killed, nothing of it is left.
 *
 * <pre>{@code
 * try (EmbeddedServer server = EmbeddedServer.start(ServerSettings.of("16").withMaxConnections(300))) {
 *     connect(server.jdbcUrl(), server.user(), server.password().orElse(""));
 * }
 * }</pre>
 *
 * <p>Thread-safe: {@link #stop}, {@link #crash} and {@link #restart} take turns; {@link #close} interrupts them.
 */
public final class EmbeddedServer implements AutoCloseable {

    static final String HOST = "127.0.0.1";
    static final String USER = "postgres";
    static final String DATABASE = "postgres";

    private static final Duration READY_MAX = Duration.ofSeconds(60);
    private static final Duration FAST_STOP_MAX = Duration.ofSeconds(30);
    private static final Duration DEATH_MAX = Duration.ofSeconds(5);
    private static final int READY_LOOK_MILLIS = 5;
    private static final int PORT_ATTEMPTS_MAX = 10;
    private static final int LOG_TAIL_BYTES_MAX = 1 << 20;

    private final ServerSettings settings;
    private final ServerVersion version;
    private final Path home;
    private final Setup setup;
    private final OwnedFolder folder;
    private final ReentrantLock turn = new ReentrantLock();
    private volatile int port; // written under turn
    private volatile @Nullable Process postmaster; // written under turn

    private EmbeddedServer(ServerSettings settings, ServerVersion version, Path home, Setup setup, OwnedFolder folder) {
        this.settings = settings;
        this.version = version;
        this.home = home;
        this.setup = setup;
        this.folder = folder;
    }

    /** As {@link #start(ServerSettings, Consumer)}, telling nobody. */
    public static EmbeddedServer start(ServerSettings settings) throws InterruptedException {
        return start(settings, step -> {});
    }

    /**
     * Starts a server and waits until it takes connections, 60 s at most. The first start of a version unpacks it (2 s), or fetches it, and runs
     * initdb (2 s); later ones take about half a second.
     *
     * @param steps told in one line what is being done, on the calling thread
     * @throws BinariesUnavailableException when that version cannot be had
     * @throws ServerStartException when the server does not start; nothing of it is left
     * @throws InterruptedException when the thread is interrupted; nothing of it is left
     */
    public static EmbeddedServer start(ServerSettings settings, Consumer<String> steps) throws InterruptedException {
        return start(settings, steps, Setup.ofUser());
    }

    static EmbeddedServer start(ServerSettings settings, Consumer<String> steps, Setup setup)
            throws InterruptedException {
        try {
            return tryStart(settings, steps, setup);
        } catch (ServerStartException e) {
            if (e.getCause() instanceof ClosedByInterruptException) { // an interrupt closes the file that is being used
                Thread.interrupted();
                throw new InterruptedException();
            }
            throw e;
        }
    }

    private static EmbeddedServer tryStart(ServerSettings settings, Consumer<String> steps, Setup setup)
            throws InterruptedException {
        ServerVersion version = setup.binaries().version(settings.version());
        Path home = setup.binaries().unpacked(version, steps);
        Path base = settings.baseFolder().orElseGet(Sweep::defaultBase);
        OwnedFolder folder = Sweep.newFolder(base, setup.cache(), setup.launcher());
        boolean started = false;
        try {
            EmbeddedServer server = new EmbeddedServer(settings, version, home, setup, folder);
            server.prepare(steps);
            steps.accept("starting PostgreSQL " + version);
            server.launchOnFreePort();
            started = true;
            return server;
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(); // an interrupt closes the channel that is being used
            }
            throw folder.isShut()
                    ? Cleanup.closed()
                    : ServerStartException.of("starting PostgreSQL " + version, folder.path(), e);
        } finally {
            if (!started) {
                folder.remove();
            }
        }
    }

    private void prepare(Consumer<String> steps) throws IOException, InterruptedException {
        folder.guarded(() -> {
            setup.launcher().makeFolder(folder.path().resolve("s"));
            setup.launcher().give(folder.path().resolve("s"));
            return folder;
        });
        DataTemplate template = new DataTemplate(version, home, setup, folder);
        template.makeData(steps);
        if (settings.password().isPresent()) {
            template.requirePassword(settings.password().get());
        }
    }

    private void launchOnFreePort() throws IOException, InterruptedException {
        turn.lock();
        try {
            for (int attempt = 1; ; attempt++) {
                int candidate = setup.ports().pick();
                try {
                    launch(candidate);
                    return;
                } catch (ServerStartException e) {
                    if (e.reason() != ServerStartException.Reason.PORT_TAKEN || attempt == PORT_ATTEMPTS_MAX) {
                        throw e;
                    }
                }
            }
        } finally {
            turn.unlock();
        }
    }

    /** Starts the postmaster and waits until it is ready; the turn is held. */
    private void launch(int chosenPort) throws IOException, InterruptedException {
        Configuration.write(folder, settings, chosenPort);
        long logged = Files.exists(log()) ? Files.size(log()) : 0;
        List<String> command = List.of(
                home.resolve("bin/postgres").toString(), "-D", dataFolder().toString());
        Process process = folder.spawn(setup.launcher().command(command), log());
        port = chosenPort;
        postmaster = process;
        boolean ready = false;
        try {
            ready = awaitReady(process);
            if (!ready && process.isAlive()) {
                throw new ServerStartException(
                        ServerStartException.Reason.TIMEOUT,
                        "PostgreSQL " + version + " was not ready within " + READY_MAX.toSeconds() + " s",
                        ServerStartException.hint(ServerStartException.Reason.TIMEOUT, folder.path()),
                        logTail(20),
                        null);
            }
        } finally {
            if (!ready) {
                folder.processes().end();
            }
        }
        if (!ready) {
            throw whyNotStarted(readLog(logged), process.exitValue(), chosenPort);
        }
        folder.guarded(() -> Files.deleteIfExists(folder.path().resolve(ServerProcesses.LEFT_OBJECTS)));
    }

    private boolean awaitReady(Process process) throws InterruptedException {
        long end = System.nanoTime() + READY_MAX.toNanos();
        while (System.nanoTime() - end < 0) {
            Optional<PidFile> file = PidFile.read(dataFolder());
            if (file.isPresent() && file.get().ready() && file.get().pid() == process.pid()) {
                return true;
            }
            if (process.waitFor(READY_LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return false;
    }

    private ServerStartException whyNotStarted(String log, int exitCode, int chosenPort) {
        if (folder.isShut()) {
            return Cleanup.closed();
        }
        if (StartupLog.saysPortTaken(log)) {
            ServerStartException.Reason reason = ServerStartException.Reason.PORT_TAKEN;
            return new ServerStartException(
                    reason,
                    "PostgreSQL " + version + " did not start: port " + chosenPort + " on " + HOST + " is taken",
                    ServerStartException.hint(reason, folder.path()),
                    StartupLog.tail(log.lines().toList()),
                    null);
        }
        return StartupLog.explain(version, log, exitCode, folder.path());
    }

    /** The address it listens on. */
    public String host() {
        return HOST;
    }

    /** The TCP port; the same for the server's whole life. */
    public int port() {
        return port;
    }

    /** The exact version. */
    public ServerVersion version() {
        return version;
    }

    /** The superuser's name. */
    public String user() {
        return USER;
    }

    /** The superuser's password; empty where everybody is trusted. */
    public Optional<String> password() {
        return settings.password();
    }

    /** A database to connect to. */
    public String database() {
        return DATABASE;
    }

    /** The URL for JDBC, without user and password. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + HOST + ":" + port + "/" + DATABASE;
    }

    /** With what it was started. */
    public ServerSettings settings() {
        return settings;
    }

    /** The postmaster's process, also after it has ended. */
    public long pid() {
        Process process = postmaster;
        if (process == null) {
            throw new IllegalStateException("the server was never started");
        }
        return process.pid();
    }

    /** PGDATA. It may be written while the server is stopped; it goes when the server is closed. */
    public Path dataFolder() {
        return folder.path().resolve("data");
    }

    /** The folder of the Unix socket; empty where its path would be too long for one. */
    public Optional<Path> socketFolder() {
        String path = Configuration.socketFolder(folder);
        return path.isEmpty() ? Optional.empty() : Optional.of(Path.of(path));
    }

    /** The folder with {@code bin}, {@code lib} and {@code share} of this version; shared, to be read only. */
    public Path home() {
        return home;
    }

    /** What the server writes on stderr, over all its starts. With {@code logging_collector} the log is in the data folder instead. */
    public Path log() {
        return folder.path().resolve("log");
    }

    /** The last lines of {@link #log}, oldest first, at most 1 MB of them; empty when there are none. */
    public List<String> logTail(int lines) {
        try {
            long size = Files.size(log());
            List<String> all =
                    readLog(Math.max(0, size - LOG_TAIL_BYTES_MAX)).lines().toList();
            return all.subList(Math.max(0, all.size() - lines), all.size());
        } catch (IOException e) {
            return List.of();
        }
    }

    private String readLog(long from) {
        try (var in = Files.newInputStream(log())) {
            in.skipNBytes(from);
            return new String(in.readNBytes(LOG_TAIL_BYTES_MAX), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether the postmaster runs. */
    public boolean isAlive() {
        Process process = postmaster;
        return process != null && process.isAlive();
    }

    /** What the scheduler has given the server's living processes. Empty of accounts when it does not run. */
    public CpuReading cpuReading() {
        return ProcFs.system().cpuReading(isAlive() ? pid() : 0);
    }

    /**
     * CPU time of the server since its last start: CPU nanoseconds of the postmaster and all its children, those that have ended included,
     * user and system. Steps of 10 ms. 0 when it does not run.
     *
     * <p>Source: {@code /proc/PID/stat}, see {@link ProcFs#cpuNanosWithChildren}.
     */
    public long cpuNanos() {
        return isAlive() ? ProcFs.system().cpuNanosWithChildren(pid()) : 0;
    }

    /**
     * Stops the server in fast mode: sessions are ended, a checkpoint is written, 30 s at most; then at once, then by force. The data folder
     * stays. Does nothing when it is stopped.
     */
    public void stop() {
        turn.lock();
        try {
            Process process = postmaster;
            if (process != null && process.isAlive()) {
                ServerProcesses.signal("INT", Set.of(process.pid()));
                Await.untilDespiteInterrupts(FAST_STOP_MAX, () -> !process.isAlive());
                folder.processes().end();
                Await.untilDespiteInterrupts(DEATH_MAX, () -> !process.isAlive());
            }
        } finally {
            turn.unlock();
        }
    }

    /**
     * Kills the server and all its children (SIGKILL), as a crash of the server's software does; what it had written to files is still
     * there. {@link #restart} recovers.
     */
    public void crash() {
        turn.lock();
        try {
            folder.processes().crash();
            Process process = postmaster;
            if (process != null) {
                Await.untilDespiteInterrupts(DEATH_MAX, () -> !process.isAlive());
            }
        } finally {
            turn.unlock();
        }
    }

    /**
     * Starts the server again on the same data folder and port, stopping it first when it runs: after {@link #stop}, after {@link #crash}, or for
     * settings that were changed by {@code ALTER SYSTEM}.
     *
     * @throws ServerStartException when it does not start; the data folder is still there
     */
    public void restart() throws InterruptedException {
        turn.lock();
        try {
            stop();
            launch(port);
        } catch (IOException e) {
            throw folder.isShut()
                    ? Cleanup.closed()
                    : ServerStartException.of("restarting PostgreSQL " + version, folder.path(), e);
        } finally {
            turn.unlock();
        }
    }

    /**
     * Stops the server, keeps a copy of its data folder as it then is, and starts it again. A copy kept before is replaced. Tablespaces outside
     * of the data folder are not in it.
     *
     * @throws ServerStartException when the data cannot be copied or the server does not start again
     */
    public void keepData() throws InterruptedException {
        exchange(new KeptData(version, setup, folder)::keep);
    }

    /**
     * Stops the server, puts the data back that {@link #keepData} kept, and starts it again. Everything written since is gone, what was set
     * by {@code ALTER SYSTEM} too.
     *
     * @throws IllegalStateException when none were kept
     * @throws ServerStartException when the data cannot be copied or the server does not start again
     */
    public void restoreData() throws InterruptedException {
        exchange(new KeptData(version, setup, folder)::restore);
    }

    /** What is done to the files of a server that is stopped. */
    private interface Exchange {
        void run() throws IOException, InterruptedException;
    }

    private void exchange(Exchange files) throws InterruptedException {
        turn.lock();
        try {
            stop();
            files.run();
            launch(port);
        } catch (IOException e) {
            throw folder.isShut()
                    ? Cleanup.closed()
                    : ServerStartException.of("copying the data of PostgreSQL " + version, folder.path(), e);
        } finally {
            turn.unlock();
        }
    }

    /** Stops the server at once, without a checkpoint, and deletes its folder. May be called more than once. */
    @Override
    public void close() {
        folder.remove();
    }

    @Override
    public String toString() {
        return "PostgreSQL " + version + " on " + HOST + ":" + port + " (" + folder.path() + ")";
    }
}
