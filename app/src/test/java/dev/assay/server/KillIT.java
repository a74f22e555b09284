package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program that uses servers is killed at {@value #MOMENTS} random moments, half of them by SIGKILL, a quarter each by SIGTERM and SIGINT. Replay with {@code
 * -Dassay.seed=N}. It has System V and POSIX shared memory of its own, so that what other programs do there is not seen.
 */
final class KillIT {

    private static final int MOMENTS = 50;
    private static final int DELAY_MILLIS_MAX = 900;
    private static final Duration GONE_MAX = Duration.ofSeconds(3);
    private static final Duration STEP_MAX = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private Process room;
    private Path base;
    private Path cache;
    private final Set<Process> started = new LinkedHashSet<>();

    @BeforeEach
    void prepare() throws Exception {
        EmbeddedServer.start(ServerSettings.of("16").withBaseFolder(folder.resolve("first")))
                .close(); // fills the user's cache
        base = Files.createDirectory(folder.resolve("base")).toRealPath();
        cache = Files.createDirectories(folder.resolve("cache/assay"));
        Path user = CacheFolder.ofUser(Launcher.current());
        Files.createSymbolicLink(cache.resolve("postgres"), user.resolve("postgres"));
        room = new ProcessBuilder(
                        "unshare", "-i", "-m", "sh", "-c", "mount -t tmpfs none /dev/shm && echo ready && exec cat")
                .redirectErrorStream(true)
                .start();
        assertThat(room.inputReader().readLine()).isEqualTo("ready");
    }

    @AfterEach
    void end() throws IOException {
        Files.delete(cache.resolve("postgres"));
        started.forEach(Process::destroyForcibly);
        room.destroyForcibly();
    }

