package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import dev.assay.server.ChildJvm;
import dev.assay.sys.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program that records is killed at {@value #MOMENTS} random moments, while it rolls every few samples, and goes on in the same folder. Replay
 * with {@code -Dassay.seed=N}.
 */
final class RecordingKillIT {

    private static final int MOMENTS = 50;
    private static final int DELAY_MILLIS_MAX = 500;
    private static final Duration STEP_MAX = Duration.ofSeconds(60);

    @TempDir
    Path temporary;

    @Test
    void whatever_the_moment_every_sample_is_there_once() throws Exception {
        long seed = Long.getLong("assay.seed", System.nanoTime());
        System.out.println("RecordingKillIT: -Dassay.seed=" + seed);
        Random random = new Random(seed);
        Path folder = temporary.resolve("recording");
        int next = 0;
        int duringRolls = 0;
        for (int moment = 0; moment < MOMENTS; moment++) {
            int delayMillis = random.nextInt(DELAY_MILLIS_MAX);
            String told = "moment " + moment + ", " + delayMillis + " ms, seed " + seed;
            int acknowledged = killed(folder, next, delayMillis, told);
            List<Sample<ActivityRow>> there = samples(folder);
            assertThat(there).as(told).hasSizeBetween(acknowledged + 1, acknowledged + 2);
            assertThat(there)
                    .as(told)
                    .isEqualTo(IntStream.range(0, there.size())
                            .mapToObj(Samplings::activity)
                            .toList());
            next = there.size();
            duringRolls += unfinished(folder) ? 1 : 0;
        }
        Samplings.writer(folder, RecordingLimits.DEFAULT, Clock.system()).close();
        assertThat(samples(folder)).hasSize(next);
        try (Stream<Path> left = Files.walk(folder)) {
            assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".part") || name.endsWith(".jsonl"));
        }
        assertThat(duringRolls).as("kills that met a roll").isPositive();
        System.out.println("RecordingKillIT: " + next + " samples, " + duringRolls + " of " + MOMENTS
                + " kills met a roll that was not finished");
    }

    /** A disk of one megabyte: old files make room, and where there are none the end is told and what is there is whole. */
    @Test
    void a_full_disk_costs_the_oldest_or_ends_it_with_one_line() throws Exception {
        assertThat(onSmallDisk(100_000))
                .contains("failure none", "dropped true", "whole true, up to the end true", "exit 0");
        assertThat(onSmallDisk(1L << 30))
                .containsPattern(
                        "failure cannot write to .*: No space left on device; what was recorded before is kept \\| "
                                + "Free some space")
                .contains("dropped false", "whole true, up to the end true", "exit 0");
    }

    private String onSmallDisk(long rollBytes) throws Exception {
        Path disk = Files.createTempDirectory(temporary, "disk");
        List<String> mounted = List.of(
                "unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m none " + disk + " && exec \"$@\"", "sh");
        return ChildJvm.run(
                ChildJvm.command(
                        mounted,
                        ChildJvm.classPath(),
                        RecordingChild.class,
                        "fill",
                        disk.resolve("recording").toString(),
                        Long.toString(rollBytes)),
                temporary);
    }

    /** Lets it record from this number on and kills it; the last number that it told. */
    private int killed(Path folder, int first, int delayMillis, String told) throws Exception {
        Path output = temporary.resolve("out");
        Files.deleteIfExists(output);
        Process program = new ProcessBuilder(ChildJvm.command(
                        List.of(),
                        ChildJvm.classPath(),
                        RecordingChild.class,
                        "forever",
                        folder.toString(),
                        Integer.toString(first)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await(told).atMost(STEP_MAX).pollInterval(Duration.ofMillis(5)).until(() -> {
                assertThat(program.isAlive()).as(told + ": " + read(output)).isTrue();
                return read(output).contains("took " + first + "\n");
            });
            program.waitFor(delayMillis, TimeUnit.MILLISECONDS);
            assertThat(program.isAlive()).as(told + ": " + read(output)).isTrue();
        } finally {
            program.destroyForcibly().waitFor();
        }
        String text = read(output);
        String whole = text.substring(0, text.lastIndexOf('\n'));
        return Integer.parseInt(whole.substring(whole.lastIndexOf(' ') + 1));
    }

    private static String read(Path output) throws IOException {
        return Files.exists(output) ? Files.readString(output) : "";
    }

    private static boolean unfinished(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<String> names = files.map(Path::toString).toList();
            return names.stream().anyMatch(name -> name.endsWith(".part"))
                    || names.stream().filter(name -> name.endsWith(".jsonl")).count() > 2;
        }
    }

    private static List<Sample<ActivityRow>> samples(Path folder) {
        try (Recording recording = Recording.open(folder)) {
            return recording.samples(ActivityRow.class, Instant.EPOCH, Instant.MAX);
        }
    }
}
