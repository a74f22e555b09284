package dev.assay.server;

import dev.assay.sys.UserCache;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a program of PostgreSQL is run by this user. PostgreSQL refuses to run as root ({@code check_root}, {@code src/backend/main/main.c}).
 *
 * <ul>
 *   <li>An ordinary user runs it as it is.
 *   <li>Root runs it in a user namespace of its own without a mapping ({@code unshare -U}): to the server its user is not 0, to the kernel
 *       the files are root's still.
 *   <li>Root where user namespaces are forbidden, as in a container, hands the folders to an unprivileged user and runs it as that one
 *       ({@code setpriv}).
 * </ul>
 *
 * <p>Every program gets a session of its own ({@code setsid}), so that a terminal's Ctrl-C reaches only the JVM.
 *
 * @param prefix what stands before the command
 * @param runAs the unprivileged user, null unless root has to use one
 */
record Launcher(List<String> prefix, @Nullable Identity runAs) {

    record Identity(int uid, int gid) {}

    private static final int PROBE_SECONDS_MAX = 10;

    private static final class Holder {
        static final Launcher CURRENT = detect();
    }

    Launcher {
        prefix = List.copyOf(prefix);
    }

    /** The way that works for this process, found out once. */
    static Launcher current() {
        return Holder.CURRENT;
    }

    private static Launcher detect() {
        if (UserCache.currentUid() != 0) {
            return new Launcher(List.of(), null);
        }
        if (succeeds(List.of("unshare", "-U", "true"))) {
            return new Launcher(List.of("unshare", "-U"), null);
        }
        Identity identity = unprivileged();
        return new Launcher(
                List.of("setpriv", "--reuid=" + identity.uid(), "--regid=" + identity.gid(), "--clear-groups"),
                identity);
    }

    /** The command as root's or an ordinary user's machine must be told it. */
    List<String> command(List<String> program) {
        List<String> all = new ArrayList<>(List.of("setsid"));
        all.addAll(prefix);
        all.addAll(program);
        return all;
    }

    /** Hands a file or folder to the unprivileged user, where there is one. */
    void give(Path path) throws IOException {
        if (runAs != null) {
            Files.setAttribute(path, "unix:uid", runAs.uid(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", runAs.gid(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Makes a folder that this user and, where there is one, the unprivileged user may pass, and nobody else may list. */
    void makeFolder(Path folder) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new FileSystemException(folder.toString(), null, "it is not a folder");
        }
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(
                    folder, PosixFilePermissions.fromString(runAs == null ? "rwx------" : "rwx--x--x"));
        }
    }

    /** Whether the unprivileged user, if there is one, can reach what lies in the folder, which need not exist yet. */
    boolean canReach(Path folder) {
        if (runAs == null) {
            return true;
        }
        for (Path at = folder.toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at) && !othersMayPass(at)) { // the missing ones will be made by makeFolder
                return false;
            }
        }
        return true;
    }

    private static boolean othersMayPass(Path folder) {
        try {
            return Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException e) {
            return false;
        }
    }

    private static Identity unprivileged() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/etc/passwd"));
            return identity(lines);
        } catch (IOException e) {
            throw noIdentity();
        }
    }

    /** {@code nobody} where there is one, else the first user that is not root: PostgreSQL must find its user's name. */
    static Identity identity(List<String> passwd) {
        Identity first = null;
        for (String line : passwd) {
            List<String> fields = List.of(line.split(":", -1));
            if (fields.size() < 4
                    || !fields.get(2).matches("[1-9]\\d{0,8}")
                    || !fields.get(3).matches("\\d{1,9}")) {
                continue;
            }
            Identity identity = new Identity(Integer.parseInt(fields.get(2)), Integer.parseInt(fields.get(3)));
            if (fields.get(0).equals("nobody")) {
                return identity;
            }
            first = first == null ? identity : first;
        }
        if (first == null) {
            throw noIdentity();
        }
        return first;
    }

    private static ServerStartException noIdentity() {
        return new ServerStartException(
                ServerStartException.Reason.PERMISSION,
                "PostgreSQL cannot run as root, user namespaces are forbidden here, and /etc/passwd has no other user",
                "run Assay as an ordinary user");
    }

    private static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = process.waitFor(PROBE_SECONDS_MAX, TimeUnit.SECONDS);
            process.destroyForcibly();
            return ended && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
