package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A day, or {@code soak.hours}, of a busy server at the default cadence; run by {@code mvn verify -Psoak}. */
final class RecordingVolumeSoak {

    @TempDir
    Path folder;

    @Test
    void a_day_of_a_busy_server_is_less_than_a_gibibyte() throws Exception {
        RecordingLimits wide = RecordingLimits.DEFAULT.withBytesMax(100L << 30);
        int hours = Integer.getInteger("soak.hours", 24);
        long start = System.nanoTime();
        long bytes = new BusyDay().write(folder.resolve("recording"), Duration.ofHours(hours), wide);
        System.out.println("RecordingVolumeSoak: " + bytes / (1 << 20) + " MiB in " + hours + " h, written in "
                + Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s");
        assertThat(bytes).isLessThan((1L << 30) * hours / 24);
        try (Recording recording = Recording.open(folder.resolve("recording"))) {
            recording.tables().forEach(table -> System.out.println("  " + table));
            assertThat(Duration.between(recording.from(), recording.to()))
                    .isBetween(Duration.ofHours(hours - 1), Duration.ofHours(hours + 1));
            long begin = System.nanoTime();
            int episodes = RecordedEpisodes.of(recording).spans().size();
            System.out.println("  " + episodes + " episodes, searched in "
                    + Duration.ofNanos(System.nanoTime() - begin).toSeconds() + " s");
        }
    }
}
