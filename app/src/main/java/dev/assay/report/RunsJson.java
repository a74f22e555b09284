package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.Metric;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.lab.compare.RunComparison;
import dev.assay.lab.compare.RunsComparison;
import dev.assay.lab.compare.StoredRun;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two runs compared, as a JSON document of kind {@code lab_compare}; its shape is published in
 * {@code dev/assay/schema/lab-compare.schema.json}. A figure that is not there is null, never NaN.
 */
public final class RunsJson {

    /** The value of {@code kind}. */
    public static final String KIND = "lab_compare";

    private RunsJson() {}

    /** The document as text, indented, with a line feed at the end. */
    public static String text(
            RunsComparison runs, List<ExpectationResult> expectations, String assayVersion, Instant generatedAt) {
        return JsonShapes.text(document(runs, expectations, assayVersion, generatedAt));
    }

    /** The document as a tree. */
    public static ObjectNode document(
            RunsComparison runs, List<ExpectationResult> expectations, String assayVersion, Instant generatedAt) {
        boolean partial = runs.before().partial() || runs.after().partial();
        ObjectNode document = JsonShapes.envelope(KIND, assayVersion, generatedAt, partial, List.of());
        document.put("experiment", runs.after().experiment());
        document.put("question", runs.after().question());
        document.put("interleaved", false);
        JsonShapes.number(document, "margin", runs.margin());
        document.set("before", run(runs.before()));
        document.set("after", run(runs.after()));
        ArrayNode differences = document.putArray("differences");
        for (RunsComparison.Difference difference : runs.differences()) {
            differences
                    .addObject()
                    .put("what", difference.what())
                    .put("before", difference.before())
                    .put("after", difference.after());
        }
        JsonShapes.strings(document, "only_before", runs.onlyBefore());
        JsonShapes.strings(document, "only_after", runs.onlyAfter());
        ArrayNode comparisons = document.putArray("comparisons");
        runs.rows().forEach(row -> comparisons.add(row(row)));
        ExpectationJson.addTo(document, expectations);
        JsonShapes.strings(document, "keep_in_mind", RunsWords.doubts(runs));
        return document;
    }

    private static ObjectNode run(StoredRun run) {
        ObjectNode node = JsonShapes.object();
        node.put("source", run.source());
        node.put("assay_version", run.assayVersion());
        node.put("started_at", JsonShapes.time(run.startedAt()));
        node.put("partial", run.partial());
        node.put("clients", run.clients());
        JsonShapes.number(node, "trial_seconds", run.trialSeconds());
        node.put("seed", Long.toString(run.seed()));
        node.put("trials", run.trials().size());
        return node;
    }

    private static ObjectNode row(RunComparison row) {
        ObjectNode node = JsonShapes.object();
        node.put("variant", row.variant());
        node.put("metric", row.metric());
        node.put("unit", row.unit());
        figure(node, "before", row.before());
        figure(node, "after", row.after());
        JsonShapes.number(node, "ratio", row.interval().ratio());
        JsonShapes.number(node, "low", row.interval().low());
        JsonShapes.number(node, "high", row.interval().high());
        JsonShapes.number(node, "level", row.interval().level());
        JsonShapes.number(node, "margin", row.margin());
        node.put("verdict", JsonShapes.constant(row.verdict()));
        node.put("further_trials", row.furtherTrials());
        node.put("wrong", row.wrong());
        return node;
    }

    private static void figure(ObjectNode node, String name, @Nullable Metric metric) {
        if (metric == null) {
            node.putNull(name);
            return;
        }
        ObjectNode one = node.putObject(name);
        JsonShapes.number(one, "median", metric.median());
        JsonShapes.number(one, "low", metric.low());
        JsonShapes.number(one, "high", metric.high());
        JsonShapes.number(one, "level", metric.level());
        one.put("trials", metric.trials());
    }
}
