package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatrixTest {

    private static final String YAML = """
            name: pools
            title: Pools
            question: How many?
            parameters: {pool: [10, 30], rows: [1k, 2.5k], plain: 7}
            load: {clients: 4, trials: '${plain}'}
            schemas:
              items: create table items as select '${rows}' as size;
              none: select 1;
            systems:
              sized: {server: 16, schema: items}
              fixed: {server: 16, schema: none}
            scripts:
              read: select * from items;
              pooled: select ${pool};
            background:
              beside: {script: pooled}
            variants:
              both:
                title: Both of them
                system: sized
                script: {read: 1, pooled: 2}
                load: {clients: '${pool}'}
              beside: {system: fixed, script: read, background: [beside], title: 'pool of ${pool}'}
              same: {system: fixed, script: read}
            comparisons:
              - {question: "Beside?", baseline: same, candidate: beside}
              - {question: "Sizes?", baseline: beside, candidate: both}
            signatures:
              - {variant: both, relation_locks: {total: 1}}
              - {variant: beside, expect: {metric: latency_p50, times: same, above: 0.1}}
            """;

    @Test
    void everyVariantIsThereForEveryCombinationThatItUses() {
        Experiment experiment = ExperimentFile.parse("m.yaml", YAML, Map.of());

        assertThat(experiment.variants())
                .extracting(Experiment.Variant::name)
                .containsExactly(
                        "both-pool-10-rows-1k",
                        "both-pool-10-rows-2-5k",
                        "both-pool-30-rows-1k",
                        "both-pool-30-rows-2-5k",
                        "beside-pool-10",
                        "beside-pool-30",
                        "same");
        Experiment.Variant both = experiment.variant("both-pool-30-rows-2-5k");
        assertThat(both.title()).isEqualTo("Both of them, pool 30, rows 2.5k");
        assertThat(both.load().clients()).isEqualTo(30);
        assertThat(both.scripts())
                .extracting(Workload.Part::text)
                .containsExactly("select * from items;", "select 30;");
        assertThat(both.scripts()).extracting(Workload.Part::weight).containsExactly(1, 2);
        assertThat(experiment.systems().get(both.system()).setup()).contains("'2.5k' as size");
        assertThat(experiment.systems()).containsOnlyKeys("sized-rows-1k", "sized-rows-2-5k", "fixed");
        Experiment.Variant beside = experiment.variant("beside-pool-10");
        assertThat(beside.title()).isEqualTo("pool of 10");
        assertThat(beside.background()).extracting(Background::name).containsExactly("beside-pool-10");
        assertThat(experiment.variant("same").title()).isEqualTo("same");
        assertThat(experiment.load().trials()).isEqualTo(7);
    }

    @Test
    void comparisonsAndSignaturesFollow() {
        Experiment experiment = ExperimentFile.parse("m.yaml", YAML, Map.of());

        assertThat(experiment.comparisons())
                .extracting(pair -> pair.question() + " " + pair.baseline() + " " + pair.candidate())
                .containsExactly(
                        "Beside?, pool 10 same beside-pool-10",
                        "Beside?, pool 30 same beside-pool-30",
                        "Sizes?, pool 10, rows 1k beside-pool-10 both-pool-10-rows-1k",
                        "Sizes?, pool 10, rows 2.5k beside-pool-10 both-pool-10-rows-2-5k",
                        "Sizes?, pool 30, rows 1k beside-pool-30 both-pool-30-rows-1k",
                        "Sizes?, pool 30, rows 2.5k beside-pool-30 both-pool-30-rows-2-5k");
        assertThat(experiment.signatures()).hasSize(4);
        assertThat(experiment.expected())
                .extracting(expected -> expected.variant() + " " + expected.times())
                .containsExactly("beside-pool-10 same", "beside-pool-30 same");
    }

    @Test
    void anOptionMakesOneValueOfAList() {
        Experiment experiment = ExperimentFile.parse("m.yaml", YAML, Map.of("pool", "5", "rows", "9"));

        assertThat(experiment.variants())
                .extracting(Experiment.Variant::name)
                .containsExactly("both", "beside", "same");
        assertThat(experiment.variant("both").load().clients()).isEqualTo(5);
        assertThat(experiment.comparisons()).hasSize(2);
    }

    @Test
    void whatCannotVaryIsRefusedWithItsLine() {
        for (String[] change : List.of(
                new String[] {
                    "'${plain}'", "'${pool}'", "m.yaml:5: parameter 'pool' has several values, and here stands one"
                },
                new String[] {"[10, 30]", "[]", "m.yaml:4: the values of 'pool' must be different, at least one"},
                new String[] {"[10, 30]", "[10, 10]", "m.yaml:4: the values of 'pool' must be different, at least one"},
                new String[] {"[10, 30]", "[[10], 30]", "m.yaml:4: a value of 'pool' is not one word"},
                new String[] {"clients: '${pool}'", "clients: '${poll}'", "m.yaml:22: unknown parameter '${poll}'"},
                new String[] {
                    "pool: [10, 30]", "pool: [0, 30]", "m.yaml:22: variants.both-pool-0-rows-1k.load.clients is 0"
                })) {
            ExperimentFileException refusal = catchThrowableOfType(
                    ExperimentFileException.class,
                    () -> ExperimentFile.parse("m.yaml", YAML.replace(change[0], change[1]), Map.of()));
            assertThat(refusal).as(change[1]).isNotNull();
            assertThat(refusal.getMessage()).as(change[1]).startsWith(change[2]);
        }
        ExperimentFileException many = catchThrowableOfType(
                ExperimentFileException.class,
                () -> ExperimentFile.parse(
                        "m.yaml",
                        YAML.replace("[10, 30]", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]")
                                .replace("[1k, 2.5k]", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"),
                        Map.of()));
        assertThat(many).hasMessageContaining("the matrix makes more than 100 variants");
    }
}
