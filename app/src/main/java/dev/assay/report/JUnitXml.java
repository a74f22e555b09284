package dev.assay.report;

import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A test suite as XML of the shape that Surefire writes and that every CI server reads ({@code surefire-test-report.xsd}): one
 * {@code testsuite} with {@code properties}, then a {@code testcase} each with at most one of {@code failure}, {@code skipped} and
 * {@code error}, then {@code system-out}.
 *
 * <p>Names come from files and servers. What XML 1.0 cannot hold at all, not even escaped (most control characters, lone halves of surrogate
 * pairs, U+FFFE and U+FFFF), becomes U+FFFD.
 */
final class JUnitXml {

    private static final int REPLACEMENT = 0xFFFD;

    private JUnitXml() {}

    /** How a case ended. */
    enum Status {
        PASSED,
        FAILED,
        SKIPPED,
        ERROR
    }

    /**
     * One test case.
     *
     * @param group of cases of a kind; with the suite's name it makes the class name
     * @param message one sentence; written out whatever the status
     */
    record Case(String group, String name, Status status, String message) {}

    /**
     * The document, with a line feed at the end.
     *
     * @param properties name to value, in order
     */
    static String text(String suite, Map<String, String> properties, List<Case> cases) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            line(xml, 0);
            xml.writeStartElement("testsuite");
            attribute(xml, "name", suite);
            attribute(xml, "time", "0");
            attribute(xml, "tests", Integer.toString(cases.size()));
            attribute(xml, "errors", count(cases, Status.ERROR));
            attribute(xml, "skipped", count(cases, Status.SKIPPED));
            attribute(xml, "failures", count(cases, Status.FAILED));
            line(xml, 1);
            xml.writeStartElement("properties");
            for (Map.Entry<String, String> property : properties.entrySet()) {
                line(xml, 2);
                xml.writeEmptyElement("property");
                attribute(xml, "name", property.getKey());
                attribute(xml, "value", property.getValue());
            }
            line(xml, 1);
            xml.writeEndElement();
            for (Case one : cases) {
                write(xml, suite, one);
            }
            line(xml, 0);
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.flush();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("text cannot be written as XML into memory", e);
        }
        return text + "\n";
    }

    private static void write(XMLStreamWriter xml, String suite, Case one) throws XMLStreamException {
        line(xml, 1);
        xml.writeStartElement("testcase");
        attribute(xml, "name", one.name());
        attribute(xml, "classname", "assay." + suite.replace('.', '_') + "." + one.group());
        attribute(xml, "time", "0");
        line(xml, 2);
        if (one.status() == Status.PASSED) {
            xml.writeStartElement("system-out");
        } else {
            xml.writeStartElement(
                    switch (one.status()) {
                        case FAILED -> "failure";
                        case SKIPPED -> "skipped";
                        default -> "error";
                    });
            attribute(xml, "message", one.message());
            if (one.status() != Status.SKIPPED) {
                attribute(xml, "type", one.group());
            }
        }
        xml.writeCharacters(possible(one.message()));
        xml.writeEndElement();
        line(xml, 1);
        xml.writeEndElement();
    }

    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, possible(value).replaceAll("\\s+", " "));
    }

    private static void line(XMLStreamWriter xml, int depth) throws XMLStreamException {
        xml.writeCharacters("\n" + "  ".repeat(depth));
    }

    private static String count(List<Case> cases, Status status) {
        return Long.toString(
                cases.stream().filter(one -> one.status() == status).count());
    }

    /** The text without characters that no XML document may contain (XML 1.0, production 2). */
    static String possible(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(character -> isPossible(character) ? character : REPLACEMENT)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private static boolean isPossible(int character) {
        return character == '\t'
                || character == '\n'
                || character == '\r'
                || (character >= 0x20 && character <= 0xD7FF)
                || (character >= 0xE000 && character <= 0xFFFD)
                || character >= 0x10000;
    }
}
