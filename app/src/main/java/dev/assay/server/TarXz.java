package dev.assay.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks a {@code .txz}: folders, files with their execute bit, symbolic links. Every path must stay inside the target. */
final class TarXz {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int OWNER_EXECUTES = 0100;

    private TarXz() {}

    /**
     * Unpacks into the folder, which must exist; others may read what comes out, as an unprivileged server has to.
     *
     * @throws IOException when the archive is damaged or leads outside, or the disk refuses
     */
    static void unpack(InputStream archive, OwnedFolder owner, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive, BUFFER_BYTES)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                TarArchiveEntry current = entry;
                owner.guarded(() -> write(tar, current, target));
            }
        }
    }

    private static Path write(InputStream content, TarArchiveEntry entry, Path target) throws IOException {
        Path path = inside(target, target.resolve(entry.getName()), entry);
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return Files.setPosixFilePermissions(path, permissions(true));
        }
        Path parent = Objects.requireNonNull(path.getParent(), "an entry lies below the target");
        Files.createDirectories(parent);
        if (entry.isSymbolicLink()) {
            inside(target, parent.resolve(entry.getLinkName()), entry);
            return Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        }
        if (!entry.isFile() || entry.isLink()) {
            throw new IOException("archive holds neither file nor folder nor symbolic link: " + entry.getName());
        }
        Files.copy(content, path);
        return Files.setPosixFilePermissions(path, permissions((entry.getMode() & OWNER_EXECUTES) != 0));
    }

    private static Path inside(Path target, Path path, TarArchiveEntry entry) throws IOException {
        Path normal = path.normalize();
        if (!normal.startsWith(target)) {
            throw new IOException("archive leads outside: " + entry.getName());
        }
        return normal;
    }

    private static Set<PosixFilePermission> permissions(boolean executable) {
        Set<PosixFilePermission> result = EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.OTHERS_READ);
        if (executable) {
            result.add(PosixFilePermission.OWNER_EXECUTE);
            result.add(PosixFilePermission.GROUP_EXECUTE);
            result.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        return result;
    }
}
