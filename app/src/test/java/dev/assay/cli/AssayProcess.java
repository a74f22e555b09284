package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A started {@link AssayCommand}. Closing it ends the process, by force if need be, and forgets its output. */
final class AssayProcess implements AutoCloseable {

    private static final Duration END_MAX = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Process process;
    private final Path output;
    private final String told;
    private final long startNanos = System.nanoTime();

    AssayProcess(Process process, Path output, String told) {
        this.process = process;
        this.output = output;
        this.told = told;
    }

    long pid() {
        return process.pid();
    }

    String out() {
        return read("out");
    }

    String err() {
        return read("err");
    }

    private String read(String name) {
        try {
            return Files.readString(output.resolve(name));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Waits until standard output holds the text. */
    void awaitOut(String text, Duration longest) {
        await(told + " prints " + text).atMost(longest).pollInterval(LOOK).until(() -> {
            boolean alive = process.isAlive();
            boolean printed = out().contains(text);
            assertThat(alive || printed)
                    .as("'%s' ended without '%s':%n%s%s", told, text, out(), err())
                    .isTrue();
            return printed;
        });
    }

    /** As from the keyboard or the init system: INT, TERM. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-s", name, Long.toString(pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Waits for the end. */
    Outcome end(Duration longest) throws InterruptedException {
        if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(
                    "'" + told + "' did not end within " + longest.toSeconds() + " s:\n" + out() + err());
        }
        return new Outcome(told, process.exitValue(), out(), err(), Duration.ofNanos(System.nanoTime() - startNanos));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (process.isAlive()) {
            process.destroy(); // lets it end its servers
            if (!process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        Files.delete(output.resolve("out"));
        Files.delete(output.resolve("err"));
        Files.delete(output);
    }
}
