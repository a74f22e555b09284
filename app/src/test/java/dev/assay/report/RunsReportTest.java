package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.assay.lab.RatioInterval;
import dev.assay.lab.VariantResult;
import dev.assay.lab.calibrate.CalibrationResult;
import dev.assay.lab.compare.Expectation;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.lab.compare.Runs;
import dev.assay.lab.compare.RunsComparison;
import dev.assay.lab.compare.StoredRun;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Two runs compared: text, JSON and the same words in both. */
final class RunsReportTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Slower by a fifth, on another version of the server, with another seed. */
    private static RunsComparison slower(VariantResult.Check... checks) {
        StoredRun before =
                Runs.run("before/result.json", 1, Runs.variant("with", "16.13"), Runs.trials("with", 1000, 20));
        StoredRun after =
                Runs.run("after/result.json", 2, Runs.variant("with", "16.14", checks), Runs.trials("with", 800, 20.5));
        return RunsComparison.of(before, after, 0.05);
    }

    private static List<ExpectationResult> expectations(RunsComparison runs) {
        return ExpectationResult.of(
                List.of(
                        Expectation.parse("tps>=0.98"),
                        Expectation.parse("with.latency_p99<=1.2"),
                        Expectation.parse("latency_p99<=1.04")),
                runs);
    }

    @Test
    void itReadsAsApproved() {
        RunsComparison runs = slower(new VariantResult.Check("books balance", true, "true"));
        String text = new TerminalReport(TerminalReport.WIDTH_DEFAULT, false).runs(runs, expectations(runs));
        assertThat(text.lines()).allMatch(line -> line.length() <= TerminalReport.WIDTH_DEFAULT);
        GoldenText.assertSame("runs.txt", text);
        String coloured = new TerminalReport(TerminalReport.WIDTH_DEFAULT, true).runs(runs, expectations(runs));
        assertThat(coloured).contains("\u001b[31m");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(text);
    }

    @Test
    void aFailedCheckIsSaidBeforeAnyFigure() {
        RunsComparison runs = slower(new VariantResult.Check("books balance", false, "answered f"));
        String text = new TerminalReport(TerminalReport.WIDTH_DEFAULT, false).runs(runs, expectations(runs));
        assertThat(text)
                .contains("WRONG: with fails the check 'books balance': answered f.")
                .doesNotContain("HELD", "UNDECIDED");
        assertThat(text.indexOf("WRONG")).isLessThan(text.indexOf("transactions/s"));
    }

    @Test
    void theDocumentKeepsItsPublishedShape() throws IOException {
        RunsComparison runs = slower();
        JsonNode document = MAPPER.readTree(
                RunsJson.text(runs, expectations(runs), SampleResults.VERSION, SampleResults.GENERATED));
        assertThat(complaints("lab-compare", document)).isEmpty();
        assertThat(document.at("/interleaved").isBoolean()).isTrue();
        assertThat(document.at("/comparisons/0/verdict").asText()).isEqualTo("worse");
        assertThat(document.at("/comparisons/0/ratio").asDouble()).isEqualTo(0.8);
        assertThat(document.at("/comparisons/0/before/trials").asInt()).isEqualTo(6);
        assertThat(document.at("/differences/1/what").asText()).isEqualTo("server of with");
        assertThat(document.at("/expectations"))
                .extracting(one -> one.at("/outcome").asText())
                .containsExactly("contradicted", "held", "undecided");
        assertThat(document.at("/expectations/2/further_trials").asInt()).isPositive();
        List<Consumer<ObjectNode>> damages = List.of(
                whole -> whole.remove("interleaved"),
                whole -> whole.put("interleaved", true),
                whole -> whole.put("kind", "lab_run"),
                whole -> ((ObjectNode) whole.at("/comparisons/0")).put("verdict", "splendid"),
                whole -> ((ObjectNode) whole.at("/expectations/0")).put("operator", "="),
                whole -> ((ObjectNode) whole.at("/before")).put("seed", 1));
        for (Consumer<ObjectNode> damage : damages) {
            ObjectNode damaged = document.deepCopy();
            damage.accept(damaged);
            assertThat(complaints("lab-compare", damaged)).isNotEmpty();
        }
    }

    @Test
    void whatWasNotMeasuredIsNull() throws IOException {
        StoredRun before = Runs.run("before", 1, Runs.variant("with", "16.13"), Runs.trials("with", 1000, 20));
        StoredRun empty = Runs.run("after", 2, Runs.variant("with", "16.13"), new ArrayList<>());
        RunsComparison runs = RunsComparison.of(before, empty, 0.05);
        String text = RunsJson.text(runs, expectations(runs), SampleResults.VERSION, SampleResults.GENERATED);
        assertThat(text).doesNotContain("NaN", "Infinity");
        JsonNode document = MAPPER.readTree(text);
        assertThat(complaints("lab-compare", document)).isEmpty();
        assertThat(document.at("/comparisons/0/ratio").isNull()).isTrue();
        assertThat(document.at("/comparisons/0/after").isNull()).isTrue();
        assertThat(new TerminalReport(100, false).runs(runs, expectations(runs)))
                .doesNotContain("NaN", "Infinity", "∞")
                .contains("not measured", "there are not trials of both");
    }

    @Test
    void expectationsOfARunStandInItsDocument() throws IOException {
        List<ExpectationResult> results =
                ExpectationResult.of(List.of(Expectation.parse("tps>=2")), SampleResults.experiment());
        assertThat(results).extracting(ExpectationResult::candidate).containsExactly("literal-16", "sixty-256-slots");
        assertThat(results)
                .extracting(ExpectationResult::outcome)
                .containsExactly(Expectation.Outcome.HELD, Expectation.Outcome.CONTRADICTED);
        RunReport report = new RunReport(SampleResults.experiment(), results, null);
        JsonNode document = MAPPER.readTree(ResultJson.text(report, SampleResults.VERSION, SampleResults.GENERATED));
        assertThat(complaints("lab-run", document)).isEmpty();
        assertThat(document.at("/expectations/1/outcome").asText()).isEqualTo("contradicted");
        assertThat(new TerminalReport(100, false).experiment(report))
                .contains("\nEXPECTATIONS\n  HELD          tps>=2, hidden-16 → literal-16: 2.65× [")
                .contains("\n  CONTRADICTED  tps>=2, sixty-16-slots → sixty-256-slots: 1.1");
    }

    @Test
    void aKeptCalibrationStandsInEveryReport() throws IOException {
        List<RatioInterval.Round> rounds = List.of(
                new RatioInterval.Round(10, 9.1),
                new RatioInterval.Round(10, 9.2),
                new RatioInterval.Round(10, 9.3),
                new RatioInterval.Round(10, 9.2));
        CalibrationResult result = new CalibrationResult(
                "select-only", true, 0.92, RatioInterval.of(rounds), RatioInterval.of(rounds), 10, 9.2, 50_000, 51_000);
        String kept = CalibrationJson.text(
                new CalibrationReport(
                        "pgbench (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)",
                        "18.4",
                        "simple",
                        50,
                        1,
                        4,
                        2,
                        List.of(result)),
                "1.2.3",
                Instant.parse("2026-11-28T10:00:00Z"));
        RunReport report = new RunReport(
                SampleResults.experiment(),
                List.of(),
                KeptCalibration.read(kept).orElseThrow());
        JsonNode document = MAPPER.readTree(ResultJson.text(report, SampleResults.VERSION, SampleResults.GENERATED));
        assertThat(complaints("lab-run", document)).isEmpty();
        assertThat(complaints("calibration", document.at("/calibration"))).isEmpty();
        assertThat(document.at("/unavailable").toString()).doesNotContain("calibration");
        String sentence = "client CPU per transaction, engine / pgbench 15.18: select-only over socket 0.920× [";
        assertThat(new TerminalReport(300, false).experiment(report))
                .contains("\nEngine   " + sentence, "] (2026-11-28, Assay 1.2.3, 4 pairs)\n");
        assertThat(HtmlReport.page(report, SampleResults.VERSION, SampleResults.GENERATED))
                .contains("<dt>Load engine</dt><dd>" + sentence);
        assertThat(KeptCalibration.read(kept.substring(0, 200))).isEmpty();
        assertThat(KeptCalibration.read("{\"kind\": \"lab_run\"}")).isEmpty();
    }

    private static Set<ValidationMessage> complaints(String schema, JsonNode document) throws IOException {
        try (InputStream stream =
                RunsReportTest.class.getResourceAsStream("/dev/assay/schema/" + schema + ".schema.json")) {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(stream)
                    .validate(document);
        }
    }
}
