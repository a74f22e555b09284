package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.ActivityRow;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@link RecordingVolumeSoak}: two rolls of a busy server stay within their part of a day's gibibyte. */
final class RecordingVolumeTest {

    private static final Duration SPAN = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    @Test
    void ten_minutes_of_a_busy_server_are_a_144th_of_a_gibibyte_at_most() throws Exception {
        long bytes = new BusyDay().write(folder.resolve("recording"), SPAN, RecordingLimits.DEFAULT);
        System.out.println("RecordingVolumeTest: " + bytes + " bytes in " + SPAN + ", "
                + bytes * (Duration.ofDays(1).toSeconds() / SPAN.toSeconds()) / (1 << 20) + " MiB a day");
        assertThat(bytes).isLessThan((1L << 30) / 144);
        try (Recording recording = Recording.open(folder.resolve("recording"))) {
            long[] sessions = {0};
            recording.forEach(
                    ActivityRow.class,
                    recording.from(),
                    recording.to(),
                    sample -> sessions[0] += sample.rows().size());
            assertThat(sessions[0]).isEqualTo(100 * SPAN.toSeconds());
        }
    }
}
