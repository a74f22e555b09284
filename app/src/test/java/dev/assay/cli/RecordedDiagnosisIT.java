package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A load that is diagnosed while it runs, and recorded at the same time: the recording tells the same afterwards. */
@Timeout(240)
final class RecordedDiagnosisIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void a_recording_gives_the_findings_that_the_live_look_gave() throws Exception {
        Path data = folder.resolve("data");
        Path file = Files.writeString(folder.resolve("overflow.yaml"), Experiments.OVERFLOW);
        String recording = folder + "/recording";
        JsonNode live;
        try (AssayProcess lab = AssayCommand.of(
                        "lab",
                        "run",
                        file.toString(),
                        "--set",
                        "load.trials=16",
                        "--data",
                        data.toString(),
                        "-o",
                        folder + "/results")
                .start()) {
            lab.awaitOut("trials, about", PATIENCE);
            int port = Integer.parseInt(ServerFolders.awaitPidFile(data, Duration.ofSeconds(1))
                    .get(3)
                    .strip());
            try (AssayProcess recorder = AssayCommand.at("record", "127.0.0.1", port, "postgres", "postgres")
                    .and("--for", "20s", "--every", "100ms", "-o", recording)
                    .start()) {
                Outcome watched = AssayCommand.at("diagnose", "127.0.0.1", port, "postgres", "postgres")
                        .and("--for", "20s", "--json", "--fail-on", "warning")
                        .run()
                        .assertExit(3);
                live = Schemas.document("diagnose", watched.out());
                recorder.end(PATIENCE).assertDone();
            }
            assertThat(lab.out()).as("the laboratory was still at work").doesNotContain("16/16");
            lab.end(Duration.ofSeconds(120)).assertDone();
        }
        Outcome read = AssayCommand.of("diagnose", recording, "--json", "--fail-on", "warning")
                .run()
                .assertExit(3);
        JsonNode offline = Schemas.document("diagnose", read.out());
        System.out.println("live " + live.at("/aas") + "\noffline " + offline.at("/aas"));
        assertThat(fingerprints(offline)).isEqualTo(fingerprints(live)).hasSize(1);
        // not the title: how full the fullest of some half-way sightings was is chance in both
        assertThat(offline.at("/findings/0/rule")).isEqualTo(live.at("/findings/0/rule"));
        assertThat(kinds(offline)).isEqualTo(kinds(live));
        assertThat(offline.at("/server")).isEqualTo(live.at("/server"));
        assertThat(offline.at("/self_cost/queries").asLong()).isPositive();
        aPartOfIt(recording, offline);
    }

    /** Five seconds out of the middle: the same finding or, as chance has it with so few samples, none; never another one. */
    private static void aPartOfIt(String recording, JsonNode whole) throws Exception {
        Instant middle = Instant.parse(whole.at("/window/from").asText()).plusSeconds(4);
        Outcome part = AssayCommand.of("diagnose", recording, "--at", middle + "/5s", "--json")
                .run()
                .assertDone();
        JsonNode narrow = Schemas.document("diagnose", part.out());
        assertThat(narrow.at("/window/seconds").asDouble()).isEqualTo(5);
        assertThat(narrow.at("/window/samples").asInt())
                .isBetween(2, whole.at("/window/samples").asInt() - 1);
        assertThat(fingerprints(whole)).containsAll(fingerprints(narrow));
        assertThat(narrow.at("/aas").toString()).contains("CPU");
    }

    private static List<String> fingerprints(JsonNode document) {
        List<String> found = new ArrayList<>();
        document.at("/findings")
                .forEach(finding -> found.add(finding.at("/fingerprint").asText()));
        return found;
    }

    /** Who is blamed for what: names of relations included, which the recording must have kept. */
    private static List<String> kinds(JsonNode document) {
        List<String> kinds = new ArrayList<>();
        document.at("/findings/0/culprits")
                .forEach(culprit -> kinds.add(culprit.at("/kind").asText()));
        return kinds.stream().distinct().toList();
    }
}
