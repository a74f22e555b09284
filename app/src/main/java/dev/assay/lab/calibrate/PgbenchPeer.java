package dev.assay.lab.calibrate;

import dev.assay.lab.LabException;
import dev.assay.lab.load.Protocol;
import dev.assay.sys.ProcFs;
import dev.assay.sys.ProcessStat;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An installed pgbench, run as a process of its own. Used by one thread. */
public final class PgbenchPeer {

    private static final Pattern PROCESSED = Pattern.compile("number of transactions actually processed: (\\d+)");
    private static final Pattern TPS = Pattern.compile("tps = ([0-9.]+)");

    /** Descriptors that a process has open besides its connections: its standard streams. */
    private static final int OWN_DESCRIPTORS = 3;

    private static final long POLL_MILLIS = 2;
    private static final long PATIENCE_SECONDS = 60;

    private final Path binary;

    /**
     * One run.
     *
     * @param cpuNanos of its process since its connections were open
     */
    record Run(double transactionsPerSecond, long transactions, long cpuNanos) {}

    /** The pgbench that this file is. */
    public PgbenchPeer(Path binary) {
        this.binary = binary;
    }

    /** The pgbench of the path or of Debian's packages, the newest of them; empty when there is none. */
    public static Optional<Path> installed() {
        List<Path> places = new ArrayList<>();
        String path = System.getenv("PATH");
        for (String folder : path == null ? new String[0] : path.split(":", -1)) {
            if (!folder.isEmpty()) {
                places.add(Path.of(folder, "pgbench"));
            }
        }
        Path debian = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(debian)) {
            try (Stream<Path> versions = Files.list(debian)) {
                versions.map(version -> version.resolve("bin/pgbench"))
                        .sorted(Comparator.reverseOrder())
                        .forEach(places::add);
            } catch (IOException e) {
                // what cannot be listed holds none for us
            }
        }
        return places.stream().filter(Files::isExecutable).findFirst();
    }

    /** What {@code pgbench --version} says. */
    public String version() throws InterruptedException {
        try {
            Process process = new ProcessBuilder(binary.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            process.waitFor();
            return said;
        } catch (IOException e) {
            throw failed("cannot be run: " + e.getMessage(), e);
        }
    }

    private LabException failed(String what, @Nullable Exception e) {
        return new LabException(binary + " " + what, "Name another one with --pgbench.", e);
    }

    Run run(
            Endpoint endpoint,
            Credentials credentials,
            String script,
            int scale,
            Protocol protocol,
            int clients,
            int threads,
            int seconds)
            throws InterruptedException {
        Path folder = null;
        Process process = null;
        try {
            folder = Files.createTempDirectory("assay-calibrate");
            Path file = Files.writeString(folder.resolve("script.sql"), script);
            ProcessBuilder builder = new ProcessBuilder(List.of(
                    binary.toString(),
                    "-n",
                    "-h",
                    endpoint.host(),
                    "-p",
                    Integer.toString(endpoint.port()),
                    "-U",
                    credentials.user(),
                    "-c",
                    Integer.toString(clients),
                    "-j",
                    Integer.toString(threads),
                    "-T",
                    Integer.toString(seconds),
                    "-s",
                    Integer.toString(scale),
                    "-M",
                    protocol.name().toLowerCase(Locale.ROOT),
                    "-f",
                    file.toString(),
                    credentials.database()));
            builder.redirectErrorStream(true);
            String password = credentials.password();
            if (password != null) {
                builder.environment().put("PGPASSWORD", password);
            }
            long endedBefore = endedChildrenNanos();
            process = builder.start();
            long connecting = awaitConnections(process, clients);
            String said = read(process);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw failed(
                        "ended with " + process.exitValue() + ": "
                                + said.strip().replaceAll("\\s+", " "),
                        null);
            }
            return new Run(
                    Double.parseDouble(find(TPS, said)),
                    Long.parseLong(find(PROCESSED, said)),
                    endedChildrenNanos() - endedBefore - connecting);
        } catch (IOException | UncheckedIOException e) {
            throw failed("cannot be run: " + e.getMessage(), e);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
            delete(folder);
        }
    }

    private static void delete(@Nullable Path folder) {
        if (folder != null) {
            try {
                Files.deleteIfExists(folder.resolve("script.sql"));
                Files.deleteIfExists(folder);
            } catch (IOException e) {
                // a file in the temporary folder is left behind
            }
        }
    }

    private static String read(Process process) throws IOException {
        StringBuilder said = new StringBuilder();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                said.append(line).append('\n');
            }
        }
        return said.toString();
    }

    private String find(Pattern pattern, String said) {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw failed("printed no '" + pattern + "' but: " + said.strip().replaceAll("\\s+", " "), null);
        }
        return matcher.group(1);
    }

    /** Waits until the process has all its connections, and returns what CPU time it has used by then. */
    private static long awaitConnections(Process process, int clients) throws InterruptedException {
        Path descriptors = Path.of("/proc", Long.toString(process.pid()), "fd");
        while (process.isAlive()) {
            try (Stream<Path> open = Files.list(descriptors)) {
                if (open.count() >= clients + OWN_DESCRIPTORS) {
                    return ProcFs.system()
                            .stat(process.pid())
                            .map(ProcessStat::cpuNanos)
                            .orElse(0L);
                }
            } catch (IOException | UncheckedIOException e) {
                // it has just ended
            }
            Thread.sleep(POLL_MILLIS);
        }
        return 0;
    }

    private static long endedChildrenNanos() {
        return ProcFs.system()
                .stat(ProcessHandle.current().pid())
                .map(ProcessStat::endedChildrenCpuNanos)
                .orElse(0L);
    }
}
