package dev.assay.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.Remedy;
import dev.assay.evidence.Unavailable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** The parts that several documents share. Numbers keep nine significant digits; what is not a finite number becomes null. */
final class JsonShapes {

    static final int SCHEMA_VERSION = 1;

    private static final MathContext DIGITS = new MathContext(9);
    private static final double INTEGER_MAX = 1e15;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonShapes() {}

    static ObjectNode object() {
        return NODES.objectNode();
    }

    /** The members that every document begins with. */
    static ObjectNode envelope(
            String kind, String assayVersion, Instant generatedAt, boolean partial, List<Unavailable> unavailable) {
        ObjectNode document = object();
        document.put("schema_version", SCHEMA_VERSION);
        document.put("kind", kind);
        document.put("assay_version", assayVersion);
        document.put("generated_at", time(generatedAt));
        document.put("partial", partial);
        ArrayNode list = document.putArray("unavailable");
        for (Unavailable missing : unavailable) {
            list.addObject().put("what", missing.what()).put("why", missing.why());
        }
        return document;
    }

    /** UTC, ISO 8601, milliseconds at most. */
    static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static void number(ObjectNode node, String name, double value) {
        if (!Double.isFinite(value)) {
            node.putNull(name);
        } else if (value == Math.rint(value) && Math.abs(value) < INTEGER_MAX) {
            node.put(name, (long) value);
        } else {
            node.put(name, BigDecimal.valueOf(value).round(DIGITS).doubleValue());
        }
    }

    static String constant(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static void strings(ObjectNode node, String name, List<String> values) {
        ArrayNode list = node.putArray(name);
        values.forEach(list::add);
    }

    static ObjectNode finding(Finding finding) {
        ObjectNode node = object();
        node.put("rule", finding.rule());
        node.put("fingerprint", finding.fingerprint());
        node.put("title", finding.title());
        node.put("severity", constant(finding.severity()));
        node.put("confidence", constant(finding.confidence()));
        node.put("summary", finding.summary());
        number(node, "share_of_database_time", finding.shareOfDatabaseTime());
        ArrayNode evidence = node.putArray("evidence");
        finding.evidence().forEach(figure -> {
            ObjectNode one = evidence.addObject().put("metric", figure.metric());
            number(one, "value", figure.value());
            one.put("unit", figure.unit());
            one.put("samples", figure.samples());
            one.put("source", figure.source());
            one.put("at_least", figure.atLeast());
        });
        ArrayNode culprits = node.putArray("culprits");
        finding.culprits()
                .forEach(culprit -> culprits.addObject()
                        .put("kind", culprit.kind())
                        .put("name", culprit.name())
                        .put("detail", culprit.detail()));
        ArrayNode remedies = node.putArray("remedies");
        finding.remedies().forEach(remedy -> remedies.add(remedy(remedy)));
        ArrayNode refuted = node.putArray("refuted");
        finding.refuted()
                .forEach(
                        rival -> refuted.addObject().put("cause", rival.cause()).put("because", rival.because()));
        node.put("because_of", finding.becauseOf());
        return node;
    }

    private static ObjectNode remedy(Remedy remedy) {
        return object().put("id", remedy.id())
                .put("action", remedy.action())
                .put("sql", remedy.sql())
                .put("effect", remedy.effect())
                .put("risk", remedy.risk())
                .put("restart", remedy.restart())
                .put("proves", remedy.proves())
                .put("measured", remedy.measured());
    }

    /** The document as text: indented, line feeds, one at the end. */
    static String text(ObjectNode document) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
        return write(document, printer) + "\n";
    }

    /** The document in one line that can stand inside an HTML script element: no {@code <}, {@code >} or {@code &}. */
    static String textInScript(ObjectNode document) {
        try {
            return MAPPER.writeValueAsString(document)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026")
                    .replace("\u2028", "\\u2028")
                    .replace("\u2029", "\\u2029");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values cannot be written as JSON", e);
        }
    }

    private static String write(ObjectNode document, DefaultPrettyPrinter printer) {
        try {
            return MAPPER.writer(printer).writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values cannot be written as JSON", e);
        }
    }
}
