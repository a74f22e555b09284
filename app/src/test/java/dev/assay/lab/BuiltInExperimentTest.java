package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThat(many.workload()).isEqualTo(few.workload());
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
        assertThat(experiment.variants().get(0).workload().statement())
                .isEqualTo(experiment.variants().get(1).workload().statement());
        assertThat(experiment.variants().get(0).system())
                .isEqualTo(experiment.variants().get(1).system());
        // The A/A run says something about lock-partitions only while it does the same work.
        Experiment real = ExperimentFile.builtIn("lock-partitions");
        assertThat(experiment.systems().get("pg16")).isEqualTo(real.systems().get("pg16"));
        assertThat(experiment.variant("hidden-16").workload().statement())
                .isEqualTo(real.variant("hidden-16").workload().statement());
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
                new String[] {"{clients: 4}", "{clients: 4, threads: 0}"},
                new String[] {"{clients: 4}", "{clients: 4, rate: -1}"},
                new String[] {"{clients: 4}", "{clients: '${two words}'}"},
                new String[] {"title: Two ways", "title: Two ways\nparameters: {two words: 1}"},
                new String[] {"title: Two ways", "title: Two ways\nparameters: {users: []}"},
                new String[] {"relation_locks: {total: 3, slow: 1}", "expect: {metric: latency_p50}"},
                new String[] {"relation_locks: {total: 3, slow: 1}", "expect: {above: 1}"},
                new String[] {"relation_locks: {total: 3, slow: 1}", "expect: {wait_event: Lock, above: 1}"},
                new String[] {"script: one}", "script: {one: -1}}"},
                new String[] {"script: one}", "script: one, task: one}"},
                new String[] {"script: one}", "script: one, fresh: maybe}"},
                new String[] {"script: one}", "script: one, background: one}"},
                new String[] {"script: one}", "script: one, load: {trials: 3}}"},
                new String[] {"scripts:", "tasks: {t: {prepare: select 1}}\nscripts:"},
                new String[] {"scripts:", "processes: {p: {command: [a]}}\nscripts:"},
                new String[] {"scripts:", "processes: {p: {command: [a], requests: [{path: /, status: 99}]}}\nscripts:"
                },
                new String[] {"server: 16.10", "external: host=db"},
                new String[] {"scripts:", "background: {b: {hold: begin, clients: 2}}\nscripts:"},
                new String[] {"scripts:", "background: {b: {clients: 2}}\nscripts:"},
                new String[] {"name: two-ways", "name: Two Ways"})) {
            String bad = ExperimentFileTest.MINIMAL.replace(change[0], change[1]);
            assertThat(schema().validate(json(bad))).as(change[1]).isNotEmpty();
            assertThatThrownBy(() -> ExperimentFile.parse("bad.yaml", bad, Map.of()))
                    .as(change[1])
                    .isInstanceOf(ExperimentFileException.class);
        }
    }

    @Test
    void theSchemaTakesWhatTheReaderTakes() throws Exception {
        for (String[] change : List.of(
                new String[] {
                    "{clients: 4}", "{clients: '${n}', rate: 1.5, max_tries: 0, latency_limit: 1s}\nparameters: {n: 3}"
                },
                new String[] {"{clients: 4}", "{clients: 4, warmup_max: 30s}"},
                new String[] {"title: The second", "title: 'The second ${users}'"},
                new String[] {
                    "relation_locks: {total: 3, slow: 1}", "expect: {metric: latency_p50, times: second, above: 0.5}"
                },
                new String[] {
                    "relation_locks: {total: 3, slow: 1}", "expect: {wait_event: 'LWLock:LockManager', below: 0.5}"
                },
                new String[] {"script: one}", "script: {one: 9, two: 1}, load: {clients: 2, protocol: extended}}"},
                new String[] {"scripts:", "tasks: {t: {prepare: select 1, sql: vacuum}}\nscripts:"},
                new String[] {
                    "scripts:",
                    "processes: {p: {command: [a, 1], environment: {POOL: 5}, ready: /up, ready_within: 5s, requests:"
                            + " [{path: /, method: POST, body: x, headers: {accept: text/plain}, status: 201, weight: 2}]}}\nscripts:"
                },
                new String[] {
                    "server: 16.10\n    settings: {fsync: off, jit: false, work_mem: 64kB}", "external: host=db"
                },
                new String[] {"scripts:", "background: {b: {hold: begin}, c: {script: one, clients: 2}}\nscripts:"})) {
            String good = ExperimentFileTest.MINIMAL.replace(change[0], change[1])
                    + (change[1].contains("${users}") ? "parameters: {users: [1]}\n" : "");
            assertThat(schema().validate(json(good))).as(change[1]).isEmpty();
            assertThat(ExperimentFile.parse("good.yaml", good, Map.of()).variants())
                    .as(change[1])
                    .hasSize(2);
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
