package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.assay.evidence.Evidence;
import dev.assay.lab.Comparison;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Metric;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.Verdict;
import dev.assay.lab.WaitSlice;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class JsonDocumentsTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void anExperimentKeepsItsPublishedShape() throws IOException {
        JsonNode document = MAPPER.readTree(ResultJson.text(
                RunReport.of(SampleResults.experiment()), SampleResults.VERSION, SampleResults.GENERATED));
        assertThat(complaints("lab-run", document)).isEmpty();
        assertThat(document.at("/generated_at").asText()).isEqualTo("2026-03-14T09:45:00Z");
        assertThat(document.at("/started_at").asText()).isEqualTo("2026-03-14T09:26:53.589Z");
        assertThat(document.at("/seed").isTextual()).isTrue();
        assertThat(document.at("/variants/0/relation_locks/slow_count").asInt()).isEqualTo(10);
        assertThat(document.at("/comparisons/1/verdict").asText()).isEqualTo("inconclusive");
        assertThat(document.at("/findings/0/variant").asText()).isEqualTo("hidden-16");
        assertThat(document.at("/silent")).hasSize(3);
        assertThat(document.at("/unavailable/0/what").asText()).isEqualTo("calibration");
    }

    @Test
    void aDiagnosisKeepsItsPublishedShape() throws IOException {
        JsonNode document = MAPPER.readTree(
                DiagnosisJson.text(SampleResults.diagnose(), SampleResults.VERSION, SampleResults.GENERATED));
        assertThat(complaints("diagnose", document)).isEmpty();
        assertThat(document.at("/aas/1/wait_event").asText()).isEqualTo("LWLock:LockManager");
        assertThat(document.at("/unexplained_share").asDouble()).isBetween(0.071, 0.072);
        assertThat(document.at("/server/vendor").asText()).isEqualTo("PostgreSQL");
    }

    @Test
    void episodesKeepTheirPublishedShape() throws IOException {
        JsonNode document = MAPPER.readTree(
                EpisodesJson.text(SampleEpisodes.report(), SampleResults.VERSION, SampleResults.GENERATED));
        assertThat(complaints("episodes", document)).isEmpty();
        assertThat(document.at("/episodes/0/blocker/victims").asInt()).isEqualTo(12);
        assertThat(document.at("/episodes/0/blocker/query_id").asText()).isEqualTo("-5817361184432516183");
        assertThat(document.at("/episodes/0/from").asText()).isEqualTo("2026-03-14T09:31:53.589Z");
        assertThat(document.at("/episodes/1/nature").asText()).isEqualTo("no_answer");
        assertThat(document.at("/episodes/1/mean_aas").isNull()).isTrue();
        assertThat(document.at("/episodes/1/wait_event").isNull()).isTrue();
        assertThat(document.at("/episodes/2/blocker/transaction_seconds").isNull())
                .isTrue();
        assertThat(document.at("/episodes/3/blocker").isNull()).isTrue();
        assertThat(document.at("/window/gaps/0/reason").asText()).isEqualTo("no_answer");
        assertThat(document.at("/window/seen_seconds").asDouble()).isEqualTo(3539);
        List<Consumer<ObjectNode>> damages = List.of(
                whole -> whole.remove("omitted"),
                whole -> ((ObjectNode) whole.at("/episodes/0")).put("nature", "holiday"),
                whole -> ((ObjectNode) whole.at("/episodes/0")).put("number", 0),
                whole -> ((ObjectNode) whole.at("/episodes/0/blocker")).remove("pid"),
                whole -> ((ObjectNode) whole.at("/window/gaps/0")).put("reason", "tea"));
        for (Consumer<ObjectNode> damage : damages) {
            ObjectNode damaged = document.deepCopy();
            damage.accept(damaged);
            assertThat(complaints("episodes", damaged)).isNotEmpty();
        }
    }

    @Test
    void everyDamagedDocumentIsRefused() throws IOException {
        ObjectNode document = ResultJson.document(
                RunReport.of(SampleResults.experiment()), SampleResults.VERSION, SampleResults.GENERATED);
        List<Consumer<ObjectNode>> damages = List.of(
                whole -> whole.remove("comparisons"),
                whole -> whole.put("surprise", 1),
                whole -> whole.put("generated_at", "yesterday"),
                whole -> whole.put("kind", "diagnose"),
                whole -> ((ObjectNode) whole.at("/comparisons/0")).put("verdict", "splendid"),
                whole -> ((ObjectNode) whole.at("/variants/0/relation_locks")).put("total", "26"),
                whole -> ((ObjectNode) whole.at("/findings/0")).put("share_of_database_time", 1.5),
                whole -> ((ObjectNode) whole.at("/findings/0/remedies/0")).remove("risk"),
                whole -> ((ArrayNode) whole.at("/findings/0/evidence")).removeAll());
        for (Consumer<ObjectNode> damage : damages) {
            ObjectNode damaged = document.deepCopy();
            damage.accept(damaged);
            assertThat(complaints("lab-run", damaged)).isNotEmpty();
        }
        ObjectNode diagnosis =
                DiagnosisJson.document(SampleResults.diagnose(), SampleResults.VERSION, SampleResults.GENERATED);
        ((ObjectNode) diagnosis.get("self_cost")).remove("rows");
        assertThat(complaints("diagnose", diagnosis)).isNotEmpty();
    }

    @Test
    void whatIsNotANumberIsNull() throws IOException {
        double nan = Double.NaN;
        ExperimentResult result = SampleResults.experiment();
        VariantResult hidden = result.variant("hidden-16");
        VariantResult empty = new VariantResult(
                hidden.name(),
                hidden.title(),
                hidden.serverVersion(),
                hidden.settings(),
                hidden.statement(),
                true,
                List.of(new Metric("transactions_per_second", "1/s", nan, nan, Double.POSITIVE_INFINITY, nan, 0)),
                List.of(new WaitSlice("CPU", nan, nan, 0)),
                null,
                List.of(),
                List.of(),
                null);
        Comparison unknown = new Comparison(
                "?",
                "hidden-16",
                "hidden-16",
                "transactions_per_second",
                nan,
                nan,
                Double.POSITIVE_INFINITY,
                0.99,
                0,
                0.05,
                Verdict.INCONCLUSIVE,
                null,
                List.of(new Comparison.TimeChange("CPU", 1, 1, nan)),
                null,
                List.of());
        ExperimentResult hollow = new ExperimentResult(
                result.experiment(),
                result.title(),
                result.question(),
                result.startedAt(),
                result.took(),
                true,
                List.of(),
                result.environment(),
                50,
                result.trialLength(),
                -1,
                List.of(empty),
                List.of(unknown),
                List.of(),
                List.of(new Trial(1, 1, "hidden-16", null, Map.of("transactions_per_second", nan))));
        String text = ResultJson.text(RunReport.of(hollow), SampleResults.VERSION, SampleResults.GENERATED);
        assertThat(text).doesNotContain("NaN", "Infinity");
        JsonNode document = MAPPER.readTree(text);
        assertThat(complaints("lab-run", document)).isEmpty();
        assertThat(document.at("/variants/0/metrics/0/median").isNull()).isTrue();
        assertThat(document.at("/comparisons/0/further_trials").isNull()).isTrue();
        assertThat(document.at("/trials/0/values/transactions_per_second").isNull())
                .isTrue();
        String terminal = new TerminalReport(100, false).experiment(RunReport.of(hollow));
        assertThat(terminal).doesNotContain("NaN", "Infinity", "∞").contains("not measured");
        String page = HtmlReport.page(RunReport.of(hollow), SampleResults.VERSION, SampleResults.GENERATED);
        assertThat(page.replaceAll("(?s)<script.*?</script>", "")).doesNotContain("NaN", "Infinity", "∞");
    }

    @Test
    void anIdleServerHasNoUnexplainedShare() {
        DiagnoseReport report = SampleResults.diagnose();
        Evidence idle = Evidence.of(new ServerFacts(ServerVersion.parse("18.4"), "Redshift 1", "shop"))
                .between(SampleResults.STARTED, SampleResults.GENERATED);
        DiagnoseReport quiet = new DiagnoseReport(idle, report.diagnosis(), report.selfCost(), true);
        ObjectNode document = DiagnosisJson.document(quiet, SampleResults.VERSION, SampleResults.GENERATED);
        assertThat(complaints("diagnose", document)).isEmpty();
        assertThat(document.at("/unexplained_share").isNull()).isTrue();
        assertThat(document.at("/server/vendor").asText()).isEqualTo("Redshift");
    }

    @Test
    void whatStandsBesideTheServerIsTold() {
        DiagnoseReport report = BesideTheServer.diagnose();
        ObjectNode document = DiagnosisJson.document(report, SampleResults.VERSION, SampleResults.GENERATED);
        assertThat(complaints("diagnose", document)).isEmpty();
        assertThat(document.at("/server/vendor").asText()).isEqualTo("Amazon Aurora");
        assertThat(document.at("/server/vendor_note").asText()).contains("parameter group");
        assertThat(document.at("/server/pooler/name").asText()).isEqualTo("PgBouncer");
        assertThat(document.at("/server/pooler/per_transaction").asBoolean()).isTrue();
        assertThat(document.at("/pools")).hasSize(2);
        assertThat(document.at("/pools/0/active_mean").asDouble()).isEqualTo(9.5);
        assertThat(document.at("/pools/0/timeouts").asInt()).isEqualTo(3);
        assertThat(document.at("/pools/1/pending_mean").isNull()).isTrue();
    }

    @Test
    void namesAreSnakeCase() {
        List<String> names = new ArrayList<>();
        collect(
                ResultJson.document(
                        RunReport.of(SampleResults.experiment()), SampleResults.VERSION, SampleResults.GENERATED),
                names);
        collect(
                DiagnosisJson.document(SampleResults.diagnose(), SampleResults.VERSION, SampleResults.GENERATED),
                names);
        collect(EpisodesJson.document(SampleEpisodes.report(), SampleResults.VERSION, SampleResults.GENERATED), names);
        assertThat(names).hasSizeGreaterThan(100).allMatch(name -> name.matches("[a-z][a-z0-9_]*"));
    }

    private static void collect(JsonNode node, List<String> names) {
        for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
            names.add(fields.next());
        }
        node.forEach(child -> collect(child, names));
    }

    private static Set<ValidationMessage> complaints(String schema, JsonNode document) {
        try (InputStream stream =
                JsonDocumentsTest.class.getResourceAsStream("/dev/assay/schema/" + schema + ".schema.json")) {
            JsonSchema compiled = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(stream);
            return compiled.validate(document);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
