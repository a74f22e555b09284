package dev.assay.server;

import dev.assay.sys.CrossProcessLock;
import dev.assay.sys.UserCache;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The base folder of one user: where the folders of servers are made, and where those of killed JVMs are found and removed. Any number of
 * processes may do so at once: a folder is claimed by its lock, and only its claimer touches it. Thread-safe.
 */
final class Sweep {

    private static final String PREFIX = "s";
    private static final Duration LOCK_MAX = Duration.ofSeconds(30);
    private static final int BASE_ATTEMPTS_MAX = 10;

    private Sweep() {}

    /**
     * Removes what killed JVMs left in the base folder, then makes a new server's folder there.
     *
     * @throws ServerStartException when the base folder cannot be used
     */
    static OwnedFolder newFolder(Path base, Path cache, Launcher launcher) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return makeFolder(base, cache, launcher);
            } catch (NoSuchFileException e) {
                // Another program ended its last server and removed the empty base in this moment.
                if (attempt == BASE_ATTEMPTS_MAX) {
                    throw ServerStartException.of("making a server's folder", base, e);
                }
            } catch (IOException e) {
                throw ServerStartException.of("making a server's folder", base, e);
            }
        }
    }

    private static OwnedFolder makeFolder(Path base, Path cache, Launcher launcher)
            throws IOException, InterruptedException {
        launcher.makeFolder(base);
        checkOwner(base);
        Path real = base.toRealPath();
        Path locks = cache.resolve("locks");
        launcher.makeFolder(cache);
        launcher.makeFolder(locks);
        // The lock is not in the base, so that an empty base can go.
        Path lock =
                locks.resolve("servers-" + Integer.toHexString(real.toString().hashCode()) + ".lock");
        List<OwnedFolder> orphans = new ArrayList<>();
        OwnedFolder made = CrossProcessLock.holding(lock, LOCK_MAX, () -> {
            orphans.addAll(claimOrphans(real));
            return OwnedFolder.makeLocked(real, PREFIX);
        });
        orphans.forEach(OwnedFolder::remove); // outside the lock: ending a server may take seconds
        return made;
    }

    /** Removes the default base folder when no server is in it; a folder that the user has named stays. */
    static void removeIfUnused(Path base) {
        try {
            if (Files.isSameFile(base, defaultBase())) {
                Files.delete(base);
            }
        } catch (IOException e) {
            // It is in use, or another program was quicker.
        }
    }

    private static List<OwnedFolder> claimOrphans(Path base) throws IOException {
        List<OwnedFolder> orphans = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(base, PREFIX + "-*")) {
            for (Path entry : entries) {
                OwnedFolder orphan =
                        Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) ? OwnedFolder.claim(entry) : null;
                if (orphan != null) {
                    orphans.add(orphan);
                }
            }
        }
        return orphans;
    }

    private static void checkOwner(Path base) throws IOException {
        int owner = (Integer) Files.getAttribute(base, "unix:uid");
        if (owner != UserCache.currentUid()) {
            throw new ServerStartException(
                    ServerStartException.Reason.PERMISSION,
                    "the folder " + base + " belongs to user " + owner + ", not to this one (" + UserCache.currentUid()
                            + ")",
                    ServerStartException.hint(ServerStartException.Reason.PERMISSION, base));
        }
    }

    /** The default base folder: {@code assay-USER} in {@code java.io.tmpdir}. */
    static Path defaultBase() {
        return Path.of(System.getProperty("java.io.tmpdir"), "assay-" + UserCache.currentUid());
    }
}
