package dev.assay.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

    private Sweep() {}

    /**
     * Removes what killed JVMs left in the base folder, then makes a new server's folder there.
     *
     * @throws ServerStartException when the base folder cannot be used
     */
    static OwnedFolder newFolder(Path base, Launcher launcher) throws InterruptedException {
        try {
            launcher.makeFolder(base);
            checkOwner(base);
            Path real = base.toRealPath();
            List<OwnedFolder> orphans = new ArrayList<>();
            OwnedFolder made = CrossProcessLock.holding(real.resolve(".lock"), LOCK_MAX, () -> {
                orphans.addAll(claimOrphans(real));
                return OwnedFolder.makeLocked(real, PREFIX);
            });
            orphans.forEach(OwnedFolder::remove); // outside the lock: ending a server may take seconds
            return made;
        } catch (IOException e) {
            throw ServerStartException.of("making a server's folder", base, e);
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
        if (owner != Launcher.currentUid()) {
            throw new ServerStartException(
                    ServerStartException.Reason.PERMISSION,
                    "the folder " + base + " belongs to user " + owner + ", not to this one (" + Launcher.currentUid()
                            + ")",
                    ServerStartException.hint(ServerStartException.Reason.PERMISSION, base));
        }
    }

    /** The default base folder: {@code assay-USER} in {@code java.io.tmpdir}. */
    static Path defaultBase() {
        return Path.of(System.getProperty("java.io.tmpdir"), "assay-" + Launcher.currentUid());
    }
}
