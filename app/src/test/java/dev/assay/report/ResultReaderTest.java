package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Trial;
import dev.assay.lab.compare.StoredRun;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ResultReaderTest {

    private static final ExperimentResult RESULT = SampleResults.experiment();
    private static final String TEXT =
            ResultJson.text(RunReport.of(RESULT), SampleResults.VERSION, SampleResults.GENERATED);

    @Test
    void whatWasWrittenIsReadAgain() {
        StoredRun run = ResultReader.read(TEXT, "here");

        assertThat(run.experiment()).isEqualTo(RESULT.experiment());
        assertThat(run.question()).isEqualTo(RESULT.question());
        assertThat(run.assayVersion()).isEqualTo(SampleResults.VERSION);
        assertThat(run.startedAt()).isEqualTo(RESULT.startedAt());
        assertThat(run.partial()).isTrue();
        assertThat(run.environment()).isEqualTo(RESULT.environment());
        assertThat(run.clients()).isEqualTo(50);
        assertThat(run.trialSeconds()).isEqualTo(30);
        assertThat(run.seed()).isEqualTo(RESULT.seed());
        assertThat(run.signatures()).isEqualTo(RESULT.signatures());
        assertThat(run.variants()).hasSameSizeAs(RESULT.variants());
        for (int i = 0; i < run.variants().size(); i++) {
            StoredRun.Variant variant = run.variants().get(i);
            assertThat(variant.name()).isEqualTo(RESULT.variants().get(i).name());
            assertThat(variant.settings()).isEqualTo(RESULT.variants().get(i).settings());
            assertThat(variant.statement()).isEqualTo(RESULT.variants().get(i).statement());
            assertThat(variant.checks()).isEqualTo(RESULT.variants().get(i).checks());
        }
        assertThat(run.trials()).hasSameSizeAs(RESULT.trials());
        for (int i = 0; i < run.trials().size(); i++) {
            Trial read = run.trials().get(i);
            Trial written = RESULT.trials().get(i);
            assertThat(read.failure()).isEqualTo(written.failure());
            assertThat(read.round()).isEqualTo(written.round());
            assertThat(read.variant()).isEqualTo(written.variant());
            assertThat(read.values()).containsOnlyKeys(written.values().keySet());
            written.values()
                    .forEach((name, value) ->
                            assertThat(read.values().get(name)).isCloseTo(value, within(value * 1e-8)));
        }
    }

    /** A document that breaks off anywhere is told so, whatever stands at its end. */
    @Test
    void whatBreaksOffIsToldWithItsLine() {
        for (int length = 0; length < TEXT.length() - 2; length += 97) {
            String cut = TEXT.substring(0, length);
            assertThatExceptionOfType(ResultFileException.class)
                    .isThrownBy(() -> ResultReader.read(cut, "here"))
                    .satisfies(e -> assertThat(e.getMessage())
                            .startsWith("here is not ")
                            .doesNotContain("\n"))
                    .satisfies(e -> assertThat(e.hint()).isNotBlank());
        }
    }

    /** Any one value replaced by something else is read or told, never anything else. */
    @Test
    void whatIsDamagedIsToldWithItsPlace() throws Exception {
        long seed = 9_265_358L;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        ObjectMapper mapper = new ObjectMapper();
        int told = 0;
        for (int i = 0; i < 300; i++) {
            ObjectNode document = (ObjectNode) mapper.readTree(TEXT);
            damage(document, random);
            try {
                ResultReader.read(mapper.writeValueAsString(document), "here");
            } catch (ResultFileException e) {
                told++;
                assertThat(e.getMessage()).startsWith("here ").doesNotContain("\n");
            }
        }
        assertThat(told).isGreaterThan(20);
    }

    private static void damage(JsonNode root, Random random) {
        JsonNode at = root;
        while (true) {
            List<String> names = new ArrayList<>();
            for (Iterator<Map.Entry<String, JsonNode>> each = at.fields(); each.hasNext(); ) {
                names.add(each.next().getKey());
            }
            if (at instanceof ArrayNode list && !list.isEmpty()) {
                at = list.get(random.nextInt(list.size()));
                if (at.isValueNode()) {
                    return;
                }
                continue;
            }
            if (!(at instanceof ObjectNode object) || names.isEmpty()) {
                return;
            }
            String name = names.get(random.nextInt(names.size()));
            if (object.get(name).isContainerNode() && random.nextInt(3) > 0) {
                at = object.get(name);
                continue;
            }
            switch (random.nextInt(4)) {
                case 0 -> object.remove(name);
                case 1 -> object.put(name, "text");
                case 2 -> object.put(name, -1.5);
                default -> object.putArray(name);
            }
            return;
        }
    }

    @Test
    void anotherDocumentIsToldByItsKind() {
        assertThatExceptionOfType(ResultFileException.class)
                .isThrownBy(() -> ResultReader.read("{\"kind\": \"diagnose\"}", "here"))
                .withMessage("here is not the result of an experiment: its kind is diagnose");
        assertThatExceptionOfType(ResultFileException.class)
                .isThrownBy(() -> ResultReader.read("[]", "here"))
                .withMessageContaining("it has no 'kind'");
        assertThatExceptionOfType(ResultFileException.class)
                .isThrownBy(() ->
                        ResultReader.read(TEXT.replace("\"schema_version\" : 1", "\"schema_version\" : 2"), "here"))
                .withMessage("here has schema version 2, this Assay reads 1");
        assertThatExceptionOfType(ResultFileException.class)
                .isThrownBy(() -> ResultReader.read(TEXT.replace("\"round\" : 6", "\"round\" : \"six\""), "here"))
                .withMessageMatching("here is damaged: /trials/\\d+/round is not a whole number");
    }
}
