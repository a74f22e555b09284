package dev.assay.server;

import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Releases of PostgreSQL, from {@code known-releases.txt}: one {@code MAJOR.MINOR} a line, with {@code served} behind those whose binaries were seen to be
 * served. A release that is not listed can still be asked for by its exact version.
 */
final class KnownReleases {

    private static final String FILE = "/dev/assay/server/known-releases.txt";

    private final TreeMap<ServerVersion, Boolean> served = new TreeMap<>();

    private KnownReleases(List<String> lines) {
        for (String line : lines) {
            if (!line.isBlank() && !line.startsWith("#")) {
                List<String> words = List.of(line.strip().split(" +", -1));
                served.put(ServerVersion.parse(words.get(0)), words.size() > 1);
            }
        }
    }

    static KnownReleases load() {
        try (InputStream in = KnownReleases.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + FILE + " is missing");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static KnownReleases parse(List<String> lines) {
        return new KnownReleases(lines);
    }

    Optional<ServerVersion> newest(int major) {
        return served.keySet().stream()
                .filter(version -> version.major() == major)
                .max(Comparator.naturalOrder());
    }

    boolean contains(ServerVersion version) {
        return served.containsKey(version);
    }

    List<ServerVersion> all() {
        return List.copyOf(served.keySet());
    }

    /** Those seen to be served that are nearest to the wanted one: of the same major release, else the newest of the nearest major. */
    List<ServerVersion> nearest(int major, int minor) {
        List<ServerVersion> seen = served.entrySet().stream()
                .filter(entry -> entry.getValue())
                .map(entry -> entry.getKey())
                .sorted(Comparator.comparingInt((ServerVersion version) -> Math.abs(version.major() - major))
                        .thenComparingInt(version ->
                                version.major() == major ? Math.abs(version.minor() - minor) : -version.minor()))
                .toList();
        List<ServerVersion> near = new ArrayList<>();
        for (ServerVersion version : seen) {
            if (near.size() < 2 && (near.isEmpty() || near.get(0).major() == version.major())) {
                near.add(version);
            }
        }
        return near;
    }
}
