package dev.assay.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A command line of the packaged jar, run as its users run it: in a process of its own. Each call of a setter returns the command itself. */
final class AssayCommand {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final List<String> arguments;
    private final Map<String, String> environment = new HashMap<>();
    private List<String> before = List.of();
    private Path jar = Path.of(System.getProperty("assay.jar"));
    private Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    private Duration bound = BOUND;

    private AssayCommand(List<String> arguments) {
        this.arguments = arguments;
    }

    static AssayCommand of(String... arguments) {
        return new AssayCommand(List.of(arguments));
    }

    /** The working folder. */
    AssayCommand in(Path workingFolder) {
        folder = workingFolder;
        return this;
    }

    AssayCommand with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** A command that runs the command in turn, such as setpriv. */
    AssayCommand behind(List<String> prefix) {
        before = prefix;
        return this;
    }

    /** Another copy of the jar. */
    AssayCommand jar(Path copy) {
        jar = copy;
        return this;
    }

    /** How long {@link #run} waits for the end. */
    AssayCommand within(Duration longest) {
        bound = longest;
        return this;
    }

    /** Runs it to its end. */
    Outcome run() throws IOException, InterruptedException {
        try (AssayProcess process = start()) {
            return process.end(bound);
        }
    }

    AssayProcess start() throws IOException {
        List<String> command = new ArrayList<>(before);
        // A build that runs in the background ignores SIGINT, and its children would too.
        command.addAll(List.of("env", "--default-signal=INT,TERM", javaBinary(), "-XX:+UseSerialGC", "-Xshare:auto"));
        Path archive = jar.resolveSibling("assay.jsa");
        if (Files.isReadable(archive)) {
            command.addAll(List.of("-Xlog:disable", "-XX:SharedArchiveFile=" + archive));
        }
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        Path output = Files.createTempDirectory("assay-command");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.resolve("out").toFile())
                .redirectError(output.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("JAVA_TOOL"));
        builder.environment().putAll(environment);
        return new AssayProcess(builder.start(), output, String.join(" ", arguments));
    }

    private static String javaBinary() {
        return ProcessHandle.current().info().command().orElseThrow();
    }
}
