package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An experiment of one's own that is disturbed: its server dies, or somebody wants it to end. */
final class LabRunIT {

    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final Duration END_MAX = Duration.ofSeconds(10);
    private static final String FIRST_TRIAL = "1/8  round 1";

    @TempDir
    Path folder;

    private Path data;
    private Path results;
    private AssayCommand run;

    @BeforeEach
    void write() throws IOException {
        data = folder.toRealPath().resolve("data");
        results = folder.resolve("results");
        Path file = Files.writeString(folder.resolve("small.yaml"), Experiments.SMALL);
        run = AssayCommand.of("lab", "run", file.toString(), "--data", data.toString(), "-o", results.toString())
                .in(folder);
    }

    @Test
    void a_server_that_dies_fails_its_trial_and_no_other() throws Exception {
        Outcome outcome;
        try (AssayProcess process = run.start()) {
            process.awaitOut(FIRST_TRIAL, START_MAX);
            String postmaster =
                    ServerFolders.awaitPidFile(data, Duration.ofSeconds(5)).get(0);
            assertThat(new ProcessBuilder("kill", "-s", "KILL", postmaster)
                            .start()
                            .waitFor())
                    .isZero();
            outcome = process.end(Duration.ofSeconds(60)).assertExit(1);
        }
        assertThat(outcome.err()).isEmpty();
        List<String> failed = outcome.out()
                .lines()
                .filter(line -> line.contains("  failed: "))
                .toList();
        assertThat(failed).hasSize(1);
        assertThat(failed.get(0))
                .containsPattern("[2-8]/8  round \\d  (first|second) +failed: the server of 'only' died");
        JsonNode document = Schemas.document("lab-run", Files.readString(results.resolve("result.json")));
        assertThat(document.at("/partial").asBoolean()).isTrue();
        List<String> ends = new ArrayList<>();
        document.at("/trials").forEach(trial -> ends.add(trial.at("/failure").isTextual() ? "failed" : "ok"));
        assertThat(ends).hasSize(8).containsOnlyOnce("failed").endsWith("ok");
        assertThat(ServerFolders.left(data)).isEmpty();
    }

    @Test
    void programs_that_end_at_the_same_time_leave_nothing_in_the_usual_place() throws Exception {
        Path usual = Files.createDirectory(folder.resolve("tmp"));
        List<AssayProcess> processes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                processes.add(AssayCommand.of(
                                "lab",
                                "run",
                                folder.resolve("small.yaml").toString(),
                                "--set",
                                "load.trials=2",
                                "--set",
                                "load.measured=200ms",
                                "-o",
                                folder.resolve("results-" + i).toString())
                        .with("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + usual)
                        .in(folder)
                        .start());
            }
            for (AssayProcess process : processes) {
                process.end(START_MAX).assertExit(0);
            }
        } finally {
            for (AssayProcess process : processes) {
                process.close();
            }
        }
        try (Stream<Path> left = Files.list(usual)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("assay")))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void a_signal_between_trials_ends_everything_and_keeps_what_was_measured(String signal, int exitCode)
            throws Exception {
        try (AssayProcess process = run.start()) {
            process.awaitOut(FIRST_TRIAL, START_MAX);
            process.signal(signal);
            Outcome outcome = process.end(END_MAX).assertExit(exitCode);
            assertThat(outcome.out()).doesNotContain("failed", "report", "FINDINGS");
            assertThat(outcome.err())
                    .matches(
                            "assay: interrupted after \\d of 8 trials; what they gave, marked partial: \\S+/result.json\n");
        }
        assertThat(ServerFolders.left(data)).isEmpty();
        JsonNode document = Schemas.document("lab-run", Files.readString(results.resolve("result.json")));
        assertThat(document.at("/partial").asBoolean()).isTrue();
        assertThat(document.at("/unavailable").toString()).contains("of 8 trials", "the run was interrupted");
        assertThat(document.at("/trials")).isNotEmpty().hasSizeLessThan(8);
        assertThat(document.at("/trials").findValuesAsText("failure")).containsOnly("null");
        assertThat(document.at("/variants/0/checks")).isEmpty();
        assertThat(Files.readString(results.resolve("report.html"))).contains("This run is incomplete");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void a_signal_while_the_server_starts_ends_everything_in_silence(String signal, int exitCode) throws Exception {
        try (AssayProcess process = run.start()) {
            ServerFolders.awaitFolder(data, START_MAX);
            process.signal(signal);
            Outcome outcome = assertSilentEnd(process, exitCode);
            assertThat(outcome.out()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void a_signal_leaves_nothing_on_a_server_that_stays(String signal, int exitCode) throws Exception {
        try (EmbeddedServer there = TestServers.fresh("15");
                Connection view = DriverManager.getConnection(there.jdbcUrl(), "postgres", "")) {
            String place = "host=" + there.host() + " port=" + there.port() + " user=postgres dbname=postgres";
            Path file = Files.writeString(
                    folder.resolve("external.yaml"),
                    Experiments.SMALL.replace("server: 16", "external: \"" + place + "\""));
            AssayCommand external = AssayCommand.of("lab", "run", file.toString(), "-o", results.toString())
                    .in(folder);
            try (AssayProcess process = external.start()) {
                process.awaitOut(FIRST_TRIAL, START_MAX);
                assertThat(TestDatabase.one(view, "select count(*) from pg_database where datname like 'assay%'"))
                        .isEqualTo("1");
                process.signal(signal);
                process.end(END_MAX).assertExit(exitCode);
            }
            assertThat(TestDatabase.one(view, "select count(*) from pg_database where datname like 'assay%'"))
                    .isEqualTo("0");
            assertThat(Schemas.document("lab-run", Files.readString(results.resolve("result.json")))
                            .at("/partial")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void a_run_that_cannot_begin_leaves_no_folder() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path file = Files.writeString(
                folder.resolve("nowhere.yaml"),
                Experiments.SMALL.replace("server: 16", "external: \"host=127.0.0.1 port=1 user=postgres\""));
        assertThat(AssayCommand.of("lab", "run", file.toString())
                        .in(empty)
                        .run()
                        .assertFailed(1)
                        .problem())
                .contains("system 'only': cannot reach PostgreSQL at 127.0.0.1:1");
        assertThat(empty).isEmptyDirectory();
    }

    private Outcome assertSilentEnd(AssayProcess process, int exitCode) throws Exception {
        Outcome outcome = process.end(END_MAX).assertExit(exitCode);
        assertThat(outcome.err()).isEmpty();
        assertThat(ServerFolders.left(data)).isEmpty();
        assertThat(results).doesNotExist();
        return outcome;
    }

    @Test
    void a_run_without_disturbance_says_where_its_documents_are() throws Exception {
        Outcome outcome = run.within(START_MAX.multipliedBy(2)).run().assertDone();
        assertThat(outcome.out())
                .startsWith("8 trials, about 8 s\n1/8  round 1  ")
                .contains("\nreport  " + results.resolve("report.html") + "\n")
                .endsWith("\ndata    " + results.resolve("result.json") + "\n")
                .doesNotContain("\u001b");
        assertThat(ServerFolders.left(data)).isEmpty();
    }
}
