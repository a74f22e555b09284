package dev.assay.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.assay.lab.Environment;
import dev.assay.lab.Signature;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.compare.StoredRun;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document that {@link ResultJson} wrote, as far as a comparison of runs needs it. Members that it does not know are left alone, so
 * that what a newer minor version adds does not matter; a member that is missing or has another type is told with its place.
 */
public final class ResultReader {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final String source;

    private ResultReader(String source) {
        this.source = source;
    }

    /**
     * Reads.
     *
     * @param text the whole document
     * @param source where it comes from, for people
     * @throws ResultFileException when it is not whole, not JSON or not the result of an experiment
     */
    public static StoredRun read(String text, String source) {
        JsonNode document;
        try {
            document = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new ResultFileException(
                    source + " is not a whole JSON document: it breaks off or is damaged at line " + line,
                    "Was it copied in part? Copy it again, or run the experiment again with -o.",
                    e);
        }
        return new ResultReader(source).run(document);
    }

    private StoredRun run(JsonNode document) {
        String kind = document.path("kind").asText("");
        if (!kind.equals(ResultJson.KIND)) {
            throw new ResultFileException(
                    source + " is not the result of an experiment: "
                            + (kind.isEmpty() ? "it has no 'kind'" : "its kind is " + kind),
                    "Name the folder that 'assay lab run NAME -o DIR' wrote.",
                    null);
        }
        int version = integer(document, "", "schema_version");
        if (version != JsonShapes.SCHEMA_VERSION) {
            throw new ResultFileException(
                    source + " has schema version " + version + ", this Assay reads " + JsonShapes.SCHEMA_VERSION,
                    "Compare with the version of Assay that wrote it: " + text(document, "", "assay_version") + ".",
                    null);
        }
        return new StoredRun(
                source,
                text(document, "", "assay_version"),
                text(document, "", "experiment"),
                text(document, "", "question"),
                instant(document),
                member(document, "", "partial", JsonNode::isBoolean, "true or false")
                        .asBoolean(),
                environment(member(document, "", "environment", JsonNode::isObject, "an object")),
                integer(document, "", "clients"),
                member(document, "", "trial_seconds", JsonNode::isNumber, "a number")
                        .asDouble(),
                seed(document),
                variants(document),
                signatures(document),
                trials(document));
    }

    private Instant instant(JsonNode document) {
        String text = text(document, "", "started_at");
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw damaged("/started_at", "a time in UTC", e);
        }
    }

    private long seed(JsonNode document) {
        String text = text(document, "", "seed");
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw damaged("/seed", "a whole number as a string", e);
        }
    }

    private Environment environment(JsonNode node) {
        String at = "/environment";
        return new Environment(
                integer(node, at, "cores"),
                member(node, at, "memory_bytes", JsonNode::canConvertToLong, "a whole number")
                        .asLong(),
                text(node, at, "operating_system"),
                text(node, at, "java"),
                text(node, at, "processor"));
    }

    private List<StoredRun.Variant> variants(JsonNode document) {
        List<StoredRun.Variant> variants = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode node : list(document, "", "variants")) {
            String at = "/variants/" + variants.size();
            Map<String, String> settings = new LinkedHashMap<>();
            member(node, at, "settings", JsonNode::isObject, "an object")
                    .properties()
                    .forEach(setting ->
                            settings.put(setting.getKey(), setting.getValue().asText()));
            List<VariantResult.Check> checks = new ArrayList<>();
            for (JsonNode check : list(node, at, "checks")) {
                String place = at + "/checks/" + checks.size();
                checks.add(new VariantResult.Check(
                        text(check, place, "name"), truth(check, place, "ok"), text(check, place, "detail")));
            }
            String name = text(node, at, "name");
            if (!names.add(name)) {
                throw damaged(at + "/name", "a name of its own", null);
            }
            variants.add(new StoredRun.Variant(
                    name,
                    text(node, at, "server_version"),
                    settings,
                    text(node, at, "statement"),
                    truth(node, at, "answers_same"),
                    checks));
        }
        return variants;
    }

    private List<Signature> signatures(JsonNode document) {
        List<Signature> signatures = new ArrayList<>();
        for (JsonNode node : list(document, "", "signatures")) {
            String at = "/signatures/" + signatures.size();
            signatures.add(new Signature(
                    text(node, at, "name"), text(node, at, "expected"), text(node, at, "seen"), truth(node, at, "ok")));
        }
        return signatures;
    }

    private List<Trial> trials(JsonNode document) {
        List<Trial> trials = new ArrayList<>();
        for (JsonNode node : list(document, "", "trials")) {
            String at = "/trials/" + trials.size();
            JsonNode failure = node.path("failure");
            if (!failure.isNull() && !failure.isTextual()) {
                throw damaged(at + "/failure", "a text or null", null);
            }
            trials.add(new Trial(
                    integer(node, at, "round"),
                    integer(node, at, "order"),
                    text(node, at, "variant"),
                    failure.isNull() ? null : failure.asText(),
                    values(node, at)));
        }
        return trials;
    }

    /** A value that is null was not a number when it was written; it stays one that no ratio can be made of. */
    private Map<String, Double> values(JsonNode trial, String at) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> value :
                member(trial, at, "values", JsonNode::isObject, "an object").properties()) {
            if (!value.getValue().isNumber() && !value.getValue().isNull()) {
                throw damaged(at + "/values/" + value.getKey(), "a number or null", null);
            }
            values.put(
                    value.getKey(),
                    value.getValue().isNull() ? Double.NaN : value.getValue().asDouble());
        }
        return values;
    }

    private JsonNode list(JsonNode node, String at, String name) {
        return member(node, at, name, JsonNode::isArray, "a list");
    }

    private String text(JsonNode node, String at, String name) {
        return member(node, at, name, JsonNode::isTextual, "a text").asText();
    }

    private boolean truth(JsonNode node, String at, String name) {
        return member(node, at, name, JsonNode::isBoolean, "true or false").asBoolean();
    }

    private int integer(JsonNode node, String at, String name) {
        return member(node, at, name, JsonNode::canConvertToInt, "a whole number")
                .asInt();
    }

    private JsonNode member(JsonNode node, String at, String name, Predicate<JsonNode> right, String type) {
        JsonNode member = node.path(name);
        if (!right.test(member)) {
            throw damaged(at + "/" + name, type, null);
        }
        return member;
    }

    private ResultFileException damaged(String place, String type, @Nullable Throwable cause) {
        return new ResultFileException(
                source + " is damaged: " + place + " is not " + type,
                "Was it edited? Run the experiment again with -o.",
                cause);
    }
}
