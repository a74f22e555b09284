package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

class BuiltInExperimentTest {

    static List<String> names() {
        return ExperimentFile.builtInNames();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyBuiltInIsReadAndFitsTheSchema(String name) throws Exception {
        Experiment experiment = ExperimentFile.builtIn(name);

        assertThat(experiment.name()).isEqualTo(name);
        assertThat(experiment.comparisons()).isNotEmpty();
        assertThat(schema().validate(json(ExperimentFile.builtInText(name)))).isEmpty();
        assertThat(experiment.systems().values())
                .allSatisfy(system -> assertThat(system.setup()).doesNotContain(":partitions"));
    }

    @Test
    void theListOfBuiltInsIsTheFolder() throws Exception {
        Path folder = Path.of("src/main/resources/experiments");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(ExperimentFile.builtInNames());
        }
    }

    @Test
    void lockPartitionsAsksOnTwoVersionsAndIsolatesTheSlots() {
        Experiment experiment = ExperimentFile.builtIn("lock-partitions", Map.of("partitions", "24"));

        assertThat(experiment.systems().values())
                .allSatisfy(system -> assertThat(system.setup()).contains("parts  int := 24;"));
        Experiment.Pair slots = experiment.comparisons().get(2);
        Experiment.Variant few = experiment.variant(slots.baseline());
        Experiment.Variant many = experiment.variant(slots.candidate());
        assertThat(many.script()).isEqualTo(few.script());
        assertThat(experiment.systems().get(many.system()).setup())
                .isEqualTo(experiment.systems().get(few.system()).setup());
        assertThat(experiment.systems().get(few.system()).settings()).containsEntry("max_locks_per_transaction", "16");
        assertThat(experiment.systems().get(many.system()).settings())
                .containsEntry("max_locks_per_transaction", "256");
    }

    @Test
    void theSameTwiceIsTheSame() {
        Experiment experiment = ExperimentFile.builtIn("lock-partitions-aa");

        assertThat(experiment.variants()).hasSize(2);
        assertThat(experiment.variants().get(0).script())
                .isEqualTo(experiment.variants().get(1).script());
        assertThat(experiment.variants().get(0).system())
                .isEqualTo(experiment.variants().get(1).system());
        // The A/A run says something about lock-partitions only while it does the same work.
        Experiment real = ExperimentFile.builtIn("lock-partitions");
        assertThat(experiment.systems().get("pg16")).isEqualTo(real.systems().get("pg16"));
        assertThat(experiment.variant("hidden-16").script())
                .isEqualTo(real.variant("hidden-16").script());
        assertThat(experiment.load()).isEqualTo(real.load());
    }

    @Test
    void theManualsExampleIsReadAndFitsTheSchema() throws Exception {
        String manual = Files.readString(Path.of("../docs/experiments.md"));
        Matcher example = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(manual);
        assertThat(example.find()).isTrue();
        assertThat(ExperimentFile.parse("docs/experiments.md", example.group(1), Map.of())
                        .comparisons())
                .isNotEmpty();
        assertThat(schema().validate(json(example.group(1)))).isEmpty();
        for (List<String> keys : List.of(ExperimentReader.TOP, ExperimentReader.LOAD)) {
            assertThat(keys).allSatisfy(key -> assertThat(manual).contains("`" + key));
        }
    }

    @Test
    void theSchemaRefusesWhatTheReaderRefuses() throws Exception {
        assertThat(schema().validate(json(ExperimentFileTest.MINIMAL))).isEmpty();
        for (String[] change : List.of(
                new String[] {"{clients: 4}", "{client: 4}"},
                new String[] {"{clients: 4}", "{clients: 1001}"},
                new String[] {"{clients: 4}", "{clients: 4, trials: 1}"},
                new String[] {"{clients: 4}", "{clients: 4, measured: 5}"},
                new String[] {"title: Two ways", ""},
                new String[] {"server: 16.10", "server: latest"},
                new String[] {"candidate: second", "candidate: second, metric: speed"},
                new String[] {"name: two-ways", "name: Two Ways"})) {
            String bad = ExperimentFileTest.MINIMAL.replace(change[0], change[1]);
            assertThat(schema().validate(json(bad))).as(change[1]).isNotEmpty();
        }
    }

    @Test
    void theSchemaKnowsEveryMetric() throws Exception {
        try (InputStream in =
                BuiltInExperimentTest.class.getResourceAsStream("/dev/assay/schema/experiment.schema.json")) {
            JsonNode metrics =
                    new ObjectMapper().readTree(in).at("/properties/comparisons/items/properties/metric/enum");
            assertThat(metrics).extracting(JsonNode::asText).containsExactlyElementsOf(MetricNames.COMPARABLE);
        }
    }

    private static JsonSchema schema() throws Exception {
        try (InputStream in =
                BuiltInExperimentTest.class.getResourceAsStream("/dev/assay/schema/experiment.schema.json")) {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(in);
        }
    }

    private static JsonNode json(String yaml) {
        return new ObjectMapper().valueToTree(new Yaml().<Object>load(yaml));
    }
}
