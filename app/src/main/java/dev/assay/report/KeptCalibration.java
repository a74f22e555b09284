package dev.assay.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A document of kind {@code calibration} that an earlier {@code assay lab calibrate} wrote, for the reports of later runs. */
public final class KeptCalibration {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int DAY = "2026-11-30".length();

    private final ObjectNode document;

    private KeptCalibration(ObjectNode document) {
        this.document = document;
    }

    /** Reads it; empty when the text is none that this version understands. */
    public static Optional<KeptCalibration> read(String text) {
        try {
            return MAPPER.readTree(text) instanceof ObjectNode document
                            && document.path("kind").asText().equals(CalibrationJson.KIND)
                            && document.path("schema_version").asInt() == JsonShapes.SCHEMA_VERSION
                            && !document.path("results").isEmpty()
                    ? Optional.of(new KeptCalibration(document))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** The whole document. */
    ObjectNode document() {
        return document.deepCopy();
    }

    /**
     * What it says, for people: {@code client CPU per transaction, engine / pgbench 15.18: select-only 0.93× [0.92–0.95] ...; ...}.
     */
    String sentence() {
        List<String> figures = new ArrayList<>();
        for (JsonNode result : document.path("results")) {
            figures.add(String.format(
                    Locale.ROOT,
                    "%s over %s %s",
                    result.path("workload").asText(),
                    result.path("transport").asText().equals("tcp") ? "TCP" : "socket",
                    interval(result.path("cpu_ratio"))));
        }
        String made = document.path("generated_at").asText();
        return "client CPU per transaction, engine / "
                + document.path("pgbench").asText().replaceFirst("^pgbench \\(PostgreSQL\\) (\\S+).*", "pgbench $1")
                + ": "
                + String.join(", ", figures)
                + " ("
                + made.substring(0, Math.min(DAY, made.length()))
                + ", Assay "
                + document.path("assay_version").asText()
                + ", "
                + Words.count(document.path("pairs").asInt(), "pair")
                + ")";
    }

    private static String interval(JsonNode interval) {
        double ratio = interval.path("ratio").asDouble(Double.NaN);
        double low = interval.path("low").asDouble(Double.NaN);
        double high = interval.path("high").asDouble(Double.NaN);
        return Words.ratio(ratio, low, high);
    }
}
