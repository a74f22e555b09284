package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.assay.lab.VariantResult;
import dev.assay.lab.compare.Expectation;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.lab.compare.Runs;
import dev.assay.lab.compare.RunsComparison;
import dev.assay.lab.compare.StoredRun;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** The XML as a parser sees it. */
final class JUnitReportTest {

    @Test
    void aRunHasACaseForEachExpectationComparisonCheckAndSignature() throws Exception {
        List<ExpectationResult> results =
                ExpectationResult.of(List.of(Expectation.parse("tps>=2")), SampleResults.experiment());
        Element suite = suite(JUnitReport.of(SampleResults.experiment(), results));

        assertThat(suite.getAttribute("name")).isEqualTo("lock-partitions");
        assertThat(cases(suite, "expectations"))
                .extracting(JUnitReportTest::status)
                .containsExactly("system-out", "failure");
        assertThat(cases(suite, "comparisons"))
                .extracting(JUnitReportTest::status)
                .containsExactly("system-out", "skipped");
        assertThat(cases(suite, "signatures"))
                .hasSize(4)
                .allMatch(one -> status(one).equals("system-out"));
        assertThat(cases(suite, "checks"))
                .hasSize(3)
                .allMatch(one -> status(one).equals("system-out"));
        assertThat(cases(suite, "trials")).extracting(JUnitReportTest::status).containsExactly("error");
        Element failure = (Element) cases(suite, "expectations")
                .get(1)
                .getElementsByTagName("failure")
                .item(0);
        assertThat(failure.getAttribute("message"))
                .startsWith("contradicted: tps>=2, sixty-16-slots → sixty-256-slots: 1.1")
                .isEqualTo(failure.getTextContent());
        assertThat(failure.getAttribute("type")).isEqualTo("expectations");
    }

    @Test
    void twoRunsHaveACaseForEachVariantAndMetric() throws Exception {
        StoredRun before = Runs.run("before", 1, Runs.variant("with", "16.13"), Runs.trials("with", 1000, 20));
        StoredRun after = Runs.run(
                "after",
                2,
                Runs.variant("with", "16.14", new VariantResult.Check("books", false, "answered f")),
                Runs.trials("with", 1000, 20));
        Element suite = suite(JUnitReport.of(RunsComparison.of(before, after, 0.05), List.of()));

        assertThat(cases(suite, "comparisons"))
                .extracting(one -> one.getAttribute("name"), JUnitReportTest::status)
                .containsExactly(
                        tuple("with transactions_per_second", "failure"), tuple("with latency_p99", "failure"));
        assertThat(cases(suite, "checks")).extracting(JUnitReportTest::status).containsExactly("failure");
        assertThat(suite.getElementsByTagName("property").getLength()).isEqualTo(6);
    }

    /** Names with whatever characters: the document stays well-formed and, where XML can hold them, they come back. */
    @Test
    void anyNameIsWellFormed() throws Exception {
        long seed = 3_141_592L;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<JUnitXml.Case> cases = new ArrayList<>();
        cases.add(new JUnitXml.Case("g", "<a b=\"c\">&amp;]]></a>", JUnitXml.Status.FAILED, "]]> & <!-- \" ' -->"));
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = 1 + random.nextInt(20); length > 0; length--) {
                text.append((char) (random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x10000)));
            }
            JUnitXml.Status[] all = JUnitXml.Status.values();
            cases.add(new JUnitXml.Case("g", text.toString(), all[random.nextInt(all.length)], text.toString()));
        }
        Element suite = suite(JUnitXml.text("a\u0000<b>", Map.of("k\"<", "v\ud800&"), cases));

        assertThat(suite.getAttribute("name")).isEqualTo("a\ufffd<b>");
        List<Element> read = cases(suite, "g");
        assertThat(read).hasSameSizeAs(cases);
        assertThat(read.get(0).getAttribute("name")).isEqualTo("<a b=\"c\">&amp;]]></a>");
        assertThat(read.get(0).getElementsByTagName("failure").item(0).getTextContent())
                .isEqualTo("]]> & <!-- \" ' -->");
    }

    /** What Surefire's schema asks of the root, of its counts and of every case. */
    static Element suite(String xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        Element suite = document.getDocumentElement();
        assertThat(suite.getTagName()).isEqualTo("testsuite");
        List<Element> cases = children(suite, "testcase");
        assertThat(suite.getAttribute("tests")).isEqualTo(Integer.toString(cases.size()));
        assertThat(suite.getAttribute("failures")).isEqualTo(count(suite, "failure"));
        assertThat(suite.getAttribute("errors")).isEqualTo(count(suite, "error"));
        assertThat(suite.getAttribute("skipped")).isEqualTo(count(suite, "skipped"));
        assertThat(cases).allSatisfy(one -> {
            assertThat(one.hasAttribute("name")).isTrue();
            assertThat(one.getAttribute("time")).isEqualTo("0");
            assertThat(one.getAttribute("classname")).startsWith("assay.");
            assertThat(children(one, null)).hasSize(1);
            Element child = children(one, null).get(0);
            assertThat(child.getTagName()).isIn("failure", "error", "skipped", "system-out");
            assertThat(child.hasAttribute("type"))
                    .isEqualTo(child.getTagName().equals("failure")
                            || child.getTagName().equals("error"));
        });
        return suite;
    }

    private static String count(Element suite, String tag) {
        return Integer.toString(suite.getElementsByTagName(tag).getLength());
    }

    private static List<Element> cases(Element suite, String group) {
        return children(suite, "testcase").stream()
                .filter(one -> one.getAttribute("classname").endsWith("." + group))
                .toList();
    }

    private static String status(Element one) {
        return children(one, null).get(0).getTagName();
    }

    private static List<Element> children(Element parent, String tag) {
        List<Element> children = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element
                    && (tag == null || element.getTagName().equals(tag))) {
                children.add(element);
            }
        }
        return children;
    }
}
