package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A very small experiment, run twice and compared; the limits are so far from 1 that no noise of a machine reaches them. */
final class CompareIT {

    private static final Duration RUN_MAX = Duration.ofSeconds(120);

    /** The second variant sleeps for 100 ms, so it does at most 40 transactions a second with 4 clients. */
    private static final String EXPERIMENT = Experiments.SMALL
            .replace("trials: 4", "trials: 6")
            .replace("measured: 1s", "measured: 700ms")
            .replace("variants:\n", "  sleep: |\n    select count(*) from numbers, pg_sleep(0.1);\nvariants:\n")
            .replace("""
                  second:
                    system: only
                    script: count
                """, """
                  second:
                    system: only
                    script: sleep
                    checks:
                      all numbers are there: select count(*) = 100 from numbers
                """);

    @TempDir
    static Path folder;

    private static Path before;
    private static Path after;

    @BeforeAll
    static void runTwice() throws Exception {
        Path file = Files.writeString(folder.resolve("small.yaml"), EXPERIMENT);
        before = folder.resolve("before");
        after = folder.resolve("after");
        Path junit = folder.resolve("reports/run.xml");
        Outcome first = AssayCommand.of(
                        "lab",
                        "run",
                        file.toString(),
                        "-o",
                        before.toString(),
                        "--expect",
                        "tps<=0.9",
                        "--junit",
                        junit.toString())
                .in(folder)
                .within(RUN_MAX)
                .run()
                .assertDone();
        assertThat(first.out()).containsPattern("EXPECTATIONS\n  HELD +tps<=0.9, first → second: 0\\.\\d+×");
        Element suite = suite(junit);
        assertThat(names(suite, "testcase"))
                .containsExactly(
                        "tps<=0.9 first → second",
                        "first → second transactions_per_second",
                        "second all numbers are there");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        JsonNode document = Schemas.document("lab-run", Files.readString(before.resolve("result.json")));
        assertThat(document.at("/expectations/0/outcome").asText()).isEqualTo("held");
        Outcome second = AssayCommand.of(
                        "lab",
                        "run",
                        file.toString(),
                        "-o",
                        after.toString(),
                        "--seed",
                        "7",
                        "--json",
                        "--expect",
                        "second.tps>=0.9")
                .in(folder)
                .within(RUN_MAX)
                .run()
                .assertExit(3);
        assertThat(second.err()).isEmpty();
        assertThat(Schemas.document("lab-run", second.out())
                        .at("/expectations/0/outcome")
                        .asText())
                .isEqualTo("contradicted");
    }

    private static AssayCommand compare(String... more) {
        return AssayCommand.of("lab", "compare", before.toString(), after.toString())
                .and(more)
                .in(folder);
    }

    @ParameterizedTest
    @CsvSource({
        "tps>=0.0001, held, 0",
        "second.latency_p99<=10000, held, 0",
        "tps>=10000, contradicted, 3",
        "first.tps<0.0001, contradicted, 3"
    })
    void theExitCodeIsTheAnswer(String expectation, String outcome, int exitCode) throws Exception {
        Path junit = folder.resolve("compare.xml");
        Outcome done = compare("--expect", expectation, "--junit", junit.toString(), "--json")
                .run()
                .assertExit(exitCode);
        assertThat(done.err()).isEmpty();
        JsonNode document = Schemas.document("lab-compare", done.out());
        assertThat(document.at("/experiment").asText()).isEqualTo("small");
        assertThat(document.at("/expectations"))
                .isNotEmpty()
                .allMatch(one -> one.at("/outcome").asText().equals(outcome));
        assertThat(document.at("/differences/0/what").asText()).isEqualTo("seed");
        List<String> failures = names(suite(junit), "failure");
        assertThat(failures)
                .hasSize(exitCode == 0 ? 0 : document.at("/expectations").size());
    }

    /** Where the interval of the run with itself begins nothing is decided, for its middle is exactly 1. */
    @Test
    void whatTheTrialsDoNotDecideIsFour() throws Exception {
        Path junit = folder.resolve("undecided.xml");
        Outcome undecided = AssayCommand.of(
                        "lab",
                        "compare",
                        before.toString(),
                        before.toString(),
                        "--expect",
                        "first.tps>1",
                        "--junit",
                        junit.toString())
                .in(folder)
                .run()
                .assertExit(4);
        assertThat(undecided.err()).isEmpty();
        assertThat(undecided.out())
                .contains("Both folders hold one and the same run.")
                .containsPattern("UNDECIDED +first.tps>1, first, after / before: 1\\.0");
        assertThat(names(suite(junit), "skipped")).isNotEmpty();
        // What is contradicted wins over what is undecided.
        AssayCommand.of("lab", "compare", before.toString(), before.toString())
                .and("--expect", "first.tps>1", "--expect", "tps>=10000")
                .in(folder)
                .run()
                .assertExit(3);
    }

