package dev.assay.lab;

import dev.assay.server.EmbeddedServer;
import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A recorder in a process of its own. */
public final class RecorderProcess implements AutoCloseable {

    private static final Pattern LISTED = Pattern.compile("options\\+?=\\(([^)]*)\\)");

    private final Process process;
    private final Path log;

    private RecorderProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** {@code assay record} of a server's database, into a new folder. */
    public static RecorderProcess record(EmbeddedServer server, String role, String database, Path folder, Path log)
            throws IOException {
        return start(
                List.of(
                        launcher().toString(),
                        "record",
                        "-h",
                        server.host(),
                        "-p",
                        Integer.toString(server.port()),
                        "-U",
                        role,
                        "-d",
                        database,
                        "-o",
                        folder.toString()),
                log);
    }

    /** A class of the tests, with the options that the launcher has for {@code record}. */
    public static RecorderProcess main(Class<?> main, Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(launcherOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return start(command, log);
    }

    private static Path launcher() {
        return Path.of(System.getProperty("assay.root"), "assay")
                .toAbsolutePath()
                .normalize();
    }

    /** Those of every command, and those of {@code record}. */
    private static List<String> launcherOptions() throws IOException {
        List<String> options = new ArrayList<>();
        Matcher listed = LISTED.matcher(Files.readString(launcher()));
        while (listed.find()) {
            if (!listed.group(1).contains("$")) {
                options.addAll(List.of(listed.group(1).split(" ", -1)));
            }
        }
        if (options.stream().noneMatch(option -> option.startsWith("-Xmx"))) {
            throw new IllegalStateException("the launcher has no options for record: " + options);
        }
        return options;
    }

    private static RecorderProcess start(List<String> command, Path log) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new RecorderProcess(process, log);
    }

    long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** CPU time of all its threads, nanoseconds in steps of 10 ms. */
    long cpuNanos() {
        return ProcFs.system().cpuNanosWithChildren(process.pid());
    }

    /** Bytes of it that are in memory now, those of files included; 0 when it has ended. */
    public long residentBytes() throws IOException {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        } catch (NoSuchFileException e) {
            return 0;
        }
        return 0;
    }

    /** What it said. */
    public String said() throws IOException {
        return Files.readString(log);
    }

    /** Interrupts it, as Ctrl-C does; by force after half a minute. */
    @Override
    public void close() throws IOException {
        if (!process.isAlive()) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
