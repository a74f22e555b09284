package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.sys.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StartFailureIT {

    @TempDir
    Path folder;

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final List<Path> mounted = new ArrayList<>();

    @AfterEach
    void nothing_is_left() throws Exception {
        List<String> traces = new ArrayList<>(Traces.processes(folder));
        for (Path path : mounted) {
            if (Files.isDirectory(path.resolve("base"))) {
                traces.addAll(Traces.below(path.resolve("base")));
            }
            run("umount", path.toString());
        }
        assertThat(traces).isEmpty();
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as(List.of(command).toString()).isZero();
    }

    private Path smallDisk(int megabytes) throws Exception {
        Path path = Files.createDirectory(folder.resolve("disk" + mounted.size()));
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "assay-test", path.toString());
        mounted.add(path);
        return path;
    }

    private static void fill(Path disk) {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left on device");
        }
    }

    private ServerSettings settings() {
        return ServerSettings.of("16").withBaseFolder(folder.resolve("base"));
    }

    private static ServerStartException failure(ServerSettings settings, Consumer<String> steps, Setup setup) {
        ServerStartException e = catchThrowableOfType(
                ServerStartException.class,
                () -> EmbeddedServer.start(settings, steps, setup).close());
        assertThat(e).isNotNull();
        assertThat(e.getMessage().lines()).hasSize(1);
        assertThat(e.hint().lines()).hasSize(1);
        System.out.println(e.reason() + ": " + e.getMessage() + "\n  " + e.hint());
        return e;
    }

    private ServerStartException failure(ServerSettings settings) {
        return failure(settings, step -> {}, Setup.ofUser());
    }

    @Test
    void a_setting_that_does_not_exist_is_quoted() throws Exception {
        ServerStartException e = failure(settings().with("no_such_setting", "1"));
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.BAD_SETTING);
        assertThat(e).hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
        assertThat(Traces.below(folder.resolve("base"))).isEmpty();
        EmbeddedServer.start(settings().with("work_mem", "8MB")).close();
    }

    @Test
    void a_value_that_does_not_fit_is_quoted() {
        ServerStartException e = failure(settings().with("max_connections", "many"));
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.BAD_SETTING);
        assertThat(e).hasMessageContaining("invalid value for parameter \"max_connections\": \"many\"");
        ServerStartException range = failure(settings().with("max_connections", "-3"));
        assertThat(range.reason()).isEqualTo(ServerStartException.Reason.BAD_SETTING);
        assertThat(range).hasMessageContaining("-3 is outside the valid range for parameter \"max_connections\"");
    }

    @Test
    void a_server_that_dies_is_noticed_at_once_and_its_last_words_are_told() {
        long before = System.nanoTime();
        ServerStartException e = failure(settings().with("shared_preload_libraries", "no_such_library"));
        assertThat(System.nanoTime() - before).isLessThan(10_000_000_000L);
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.DIED);
        assertThat(e).hasMessageContaining("FATAL: could not access file \"no_such_library\"");
        assertThat(e.logTail()).isNotEmpty();
    }

    @Test
    void a_port_that_is_taken_meanwhile_is_left_for_another() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
            AtomicInteger picks = new AtomicInteger();
            Setup setup = Setup.ofUser()
                    .withPorts(() -> picks.incrementAndGet() < 3 ? taken.getLocalPort() : FreePorts.pick());
            try (EmbeddedServer server = EmbeddedServer.start(settings(), step -> {}, setup)) {
                assertThat(server.port()).isNotEqualTo(taken.getLocalPort());
                assertThat(picks).hasValue(3);
            }
        }
    }

    @Test
    void ports_that_are_always_taken_end_the_attempts() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
            AtomicInteger picks = new AtomicInteger();
            ServerStartException e =
                    failure(settings(), step -> {}, Setup.ofUser().withPorts(() -> {
                        picks.incrementAndGet();
                        return taken.getLocalPort();
                    }));
            assertThat(e.reason()).isEqualTo(ServerStartException.Reason.PORT_TAKEN);
            assertThat(e).hasMessageContaining("port " + taken.getLocalPort());
            assertThat(picks).hasValue(10);
        }
    }

    @Test
    void a_restart_whose_port_was_taken_says_so_and_may_be_tried_again() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(settings())) {
            server.stop();
            try (ServerSocket taken = new ServerSocket(server.port(), 1, LOOPBACK)) {
                assertThat(taken.isBound()).isTrue();
                ServerStartException e = catchThrowableOfType(ServerStartException.class, server::restart);
                assertThat(e.reason()).isEqualTo(ServerStartException.Reason.PORT_TAKEN);
            }
            server.restart();
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void a_full_disk_while_unpacking_leaves_no_half_of_it() throws Exception {
        Path disk = smallDisk(20);
        Launcher launcher = Launcher.current();
        MavenFetch noMaven = new MavenFetch(Optional.empty(), MavenFetch.FETCH_MAX);
        Setup setup = new Setup(disk, launcher, new Binaries(disk, launcher, noMaven), FreePorts::pick);
        ServerStartException e = failure(settings(), step -> {}, setup);
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.NO_SPACE);
        assertThat(e).hasMessageContaining("unpacking PostgreSQL 16.14");
        try (var left = Files.list(disk.resolve("postgres"))) {
            assertThat(left).allMatch(path -> path.toString().endsWith(".lock"));
        }
    }

    @Test
    void a_full_disk_in_initdb_leaves_no_template() throws Exception {
        EmbeddedServer.start(settings()).close();
        Path disk = smallDisk(10);
        Setup user = Setup.ofUser();
        Setup setup = new Setup(disk.resolve("cache"), user.launcher(), user.binaries(), user.ports());
        ServerStartException e = failure(settings().withBaseFolder(disk.resolve("base")), step -> {}, setup);
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.NO_SPACE);
        assertThat(e).hasMessageContaining("initdb for PostgreSQL 16.14");
        assertThat(disk.resolve("cache/templates/16.14-amd64")).doesNotExist();
    }

    @Test
    void a_full_disk_in_the_copy_of_the_template_is_told() throws Exception {
        EmbeddedServer.start(settings()).close();
        Path disk = smallDisk(10);
        ServerStartException e = failure(settings().withBaseFolder(disk.resolve("base")));
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.NO_SPACE);
        assertThat(e).hasMessageContaining("cp for PostgreSQL 16.14");
    }

    @Test
    void a_full_disk_at_start_is_told() throws Exception {
        EmbeddedServer.start(settings()).close();
        Path disk = smallDisk(100);
        ServerStartException e = failure(
                settings().withBaseFolder(disk.resolve("base")),
                step -> {
                    if (step.startsWith("starting")) {
                        fill(disk);
                    }
                },
                Setup.ofUser());
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.NO_SPACE);
        assertThat(e).hasMessageContaining("No space left on device");
    }

    @Test
    void a_base_folder_of_another_user_is_refused() throws Exception {
        Path base = Files.createDirectory(folder.resolve("base"));
        Files.setAttribute(base, "unix:uid", 65534);
        ServerStartException e = failure(settings());
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.PERMISSION);
        assertThat(e).hasMessageContaining("belongs to user 65534");
    }

    @Test
    void a_base_folder_that_is_a_file_is_refused() throws Exception {
        Files.createFile(folder.resolve("base"));
        ServerStartException e = failure(settings());
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.SYSTEM);
        assertThat(e).hasMessageEndingWith("it is not a folder");
    }
}
