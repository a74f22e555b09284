package dev.assay.server;

import dev.assay.sys.CrossProcessLock;
import dev.assay.sys.UserCache;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Things that are made once and kept: complete or absent, whoever is killed when. Each is made in a {@code NAME.part-RANDOM} beside its place under the lock
 * {@code NAME.lock} and then renamed; whoever has the lock removes the parts of those who had it before.
 */
final class CacheFolder {

    private static final String PART = ".part";

    private CacheFolder() {}

    /** Makes the thing in the part folder and says where in it. */
    interface Maker {
        Path make(OwnedFolder part) throws IOException, InterruptedException;
    }

    /**
     * Where this user's cache is. An unprivileged user that root has to use must reach it, which it cannot in root's home; then it is in
     * {@code /var/cache}. A user without a home has it beside the servers.
     */
    static Path ofUser(Launcher launcher) {
        UserCache cache = UserCache.ofUser();
        return launcher.canReach(cache.parent()) || !cache.atHome() ? cache.folder() : Path.of("/var/cache/assay");
    }

    /**
     * The finished thing at {@code target}, made now unless it is there.
     *
     * @throws IOException when the cache cannot be written, or by the maker
     */
    static Path make(Path target, Launcher launcher, Duration limit, Maker maker)
            throws IOException, InterruptedException {
        Path parent = parent(target);
        launcher.makeFolder(parent(parent));
        launcher.makeFolder(parent);
        String name = target.getFileName().toString();
        return CrossProcessLock.holding(parent.resolve(name + ".lock"), limit, () -> {
            if (Files.isDirectory(target)) {
                return target;
            }
            removeParts(parent, name);
            OwnedFolder part = OwnedFolder.makeUnlocked(parent, name + PART);
            try {
                Path made = maker.make(part);
                part.publish(made, target);
                return target;
            } finally {
                part.remove();
            }
        });
    }

    private static void removeParts(Path parent, String name) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, name + PART + "-*")) {
            for (Path entry : entries) {
                @Nullable OwnedFolder left = OwnedFolder.claim(entry);
                if (left != null) {
                    left.remove();
                }
            }
        }
    }

    private static Path parent(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException("the root cannot be a cache: " + path);
        }
        return parent;
    }
}
