package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first thing that a newcomer runs, in a short form. */
final class DemoIT {

    @TempDir
    Path folder;

    @Test
    void the_demo_prints_one_document_and_proves_every_lock_count() throws Exception {
        Path results = folder.resolve("results");
        Path data = folder.resolve("data");
        Outcome demo = AssayCommand.of(
                        "demo",
                        "--json",
                        "--set",
                        "load.trials=2",
                        "--set",
                        "load.measured=500ms",
                        "--set",
                        "load.warmup=200ms",
                        "-o",
                        results.toString(),
                        "--data",
                        data.toString())
                .in(folder)
                .within(Duration.ofMinutes(3))
                .run()
                .assertDone();
        JsonNode document = Schemas.document("lab-run", demo.out());
        assertThat(demo.out().strip())
                .isEqualTo(Files.readString(results.resolve("result.json")).strip());
        assertThat(document.at("/partial").asBoolean()).isFalse();
        assertThat(document.at("/trials").size() / document.at("/variants").size())
                .isEqualTo(2);
        List<String> signatures = new ArrayList<>();
        document.at("/signatures").forEach(signature -> {
            assertThat(signature.at("/ok").asBoolean()).as(signature.toString()).isTrue();
            signatures.add(
                    signature.at("/name").asText() + " " + signature.at("/seen").asText());
        });
        // Read off pg_locks by hand, on 16.14 and 18.4.
        assertThat(signatures)
                .contains(
                        "hidden-16 relation locks 26",
                        "hidden-16 fast-path locks 16",
                        "hidden-16 shared-table locks 10",
                        "hidden-18 relation locks 26",
                        "hidden-18 fast-path locks 26",
                        "hidden-18 shared-table locks 0",
                        "sixty-16-slots relation locks 122",
                        "sixty-16-slots fast-path locks 16",
                        "sixty-16-slots shared-table locks 106",
                        "sixty-256-slots relation locks 122",
                        "sixty-256-slots fast-path locks 122",
                        "sixty-256-slots shared-table locks 0");
        assertThat(Files.readString(results.resolve("report.html"))).contains("<!doctype html>", "sixty-16-slots");
        try (var files = Files.list(results)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("result.json", "report.html");
        }
        assertThat(ServerFolders.left(data)).isEmpty();
        System.out.println("demo in its short form: " + demo.took().toSeconds() + " s");
    }
}
