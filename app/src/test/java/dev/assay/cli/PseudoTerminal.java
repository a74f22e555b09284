package dev.assay.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A command of the packaged jar at a terminal of 80 columns and 24 lines, which util-linux's {@code script} provides. A shell before it notes
 * the terminal's modes before and after, and the exit code. Closing it ends what still runs.
 */
final class PseudoTerminal implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process script;
    private final OutputStream keyboard;
    private final Path folder;

    private PseudoTerminal(Process script, Path folder) {
        this.script = script;
        this.keyboard = script.getOutputStream();
        this.folder = folder;
    }

    /**
     * Runs {@code assay} with these arguments.
     *
     * @param folder for what it prints and notes; also its folder of temporary files
     */
    static PseudoTerminal run(Path folder, String... arguments) throws IOException {
        Files.createDirectories(folder.resolve("temporary"));
        String java = ProcessHandle.current().info().command().orElseThrow();
        Path archive = Path.of(System.getProperty("assay.jar")).resolveSibling("assay.jsa");
        String shell = "stty rows 24 cols 80; stty -a > before; trap : INT; " + java
                + " -XX:+UseSerialGC -Xlog:disable -Xshare:auto -XX:SharedArchiveFile=" + archive
                + " -Djava.io.tmpdir=" + folder.resolve("temporary") + " -jar " + System.getProperty("assay.jar") + " "
                + String.join(" ", arguments)
                + " 2> err; echo $? > code; stty -a > after";
        ProcessBuilder builder = new ProcessBuilder(
                        "env", "--default-signal=INT,TERM", "script", "-qefc", shell, "/dev/null")
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("JAVA_TOOL"));
        builder.environment().putAll(Map.of("TERM", "xterm-256color", "LC_ALL", "C.UTF-8", "SHELL", "/bin/sh"));
        return new PseudoTerminal(builder.start(), folder);
    }

    /** All that was sent to the terminal. */
    String sent() {
        return read("out");
    }

    String screen() {
        return PaintedScreen.after(sent()).toString();
    }

    String read(String name) {
        try {
            Path file = folder.resolve(name);
            return Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void press(String keys) throws IOException {
        keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    /** Waits until the screen is so, and returns it. */
    String awaitScreen(String what, Predicate<String> so) {
        try {
            return await(what)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(this::screen, so);
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError("no " + what + " on the screen:\n" + screen() + read("err"), e);
        }
    }

    String awaitText(String text) {
        return awaitScreen(text, screen -> screen.contains(text));
    }

    /** The process of the command itself. */
    ProcessHandle command() {
        return script.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElseThrow();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-s", name, Long.toString(command().pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Waits for the end of all and returns the command's exit code. */
    int exitCode() throws InterruptedException {
        if (!script.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("it did not end:\n" + screen() + read("err"));
        }
        return Integer.parseInt(read("code").strip());
    }

    /** The terminal's modes before and after. */
    List<String> modes() {
        return List.of(read("before"), read("after"));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        script.descendants().forEach(ProcessHandle::destroyForcibly);
        script.destroyForcibly().waitFor();
        keyboard.close();
    }
}