    @Test
    void whatever_the_moment_nothing_is_left() throws Exception {
        long seed = Long.getLong("assay.seed", System.nanoTime());
        System.out.println("KillIT: -Dassay.seed=" + seed);
        Random random = new Random(seed);
        List<String> signals = new ArrayList<>();
        for (int i = 0; i < MOMENTS; i++) {
            signals.add(i % 2 == 0 ? "KILL" : i % 4 == 1 ? "TERM" : "INT");
        }
        Collections.shuffle(signals, random);
        Set<String> left = new TreeSet<>();
        int leftAfterKill = 0;
        for (int moment = 0; moment < MOMENTS; moment++) {
            String signal = signals.get(moment);
            int delayMillis = random.nextInt(DELAY_MILLIS_MAX);
            if (random.nextInt(6) == 0) {
                removeTemplates(); // the program is met in initdb then, and in copying its result
            }
            String anchor = random.nextInt(3) == 0 ? "" : random.nextInt(4) == 0 ? "up" : "starting";
            String told = "moment " + moment + ", SIG" + signal + " " + delayMillis + " ms after '" + anchor
                    + "', seed " + seed;
            Process program = start(moment);
            if (!left.isEmpty()) {
                awaitLine(program, moment, "starting", told);
                assertThat(traces()).as(told + ": the next start removes it").doesNotContainAnyElementsOf(left);
                left.clear();
            }
            awaitLine(program, moment, anchor, told); // without an anchor at any time while the JVM itself starts
            program.waitFor(delayMillis, TimeUnit.MILLISECONDS);
            assertThat(program.isAlive()).as(told + ": " + output(moment)).isTrue();
            new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + program.pid())
                    .start()
                    .waitFor();
            assertThat(program.waitFor(STEP_MAX.toSeconds(), TimeUnit.SECONDS))
                    .as(told)
                    .isTrue();
            if (signal.equals("KILL")) {
                left.addAll(traces());
                leftAfterKill += left.isEmpty() ? 0 : 1;
            } else {
                await(told)
                        .atMost(GONE_MAX)
                        .untilAsserted(() -> assertThat(traces()).isEmpty());
                assertThat(parts()).as(told).isEmpty();
            }
        }
        removeTemplates();
        assertThat(ChildJvm.run(command("once", base.toString(), "16"), folder, "XDG_CACHE_HOME=" + cache.getParent()))
                .endsWith("exit 0");
        assertThat(traces()).isEmpty();
        assertThat(parts()).isEmpty();
        assertThat(leftAfterKill).as("the kills met something").isGreaterThan(5);
        System.out.println("KillIT: something was left after " + leftAfterKill + " of " + MOMENTS / 2 + " SIGKILLs");
    }

    @Test
    void many_programs_sweep_at_once() throws Exception {
        for (int i = 0; i < 2; i++) {
            Process program = start(i);
            awaitLine(program, i, "starting", "program " + i);
            program.destroyForcibly().waitFor();
        }
        List<Process> programs = new ArrayList<>();
        for (int i = 2; i < 5; i++) {
            programs.add(start(i, "once", base.toString(), "16"));
        }
        for (int i = 0; i < programs.size(); i++) {
            assertThat(programs.get(i).waitFor(STEP_MAX.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(output(i + 2)).contains("restarted true");
        }
        assertThat(traces()).isEmpty();
    }

    @Test
    void a_process_that_merely_stands_in_an_orphaned_folder_is_spared() throws Exception {
        Process program = start(0);
        awaitLine(program, 0, "starting", "program");
        program.destroyForcibly().waitFor();
        Path orphan;
        try (Stream<Path> folders = Files.list(base)) {
            orphan = folders.filter(path -> path.getFileName().toString().startsWith("s-"))
                    .findFirst()
                    .orElseThrow();
        }
        Process shell = new ProcessBuilder("sh", "-c", "read x", "postgres", "-D" + orphan + "/data")
                .directory(orphan.resolve("data").toFile())
                .start();
        try {
            ChildJvm.run(command("once", base.toString(), "16"), folder, "XDG_CACHE_HOME=" + cache.getParent());
            assertThat(orphan).doesNotExist();
            assertThat(shell.isAlive()).isTrue();
        } finally {
            shell.destroyForcibly().waitFor();
        }
    }

    private List<String> command(String... arguments) {
        return ChildJvm.command(
                List.of(
                        "nsenter",
                        "-t",
                        Long.toString(room.pid()),
                        "-i",
                        "-m",
                        "env",
                        "--default-signal=INT,TERM"), // a build in the background ignores INT
                ChildJvm.classPath(),
                ServerChild.class,
                arguments);
    }

    private Process start(int number) throws IOException {
        return start(number, "forever", base.toString());
    }

    private Process start(int number, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out" + number).toFile());
        builder.environment().put("XDG_CACHE_HOME", cache.getParent().toString());
        Process program = builder.start();
        started.add(program);
        return program;
    }

    private String output(int number) throws IOException {
        return Files.readString(folder.resolve("out" + number));
    }

    private void awaitLine(Process program, int number, String line, String told) {
        await(told).atMost(STEP_MAX).pollInterval(Duration.ofMillis(10)).until(() -> {
            assertThat(program.isAlive()).as(told + ": " + output(number)).isTrue();
            return output(number).contains(line);
        });
    }

    private void removeTemplates() throws IOException {
        Path templates = cache.resolve("templates");
        if (Files.isDirectory(templates)) {
            try (Stream<Path> all = Files.walk(templates)) {
                for (Path path : all.sorted(Collections.reverseOrder()).toList()) {
                    if (!path.toString().endsWith(".lock") && !path.equals(templates)) {
                        Files.delete(path);
                    }
                }
            }
        }
    }

    /** Folders, processes and shared memory of both kinds. */
    private List<String> traces() throws Exception {
        List<String> found = new ArrayList<>(Traces.below(base));
        found.addAll(Traces.processes(cache));
        Process segments = new ProcessBuilder(
                        "nsenter", "-t", Long.toString(room.pid()), "-i", "cat", "/proc/sysvipc/shm")
                .start();
        List<String> lines = segments.inputReader().lines().toList();
        lines.stream()
                .skip(1)
                .forEach(line -> found.add("segment " + line.strip().split(" +", -1)[1]));
        try (DirectoryStream<Path> objects =
                Files.newDirectoryStream(Path.of("/proc/" + room.pid() + "/root/dev/shm"))) {
            objects.forEach(object -> found.add("object " + object.getFileName()));
        }
        return found;
    }

    private List<Path> parts() throws IOException {
        Path templates = cache.resolve("templates");
        if (!Files.isDirectory(templates)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(templates)) {
            return all.filter(path -> path.toString().contains(".part")).toList();
        }
    }
}
