package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentFileTest {

    static final String MINIMAL = """
            name: two-ways
            title: Two ways
            question: Which is faster?
            load: {clients: 4}
            schemas:
              items: |
                create table items as select n::int as id from generate_series(1, :rows) n;
            systems:
              pg16:
                server: 16.10
                settings: {fsync: off, jit: false, work_mem: 64kB}
                schema: items
                parameters: {rows: 100}
            scripts:
              one: |
                select 1;
                select 2;
              two: select 2;
            variants:
              first: {system: pg16, script: one}
              second: {title: The second, system: pg16, script: two, checks: {filled: select count(*) > 0 from items}}
            comparisons:
              - {question: 'Which?', baseline: first, candidate: second}
            signatures:
              - {variant: first, relation_locks: {total: 3, slow: 1}}
            """;

    @Test
    void readsEverythingAndFillsInDefaults() {
        Experiment experiment = ExperimentFile.parse("my.yaml", MINIMAL, Map.of());

        assertThat(experiment.load())
                .isEqualTo(new Experiment.Load(
                        4,
                        1,
                        "simple",
                        6,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        0,
                        null,
                        1));
        Experiment.SystemUnderTest system = experiment.systems().get("pg16");
        assertThat(system.place()).isEqualTo(new Experiment.Place.Embedded("16.10"));
        assertThat(system.settings())
                .containsExactlyEntriesOf(ordered("fsync", "off", "jit", "false", "work_mem", "64kB"));
        assertThat(system.setup())
                .isEqualTo("create table items as select n::int as id from generate_series(1, 100) n;\n");
        assertThat(experiment.variants()).extracting(Experiment.Variant::title).containsExactly("first", "The second");
        assertThat(experiment.variant("first").scripts().get(0).text()).isEqualTo("select 1;\nselect 2;\n");
        assertThat(experiment.variant("second").checks()).containsEntry("filled", "select count(*) > 0 from items");
        assertThat(experiment.comparisons())
                .containsExactly(
                        new Experiment.Pair("Which?", "first", "second", "transactions_per_second", 0.05, true, null));
        assertThat(experiment.signatures()).containsExactly(new Experiment.Expectation("first", 3, null, 1));
    }

    @Test
    void aScriptKnowsItsLine() {
        Experiment experiment = ExperimentFile.parse("my.yaml", MINIMAL, Map.of());

        assertThat(MINIMAL.lines()
                        .toList()
                        .get(experiment.variant("first").scripts().get(0).line() - 1))
                .isEqualTo("    select 1;");
        assertThat(MINIMAL.lines()
                        .toList()
                        .get(experiment.variant("second").scripts().get(0).line() - 1))
                .isEqualTo("  two: select 2;");
    }

    @Test
    void onlyDeclaredParametersAreReplaced() {
        assertThat(ParameterText.replace("select :a::int, ':b', x::a, :ab, '12:30', :a", Map.of("a", "$1\\", "c", "x")))
                .isEqualTo("select $1\\::int, ':b', x::a, :ab, '12:30', $1\\");
    }

    private static final String PARAMETERS = MINIMAL.replace("load: {clients: 4}", """
            parameters: {users: 8, rows: 50, limit: 20ms, buffers: 64MB, label: O Hara}
            load: {clients: '${users}', latency_limit: '${limit}', max_tries: 0}""")
            .replace("work_mem: 64kB", "shared_buffers: '${buffers}'")
            .replace("select 2;\n  two", "select 2, '{${rows}}'::int[], $${rows}$$, ':x${label}';\n  two")
            .replace("parameters: {rows: 100}", "parameters: {rows: '${rows}'}");

    @Test
    void parametersStandForTheirValuesEverywhere() {
        Experiment experiment = ExperimentFile.parse("my.yaml", PARAMETERS, Map.of("users", "16", "rows", "51"));

        assertThat(experiment.load().clients()).isEqualTo(16);
        assertThat(experiment.load().latencyLimit()).isEqualTo(Duration.ofMillis(20));
        assertThat(experiment.systems().get("pg16").settings()).containsEntry("shared_buffers", "64MB");
        assertThat(experiment.systems().get("pg16").setup()).contains("generate_series(1, 51)");
        assertThat(experiment.variant("first").scripts().get(0).text())
                .isEqualTo("select 1;\nselect 2, '{51}'::int[], $${rows}$$, ':xO Hara';\n");
        assertThat(catchThrowableOfType(
                        ExperimentFileException.class,
                        () -> ExperimentFile.parse("my.yaml", PARAMETERS, Map.of("user", "16"))))
                .hasMessage("--set user=16: unknown parameter 'user'")
                .extracting(ExperimentFileException::hint)
                .isEqualTo("did you mean 'users'?");
        assertThat(catchThrowableOfType(
                        ExperimentFileException.class,
                        () -> ExperimentFile.parse("my.yaml", PARAMETERS, Map.of("parameters.user", "16"))))
                .hasMessage("--set parameters.user=16: the file has no 'user' there");
    }

    @Test
    void aVariantMayMixScriptsAndDriveThemInItsOwnWay() {
        String yaml = MINIMAL.replace(
                "{system: pg16, script: one}",
                "{system: pg16, script: {one: 3, two: 1}, load: {clients: 9, rate: 2.5, threads: 2, protocol: extended}}");
        Experiment.Variant variant =
                ExperimentFile.parse("my.yaml", yaml, Map.of()).variant("first");

        assertThat(variant.scripts()).extracting(Workload.Part::name).containsExactly("one", "two");
        assertThat(variant.scripts()).extracting(Workload.Part::weight).containsExactly(3, 1);
        assertThat(variant.load())
                .isEqualTo(new Experiment.Load(
                        9,
                        2,
                        "extended",
                        6,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        2.5,
                        null,
                        1));
        assertThat(variant.workload().statement()).startsWith("-- one, weight 3\nselect 1;");
    }

    private static final String TASKS = MINIMAL.replace(
                    "scripts:", "tasks:\n  work: {prepare: delete from items, sql: vacuum items}\nscripts:")
            .replace("{system: pg16, script: one}", "{system: pg16, task: work}")
            .replaceFirst("signatures:(.|\n)*", "");

    @Test
    void tasksAreComparedWithTasksByTheirTime() {
        String both = TASKS.replace("script: two", "task: work");
        Experiment experiment = ExperimentFile.parse("my.yaml", both, Map.of());

        assertThat(experiment.variant("first").workload())
                .isEqualTo(new Workload.Task("work", "delete from items", "vacuum items", 15));
        assertThat(experiment.comparisons())
                .containsExactly(new Experiment.Pair("Which?", "first", "second", "elapsed", 0.05, false, null));
        assertThat(refusal(TASKS)).hasMessageEndingWith("a task and a script have no figure in common");
        assertThat(refusal(both.replace("candidate: second", "candidate: second, same_answer: true")))
                .hasMessageEndingWith("a task has no answer to compare");
        assertThat(refusal(both.replace("candidate: second", "candidate: second, metric: latency_p95")))
                .hasMessageEndingWith("unknown metric 'latency_p95' in comparisons 1");
    }

    private static ExperimentFileException refusal(String yaml) {
        return catchThrowableOfType(
                ExperimentFileException.class, () -> ExperimentFile.parse("my.yaml", yaml, Map.of()));
    }

    @Test
    void answersOfScriptsThatFollowResultsAreNotCompared() {
        String yaml = MINIMAL.replace("  two: select 2;", "  two: |\n    select 2 as x \\gset\n    select :x;");
        assertThat(catchThrowableOfType(
                        ExperimentFileException.class, () -> ExperimentFile.parse("my.yaml", yaml, Map.of())))
                .hasMessageContaining("answers of 'second' cannot be compared")
                .extracting(ExperimentFileException::hint)
                .isEqualTo("write same_answer: false, and checks for what must be true");
        assertThat(ExperimentFile.parse("my.yaml", yaml, Map.of("comparisons.1.same_answer", "false"))
                        .variant("second")
                        .scripts())
                .hasSize(1);
    }

    @Test
    void aliasesMayShareAMappingAndAnOptionChangesOnlyOnePlace() {
        String yaml = MINIMAL.replace("{fsync: off, jit: false, work_mem: 64kB}", "&s {fsync: off}")
                .replace("scripts:", "  pg18:\n    server: 18\n    settings: *s\nscripts:");
        Experiment experiment = ExperimentFile.parse("my.yaml", yaml, Map.of("systems.pg18.settings.fsync", "on"));

        assertThat(experiment.systems().get("pg16").settings()).containsEntry("fsync", "off");
        assertThat(experiment.systems().get("pg18").settings()).containsEntry("fsync", "on");
    }

    @Test
    void optionsSetPathsItemsSettingsAndParameters() {
        Experiment experiment = ExperimentFile.parse(
                "my.yaml",
                MINIMAL,
                Map.of(
                        "load.trials", "3",
                        "load.measured", "250ms",
                        "systems.pg16.server", "16.4",
                        "systems.pg16.settings.auto_explain.log_min_duration", "0",
                        "rows", "7",
                        "comparisons.1.margin", "0.1",
                        "scripts.two", "select 3;",
                        "title", "Other"));

        assertThat(experiment.load().trials()).isEqualTo(3);
        assertThat(experiment.load().measured()).isEqualTo(Duration.ofMillis(250));
        assertThat(experiment.systems().get("pg16").place()).isEqualTo(new Experiment.Place.Embedded("16.4"));
        assertThat(experiment.systems().get("pg16").settings()).containsEntry("auto_explain.log_min_duration", "0");
        assertThat(experiment.systems().get("pg16").setup()).contains("generate_series(1, 7)");
        assertThat(experiment.comparisons().get(0).margin()).isEqualTo(0.1);
        assertThat(experiment.variant("second").scripts().get(0).text()).isEqualTo("select 3;");
        assertThat(experiment.variant("second").scripts().get(0).line()).isZero();
        assertThat(experiment.title()).isEqualTo("Other");
    }

    @Test
    void readsAFileWithAByteOrderMarkAndWindowsLineEnds(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("my.yaml");
        Files.writeString(file, "\uFEFF" + MINIMAL.replace("\n", "\r\n"));

        assertThat(ExperimentFile.read(file).name()).isEqualTo("two-ways");
    }

    @Test
    void aMissingFileAFolderAndABinaryAreRefused(@TempDir Path folder) throws Exception {
        Path binary = Files.write(folder.resolve("b.yaml"), new byte[] {'n', (byte) 0xC3, (byte) 0x28});
        Path large = Files.writeString(folder.resolve("l.yaml"), "#".repeat(ExperimentFile.BYTES_MAX + 1));
        Path accent = Files.write(folder.resolve("a.yaml"), "title: é".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(refusal(folder.resolve("none.yaml")))
                .hasMessage(folder.resolve("none.yaml") + ": no such file")
                .extracting(ExperimentFileException::hint)
                .isEqualTo("built-in experiments: lock-partitions, lock-partitions-aa");
        assertThat(refusal(folder)).hasMessageEndingWith(": is a folder, not an experiment file");
        assertThat(refusal(binary)).hasMessage("b.yaml: is not UTF-8 text");
        assertThat(refusal(accent)).hasMessage("a.yaml: is not UTF-8 text");
        assertThat(refusal(large))
                .hasMessageEndingWith("l.yaml: is 1048577 bytes, an experiment file has at most 1048576");
    }

    @Test
    void anUnknownBuiltInNamesTheNearest() {
        ExperimentFileException refusal =
                catchThrowableOfType(ExperimentFileException.class, () -> ExperimentFile.builtIn("lock-partition"));
        assertThat(refusal).hasMessage("lock-partition: no built-in experiment of this name");
        assertThat(refusal.hint()).isEqualTo("did you mean 'lock-partitions'?");

        refusal = catchThrowableOfType(ExperimentFileException.class, () -> ExperimentFile.builtIn("x"));
        assertThat(refusal.hint()).isEqualTo("experiments: lock-partitions, lock-partitions-aa");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../experiments/lock-partitions", "lock-partitions.yaml", ""})
    void aBuiltInIsANameAndNeverAPath(String name) {
        assertThat(catchThrowableOfType(ExperimentFileException.class, () -> ExperimentFile.builtIn(name)))
                .isNotNull();
    }

    private static ExperimentFileException refusal(Path file) {
        return catchThrowableOfType(ExperimentFileException.class, () -> ExperimentFile.read(file));
    }

    private static Map<String, String> ordered(String... keysAndValues) {
        Map<String, String> map = new java.util.LinkedHashMap<>();
        for (int index = 0; index < keysAndValues.length; index += 2) {
            map.put(keysAndValues[index], keysAndValues[index + 1]);
        }
        return map;
    }
}
