package dev.assay.server;

import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Has the user's own {@code mvn} bring an artifact, so that the user's mirrors, proxies and credentials apply and Assay needs to know none. */
final class MavenFetch {

    static final Duration FETCH_MAX = Duration.ofMinutes(5);
    private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m"); // written in spite of -B

    private final Optional<Path> mvn;
    private final Duration limit;

    MavenFetch(Optional<Path> mvn, Duration limit) {
        this.mvn = mvn;
        this.limit = limit;
    }

    /** With {@code ASSAY_MVN}, or else the {@code mvn} on the {@code PATH}. */
    static MavenFetch ofUser() {
        String own = System.getenv("ASSAY_MVN");
        if (own != null && !own.isBlank()) {
            return new MavenFetch(Optional.of(Path.of(own)), FETCH_MAX);
        }
        String search = System.getenv("PATH");
        for (String folder : (search == null ? "" : search).split(":", -1)) {
            Path candidate = Path.of(folder).resolve("mvn");
            if (!folder.isEmpty() && Files.isExecutable(candidate)) {
                return new MavenFetch(Optional.of(candidate), FETCH_MAX);
            }
        }
        return new MavenFetch(Optional.empty(), FETCH_MAX);
    }

    /**
     * The jar of the artifact, in the folder.
     *
     * @throws BinariesUnavailableException when mvn is missing, too slow, or says no
     */
    Path fetch(OwnedFolder folder, ServerVersion version, String artifact, String hint)
            throws IOException, InterruptedException {
        if (mvn.isEmpty()) {
            throw new BinariesUnavailableException(
                    "PostgreSQL " + version + " is not at hand and there is no mvn on the PATH to fetch it",
                    "set ASSAY_MVN to Maven's command; " + hint);
        }
        Path jars = folder.path().resolve("jar");
        List<String> command = List.of(
                mvn.get().toString(),
                "-q",
                "-B",
                GOAL,
                "-Dartifact=" + artifact,
                "-DoutputDirectory=" + jars,
                "-Dmdep.useBaseVersion=true");
        Tool.Result result = Tool.run(folder, "mvn", command, limit);
        if (result.exitCode() == -1) {
            throw new BinariesUnavailableException(
                    "fetching PostgreSQL " + version + " with " + mvn.get() + " took more than " + limit.toSeconds()
                            + " s and was given up",
                    "check the network and Maven's settings; " + hint);
        }
        Path jar = jars.resolve(artifact.replaceFirst("^[^:]*:([^:]*):(.*)$", "$1-$2.jar"));
        if (!result.succeeded() || !Files.isRegularFile(jar)) {
            throw new BinariesUnavailableException(
                    "PostgreSQL " + version + " cannot be fetched with " + mvn.get() + " (exit " + result.exitCode()
                            + "): " + reason(result, artifact),
                    hint);
        }
        return jar;
    }

    /** Maven's own first error line, without its prefix, cut to one readable length. */
    private static String reason(Tool.Result result, String artifact) {
        if (ServerStartException.saysNoSpace(result.output())) {
            return "No space left on device";
        }
        String line = COLOUR.matcher(result.output())
                .replaceAll("")
                .lines()
                .filter(text -> text.startsWith("[ERROR]") && text.length() > "[ERROR] ".length())
                .findFirst()
                .orElse(result.lastLines(1).stream().findFirst().orElse("no output"));
        if (line.contains("Could not find artifact") || line.contains(" was not found in ")) {
            return "no artifact " + artifact;
        }
        String text = line.replaceFirst("^\\[ERROR\\] *(Failed to execute goal .*on project [^ ]*: )?", "");
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }
}