    @Test
    void theTableSaysThatNothingCancelsDrift() throws Exception {
        Outcome outcome = compare().run().assertDone();
        assertThat(outcome.out())
                .startsWith("small: two runs compared\nDo two equal statements differ?\n")
                .contains("\n  seed: 2025 before, 7 after\n", "The runs were not interleaved")
                .containsPattern("\nfirst\n  metric +before +after +after / before +verdict\n  transactions/s ")
                .doesNotContain("EXPECTATIONS", "\u001b");
    }

    @Test
    void aCheckThatFailsAfterwardsIsThree() throws Exception {
        Path broken = Files.createDirectories(folder.resolve("broken"));
        String text = Files.readString(after.resolve("result.json"));
        String failing = text.replaceFirst("\"ok\" : true", "\"ok\" : false");
        assertThat(failing).isNotEqualTo(text);
        Files.writeString(broken.resolve("result.json"), failing);
        Outcome outcome = AssayCommand.of("lab", "compare", before.toString(), broken.toString())
                .in(folder)
                .run()
                .assertExit(3);
        assertThat(outcome.out()).contains("WRONG: second fails the check 'all numbers are there'");
    }

    @Test
    void whatCannotBeReadIsToldInOneLine() throws Exception {
        Path empty = Files.createDirectories(folder.resolve("empty"));
        Path begun = Files.createDirectories(folder.resolve("begun"));
        Files.writeString(begun.resolve(".result.json.new"), "{");
        Path half = Files.createDirectories(folder.resolve("half"));
        String text = Files.readString(after.resolve("result.json"));
        Files.writeString(half.resolve("result.json"), text.substring(0, text.length() / 2));
        Path bytes = Files.createDirectories(folder.resolve("bytes"));
        Files.write(bytes.resolve("result.json"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.writeString(
                other.resolve("result.json"), text.replace("\"experiment\" : \"small\"", "\"experiment\" : \"large\""));

        assertThat(fails(folder.resolve("missing"))).contains("there is no folder", "missing");
        assertThat(fails(empty)).contains("empty holds no result.json");
        assertThat(fails(begun)).contains("holds a result that was not written to its end");
        assertThat(fails(half)).containsPattern("half/result.json is not a whole JSON document: .* at line \\d+");
        assertThat(fails(bytes)).contains("is not text in UTF-8");
        assertThat(fails(other)).contains("one of large").contains("holds a run of small");
    }

    private static String fails(Path wrong) throws Exception {
        return AssayCommand.of("lab", "compare", before.toString(), wrong.toString(), "--json")
                .in(folder)
                .run()
                .assertFailed(1)
                .problem();
    }

    @Test
    void anExpectationThatCannotBeReadIsASlip() throws Exception {
        Outcome operator = compare("--expect", "tps=>0.98").run().assertFailed(2);
        assertThat(operator.problem()).isEqualTo("--expect 'tps=>0.98', character 4: '=>' is no operator");
        assertThat(operator.hint()).contains("--expect 'tps>=0.98'");
        Outcome metric = compare("--expect", "speed>=1").run().assertFailed(2);
        assertThat(metric.problem()).contains("unknown metric 'speed'");
        assertThat(metric.hint()).contains("tps", "latency_p99");
        assertThat(compare("--expect", "third.tps>=1").run().assertFailed(2).hint())
                .isEqualTo("Variants: first, second.");
        // Before any server starts: a run of this experiment takes longer than the bound.
        Outcome run = AssayCommand.of("lab", "run", folder.resolve("small.yaml").toString(), "--expect", "first.tps>=1")
                .in(folder)
                .run()
                .assertFailed(2);
        assertThat(run.problem()).contains("no variant 'first' is compared");
        assertThat(run.hint()).isEqualTo("Variants: second.");
        Outcome file = compare("--junit", folder.toString()).run().assertFailed(1);
        assertThat(file.problem()).contains("it is a folder");
        assertThat(file.hint()).contains("--junit");
    }

    private static Element suite(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        Document document = factory.newDocumentBuilder().parse(file.toFile());
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("testsuite");
        return document.getDocumentElement();
    }

    /** Of every element with this tag its {@code name}, or its message when it has none. */
    private static List<String> names(Element suite, String tag) {
        List<String> names = new ArrayList<>();
        NodeList found = suite.getElementsByTagName(tag);
        for (int i = 0; i < found.getLength(); i++) {
            Element one = (Element) found.item(i);
            names.add(one.hasAttribute("name") ? one.getAttribute("name") : one.getAttribute("message"));
        }
        return names;
    }
}
