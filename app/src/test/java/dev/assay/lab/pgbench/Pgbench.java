package dev.assay.lab.pgbench;

import dev.assay.server.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The pgbench of this machine. */
public final class Pgbench {

    private static final long SECONDS_MAX = 60;

    private Pgbench() {}

    /** How it ended and what it said. */
    public record Outcome(int exitCode, String out, String err) {}

    /** @throws IllegalStateException when there is none */
    static Path binary() throws IOException {
        List<Path> places = new ArrayList<>();
        for (String folder : System.getenv("PATH").split(":", -1)) {
            places.add(Path.of(folder, "pgbench"));
        }
        Path debian = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(debian)) {
            try (Stream<Path> versions = Files.list(debian)) {
                versions.map(version -> version.resolve("bin/pgbench")).sorted().forEach(places::add);
            }
        }
        return places.stream()
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no pgbench; Debian's package postgresql-15 has it"));
    }

    /** Runs it in a folder against a server, with more options. */
    public static Outcome run(EmbeddedServer server, String database, Path folder, List<String> options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                binary().toString(), "-h", server.host(), "-p", Integer.toString(server.port()), "-U", server.user()));
        command.addAll(options);
        command.add(database);
        Path out = Files.createTempFile(folder, "pgbench", ".out");
        Path err = Files.createTempFile(folder, "pgbench", ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IllegalStateException("pgbench has not ended: " + command);
            }
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
