package dev.assay.lab.service;

import dev.assay.sys.FreePorts;
import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A service in a process of its own. It is told by its environment where to listen ({@code PORT}, on 127.0.0.1) and where its database is;
 * what it prints is kept for messages and deleted with it. It ends when it is closed, and with this JVM.
 */
public final class ServiceProcess implements AutoCloseable {

    private static final Duration ASK = Duration.ofSeconds(5);
    private static final long PAUSE_MILLIS = 20;
    private static final long END_SECONDS = 10;
    private static final int SHOWN_CHARACTERS = 200;

    private final Process process;
    private final URI address;
    private final Path output;
    private final Thread hook = new Thread(this::end, "assay-service-end");

    private ServiceProcess(Process process, URI address, Path output) {
        this.process = process;
        this.address = address;
        this.output = output;
    }

    /**
     * Starts it and waits until it answers.
     *
     * @param command a program of the path, or a file, with its arguments
     * @param environment in addition to this process's own
     * @param readyPath asked by GET until the answer is a 2xx
     * @throws ServiceException when the program cannot be run, ends, or does not answer in time
     * @throws InterruptedException when the thread is interrupted; the process has ended then
     */
    public static ServiceProcess start(
            List<String> command, Map<String, String> environment, String readyPath, Duration patience)
            throws InterruptedException {
        ServiceProcess service;
        Path output = null;
        try {
            output = Files.createTempFile("assay-service", ".log");
            int port = FreePorts.pick();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            Map<String, String> all = new LinkedHashMap<>(environment);
            all.put("PORT", Integer.toString(port));
            builder.environment().putAll(all);
            service = new ServiceProcess(builder.start(), URI.create("http://127.0.0.1:" + port), output);
        } catch (IOException e) {
            delete(output);
            throw new ServiceException(
                    "the service cannot be started: " + e.getMessage(), "Look at its command: " + command + ".", e);
        }
        Runtime.getRuntime().addShutdownHook(service.hook);
        boolean ready = false;
        try {
            service.awaitReady(readyPath, patience);
            ready = true;
            return service;
        } finally {
            if (!ready) {
                service.close();
            }
        }
    }

    private void awaitReady(String path, Duration patience) throws InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ASK)
                .build();
        long end = System.nanoTime() + patience.toNanos();
        String last = "it does not answer GET " + path;
        while (process.isAlive() && System.nanoTime() - end < 0) {
            Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            HttpRequest request = HttpRequest.newBuilder(address.resolve(path))
                    .timeout(left.compareTo(ASK) < 0 ? left : ASK)
                    .build();
            try {
                int status = client.send(request, BodyHandlers.discarding()).statusCode();
                if (status / 100 == 2) {
                    return;
                }
                last = "it answers GET " + path + " with " + status;
            } catch (IOException e) {
                // not yet
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        String what = process.isAlive()
                ? "the service was not ready within " + patience.toSeconds() + " s: " + last
                : "the service ended with " + process.exitValue() + " before it was ready";
        throw new ServiceException(
                what + said(),
                "It is to listen on 127.0.0.1 at the port in PORT; the database is in PGHOST, PGPORT, PGUSER and PGDATABASE.",
                null);
    }

    /** Where it listens. */
    public URI address() {
        return address;
    }

    /** {@code the service ended with 3, it said: ...}; empty while it runs. */
    public Optional<String> death() {
        return process.isAlive()
                ? Optional.empty()
                : Optional.of("the service ended with " + process.exitValue() + said());
    }

    /** CPU time of the process and its children, nanoseconds, in steps of 10 ms. */
    public long cpuNanos() {
        return ProcFs.system().cpuNanosWithChildren(process.pid());
    }

    /** {@code , it said: ...} with the last line that it printed; empty when it printed none. */
    private String said() {
        String last = lastLine();
        return last == null ? "" : ", it said: " + last;
    }

    private @Nullable String lastLine() {
        try (Stream<String> lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
            return lines.map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .reduce((earlier, later) -> later)
                    .map(line -> line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS) + "...")
                    .orElse(null);
        } catch (IOException e) {
            return null;
        }
    }

    /** Tells it to end, makes it end after ten seconds, and deletes what it printed. May be called more than once. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                end();
                process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            end();
            interrupted = true;
        } finally {
            delete(output);
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the JVM is ending, and the hook does no harm
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        delete(output);
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // a file of a few lines in the folder for such files
        }
    }
}
