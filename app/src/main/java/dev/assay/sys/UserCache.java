package dev.assay.sys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where this user's things are kept that are made once: the XDG cache folder, or beside the temporary files for a user without a home.
 *
 * @param parent the folder that many programs share
 * @param folder Assay's own in it; it need not exist
 * @param atHome whether it is the user's own place rather than one for temporary files
 */
public record UserCache(Path parent, Path folder, boolean atHome) {

    /** From {@code XDG_CACHE_HOME} and the home folder. */
    public static UserCache ofUser() {
        String own = System.getenv("XDG_CACHE_HOME");
        Path home = Path.of(System.getProperty("user.home", "/nonexistent"));
        if (own == null && !Files.isWritable(home)) {
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            return new UserCache(temporary, temporary.resolve("assay-cache-" + currentUid()), false);
        }
        Path parent = own != null && own.startsWith("/") ? Path.of(own) : home.resolve(".cache");
        return new UserCache(parent, parent.resolve("assay"), true);
    }

    /** The number of the user that this process runs as; -1 where it cannot be known. */
    public static int currentUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return -1; // no Linux: the binaries will say so
        }
    }
}
