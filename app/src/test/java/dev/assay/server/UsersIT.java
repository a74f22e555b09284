package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same program run as others: an ordinary user, and root where user namespaces are forbidden. Needs root, as the build has. */
final class UsersIT {

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    static Path shared;

    private static String classPath;

    @TempDir
    Path folder;

    @BeforeAll
    static void copy() throws IOException {
        classPath = ChildJvm.readableClassPath(Files.createDirectory(shared.resolve("classes")));
    }

    private Path folderOf(String name, int uid) throws IOException {
        ChildJvm.open(folder);
        Path path = Files.createDirectory(folder.resolve(name));
        Files.setAttribute(path, "unix:uid", uid);
        return path;
    }

    @Test
    void an_ordinary_user_needs_nothing_special() throws Exception {
        Path home = folderOf("home", 65534);
        String output = ChildJvm.run(
                ChildJvm.command(AS_NOBODY, classPath, ServerChild.class, "once", home + "/base", "16"),
                home,
                "XDG_CACHE_HOME=" + home);
        assertThat(output)
                .contains("unpacking PostgreSQL 16.14\ninitialising PostgreSQL 16.14\nstarting PostgreSQL 16.14\n")
                .contains("answer 16.14 by [[]]")
                .contains("restarted true")
                .endsWith("exit 0");
        assertThat(Traces.below(home.resolve("base"))).isEmpty();
        assertThat(home.resolve("assay/postgres/16.14-amd64/bin/postgres")).exists();
    }

    @Test
    void a_folder_that_an_ordinary_user_may_not_write_is_told_in_one_line() throws Exception {
        Path home = folderOf("home", 65534);
        Path closed = folderOf("closed", 0);
        String output = ChildJvm.run(
                ChildJvm.command(AS_NOBODY, classPath, ServerChild.class, "once", closed + "/base", "16"),
                home,
                "XDG_CACHE_HOME=" + home);
        assertThat(output)
                .contains("failed making a server's folder failed in " + closed
                        + "/base: permission denied | choose a folder")
                .endsWith("exit 0");
        String noCache = ChildJvm.run(
                ChildJvm.command(AS_NOBODY, classPath, ServerChild.class, "once", home + "/base", "16"),
                home,
                "XDG_CACHE_HOME=" + closed);
        assertThat(noCache).contains("failed unpacking PostgreSQL 16.14 failed in " + closed);
        assertThat(noCache).contains("permission denied | choose a folder");
    }

    @Test
    void root_without_user_namespaces_hands_the_server_to_an_unprivileged_user() throws Exception {
        Path home = folderOf("home", 0);
        Path mapped = home.resolve("mapped");
        // A namespace in which everybody is himself and in which no further one may be made; capabilities as in a
        // container.
        String inside =
                "until [ -e " + mapped + " ]; do :; done; exec sh -c 'echo 0 > /proc/sys/user/max_user_namespaces;"
                        + " exec setpriv --bounding-set=-sys_ptrace,-sys_admin \"$@\"' sh \"$@\""; // root's rights come
        // with exec
        List<String> command = ChildJvm.command(
                List.of("unshare", "-U", "sh", "-c", inside, "sh"),
                classPath,
                ServerChild.class,
                "once",
                home + "/base",
                "16");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("out").toFile());
        builder.environment().put("XDG_CACHE_HOME", home.toString());
        Process process = builder.start();
        try {
            await().until(() -> !Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/ns/user"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/user"))));
            for (String map : new String[] {"uid_map", "gid_map"}) {
                Files.writeString(Path.of("/proc/" + process.pid() + "/" + map), "0 0 65536\n");
            }
            Files.createFile(mapped);
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(home.resolve("out"));
        assertThat(output)
                .contains("answer 16.14 by [[setpriv, --reuid=65534, --regid=65534, --clear-groups]]")
                .contains("restarted true");
        assertThat(process.exitValue()).isZero();
        assertThat(Traces.below(home.resolve("base"))).isEmpty();
        assertThat(Files.getAttribute(home.resolve("assay/templates/16.14-amd64-u65534"), "unix:uid"))
                .isEqualTo(65534);
    }

    @Test
    void a_cache_that_the_unprivileged_user_cannot_reach_is_elsewhere() throws Exception {
        Path home = folderOf("home", 0);
        Launcher launcher = new Launcher(List.of("setpriv"), new Launcher.Identity(65534, 65534));
        assertThat(launcher.canReach(home.resolve("made/later"))).isTrue();
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        assertThat(launcher.canReach(home.resolve("made/later"))).isFalse();
        assertThat(new Launcher(List.of(), null).canReach(home)).isTrue();
    }
}
