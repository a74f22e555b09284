package dev.assay.cli;

import dev.assay.server.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

    /** A command that looks at a server. */
    static AssayCommand at(String command, EmbeddedServer server, String database) {
        return at(command, server.host(), server.port(), server.user(), database);
    }

    static AssayCommand at(String command, String host, int port, String user, String database) {
        return of(command, "-h", host, "-p", Integer.toString(port), "-U", user, "-d", database);
    }

    /** The same with more arguments behind. */
    AssayCommand and(String... more) {
        return new AssayCommand(
                Stream.concat(arguments.stream(), Stream.of(more)).toList());
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
