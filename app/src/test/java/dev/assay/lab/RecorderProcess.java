package dev.assay.lab;

import dev.assay.server.EmbeddedServer;
import dev.assay.sys.ProcFs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A recorder in a process of its own, with the options of the launcher. */
public final class RecorderProcess implements AutoCloseable {

    /** As the launcher starts {@code assay record}: a small heap, and code compiled once, by the compiler that is quick itself. */
    public static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:AutoBoxCacheMax=4096",
            "-Xlog:disable",
            "-Xms16m",
            "-Xmx96m",
            "-Xss512k",
            "-XX:TieredStopAtLevel=1",
            "-XX:MaxMetaspaceSize=96m",
            "-XX:ReservedCodeCacheSize=48m");

    private final Process process;
    private final Path log;

    private RecorderProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static RecorderProcess start(EmbeddedServer server, String role, Path folder) throws IOException {
        return start(
                List.of(
                        RecorderChild.class.getName(),
                        server.host(),
                        Integer.toString(server.port()),
                        role,
                        server.database(),
                        folder.toString()),
                Files.createTempFile("recorder", ".log"));
    }

    /** Runs a class of the tests with the recorder's options. */
    public static RecorderProcess start(List<String> mainAndArguments, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(mainAndArguments);
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

    /** Bytes of it that are in memory now: all, and those that are not of files. */
    public long residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        return 0;
    }

    /** What it said. */
    public String said() throws IOException {
        return Files.readString(log);
    }

    /** Ends its input, so that it ends; by force after half a minute. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Removes a folder of recordings. */
    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                files.sorted(java.util.Comparator.reverseOrder())
                        .map(Path::toFile)
                        .forEach(File::delete);
            }
        }
    }
}
