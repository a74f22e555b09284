package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code assay lab calibrate}, too short to tell anything, but whole. */
@Timeout(300)
final class CalibrateIT {

    @TempDir
    private Path cache;

    private static AssayCommand calibrate(String... options) {
        return AssayCommand.of("lab", "calibrate").and(options).within(Duration.ofMinutes(3));
    }

    @Test
    void thePairsOfEveryWorkloadAreCompared() throws Exception {
        Path kept = cache.resolve("assay/calibration.json");
        Outcome outcome = calibrate("--pairs", "2", "--seconds", "1", "-c", "5", "--json")
                .with("XDG_CACHE_HOME", cache.toString())
                .run();
        outcome.assertExit(0);
        JsonNode document = Schemas.document("calibration", outcome.out());
        assertThat(document.at("/pgbench").asText()).startsWith("pgbench (PostgreSQL) ");
        assertThat(document.at("/results")).hasSize(6);
        assertThat(outcome.err()).contains("kept for the reports of later runs: " + kept);
        assertThat(Files.readString(kept)).isEqualTo(outcome.out());
        for (JsonNode result : document.at("/results")) {
            assertThat(result.at("/pgbench_cpu_micros").asDouble()).isPositive();
            assertThat(result.at("/engine_cpu_micros").asDouble()).isPositive();
            assertThat(result.at("/cpu_ratio/low").asDouble())
                    .isLessThanOrEqualTo(result.at("/cpu_ratio/high").asDouble());
            assertThat(result.at("/transport").asText()).isIn("tcp", "socket");
        }
        assertThat(outcome.err()).contains("select-only over TCP, pair 2 of 2: pgbench ");
    }

    @Test
    void theTableNamesTheWayAndTheWorkload() throws Exception {
        Outcome outcome = calibrate(
                        "--pairs",
                        "2",
                        "--seconds",
                        "1",
                        "-c",
                        "5",
                        "--transport",
                        "socket",
                        "--workload",
                        "rows",
                        "-M",
                        "prepared")
                .run();
        outcome.assertExit(0);
        assertThat(outcome.err()).doesNotContain("kept");
        assertThat(outcome.out())
                .contains("5 clients, 1 thread, prepared protocol, 2 pairs of 1 s")
                .containsPattern("(?m)^\\| rows \\| socket \\| \\d+\\.\\d\\d \\| ");
    }

    @Test
    void whatCannotBeComparedIsTold() throws Exception {
        calibrate("--pairs", "1").run().assertFailed(2);
        calibrate("--workload", "nothing").run().assertFailed(2);
        assertThat(calibrate("--pgbench", "/nowhere/pgbench")
                        .run()
                        .assertFailed(1)
                        .hint())
                .contains("--pgbench");
    }
}
