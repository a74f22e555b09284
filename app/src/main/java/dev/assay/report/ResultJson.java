package dev.assay.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.diagnose.Diagnosis;
import dev.assay.evidence.Unavailable;
import dev.assay.lab.Comparison;
import dev.assay.lab.Environment;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Metric;
import dev.assay.lab.RelationLocks;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.WaitSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The result of an experiment as a JSON document of kind {@code lab_run}; its shape is published in
 * {@code dev/assay/schema/lab-run.schema.json}.
 *
 * <p>Names are snake_case with the unit last, times are UTC in ISO 8601, the seed is a string because it may exceed what a double holds. A
 * figure that is not there is null, never NaN.
 */
public final class ResultJson {

    /** The value of {@code kind}. */
    public static final String KIND = "lab_run";

    private ResultJson() {}

    /** The document as text, indented, with a line feed at the end. */
    public static String text(RunReport report, String assayVersion, Instant generatedAt) {
        return JsonShapes.text(document(report, assayVersion, generatedAt));
    }

    /** The document as a tree. */
    public static ObjectNode document(RunReport report, String assayVersion, Instant generatedAt) {
        ExperimentResult result = report.result();
        ObjectNode document =
                JsonShapes.envelope(KIND, assayVersion, generatedAt, result.partial(), unavailable(report));
        document.put("experiment", result.experiment());
        document.put("title", result.title());
        document.put("question", result.question());
        document.put("started_at", JsonShapes.time(result.startedAt()));
        JsonShapes.number(document, "took_seconds", result.took().toMillis() / 1000.0);
        document.put("clients", result.clients());
        JsonShapes.number(document, "trial_seconds", result.trialLength().toMillis() / 1000.0);
        document.put("seed", Long.toString(result.seed()));
        document.set("environment", environment(result.environment()));
        KeptCalibration calibration = report.calibration();
        document.set("calibration", calibration == null ? NullNode.getInstance() : calibration.document());
        ArrayNode variants = document.putArray("variants");
        result.variants().forEach(variant -> variants.add(variant(variant)));
        ArrayNode comparisons = document.putArray("comparisons");
        result.comparisons().forEach(comparison -> comparisons.add(comparison(comparison)));
        ArrayNode signatures = document.putArray("signatures");
        result.signatures()
                .forEach(signature -> signatures
                        .addObject()
                        .put("name", signature.name())
                        .put("expected", signature.expected())
                        .put("seen", signature.seen())
                        .put("ok", signature.ok()));
        ExpectationJson.addTo(document, report.expectations());
        findings(document, result.variants());
        ArrayNode trials = document.putArray("trials");
        result.trials().forEach(trial -> trials.add(trial(trial)));
        return document;
    }

    /** What the result lacks, what each variant's diagnosis lacked, and the calibration. */
    static List<Unavailable> unavailable(RunReport report) {
        ExperimentResult result = report.result();
        List<Unavailable> all = new ArrayList<>(result.unavailable());
        for (VariantResult variant : result.variants()) {
            Diagnosis diagnosis = variant.diagnosis();
            if (diagnosis != null) {
                diagnosis.unavailable().stream()
                        .map(missing -> new Unavailable(variant.name() + ": " + missing.what(), missing.why()))
                        .forEach(all::add);
            }
        }
        if (report.calibration() == null) {
            all.add(new Unavailable(
                    "calibration",
                    "the load engine was not compared with pgbench on this machine: assay lab calibrate"));
        }
        return all;
    }

    private static ObjectNode environment(Environment environment) {
        return JsonShapes.object()
                .put("cores", environment.cores())
                .put("memory_bytes", environment.memoryBytes())
                .put("operating_system", environment.operatingSystem())
                .put("java", environment.java())
                .put("processor", environment.processor());
    }

    private static ObjectNode variant(VariantResult variant) {
        ObjectNode node = JsonShapes.object();
        node.put("name", variant.name());
        node.put("title", variant.title());
        node.put("server_version", variant.serverVersion());
        ObjectNode settings = node.putObject("settings");
        variant.settings().forEach(settings::put);
        node.put("statement", variant.statement());
        node.put("answers_same", variant.answersSame());
        ArrayNode metrics = node.putArray("metrics");
        variant.metrics().forEach(metric -> metrics.add(metric(metric)));
        ArrayNode waits = node.putArray("waits");
        for (WaitSlice slice : variant.waits()) {
            ObjectNode one = waits.addObject().put("wait_event", slice.waitEvent());
            JsonShapes.number(one, "share", slice.share());
            JsonShapes.number(one, "micros_per_transaction", slice.microsPerTransaction());
            one.put("session_samples", slice.sessionSamples());
        }
        node.set("relation_locks", relationLocks(variant));
        ArrayNode checks = node.putArray("checks");
        variant.checks()
                .forEach(check -> checks.addObject()
                        .put("name", check.name())
                        .put("ok", check.ok())
                        .put("detail", check.detail()));
        JsonShapes.strings(node, "flags", variant.flags());
        return node;
    }

    private static ObjectNode metric(Metric metric) {
        ObjectNode node = JsonShapes.object().put("name", metric.name()).put("unit", metric.unit());
        JsonShapes.number(node, "median", metric.median());
        JsonShapes.number(node, "low", metric.low());
        JsonShapes.number(node, "high", metric.high());
        JsonShapes.number(node, "level", metric.level());
        return node.put("trials", metric.trials());
    }

    private static JsonNode relationLocks(VariantResult variant) {
        RelationLocks held = variant.relationLocks();
        if (held == null) {
            return NullNode.getInstance();
        }
        ObjectNode node = JsonShapes.object();
        node.put("total", held.total());
        node.put("fastpath_count", held.fastpathCount());
        node.put("slow_count", held.slowCount());
        node.put("slots", held.slots());
        node.put("groups", held.groups());
        ArrayNode locks = node.putArray("locks");
        held.locks()
                .forEach(lock -> locks.addObject()
                        .put("relation", lock.relation())
                        .put("kind", lock.kind())
                        .put("mode", lock.mode())
                        .put("fastpath", lock.fastpath()));
        return node;
    }

    private static ObjectNode comparison(Comparison comparison) {
        ObjectNode node = JsonShapes.object();
        node.put("question", comparison.question());
        node.put("baseline", comparison.baseline());
        node.put("candidate", comparison.candidate());
        node.put("metric", comparison.metric());
        JsonShapes.number(node, "ratio", comparison.ratio());
        JsonShapes.number(node, "low", comparison.low());
        JsonShapes.number(node, "high", comparison.high());
        JsonShapes.number(node, "level", comparison.level());
        node.put("rounds", comparison.rounds());
        JsonShapes.number(node, "margin", comparison.margin());
        node.put("verdict", JsonShapes.constant(comparison.verdict()));
        node.put("further_trials", comparison.furtherTrials());
        ArrayNode changes = node.putArray("time_changes");
        for (Comparison.TimeChange change : comparison.timeChanges()) {
            ObjectNode one = changes.addObject().put("wait_event", change.waitEvent());
            JsonShapes.number(one, "baseline_micros", change.baselineMicros());
            JsonShapes.number(one, "candidate_micros", change.candidateMicros());
            JsonShapes.number(one, "change_micros", change.changeMicros());
            JsonShapes.number(one, "share_of_change", change.shareOfChange());
        }
        throughputSplit(node, comparison);
        JsonShapes.strings(node, "reading", comparison.reading());
        return node;
    }

    private static void throughputSplit(ObjectNode node, Comparison comparison) {
        Comparison.ThroughputSplit split = comparison.throughputSplit();
        if (split == null) {
            node.putNull("throughput_split");
            return;
        }
        ObjectNode one = node.putObject("throughput_split");
        JsonShapes.number(one, "cpu_micros_baseline", split.cpuMicrosBaseline());
        JsonShapes.number(one, "cpu_micros_candidate", split.cpuMicrosCandidate());
        JsonShapes.number(one, "busy_cores_baseline", split.busyCoresBaseline());
        JsonShapes.number(one, "busy_cores_candidate", split.busyCoresCandidate());
        JsonShapes.number(one, "share_of_cpu_per_transaction", split.shareOfCpuPerTransaction());
    }

    private static void findings(ObjectNode document, List<VariantResult> variants) {
        ArrayNode findings = document.putArray("findings");
        ArrayNode silent = document.putArray("silent");
        for (VariantResult variant : variants) {
            Diagnosis diagnosis = variant.diagnosis();
            if (diagnosis == null) {
                continue;
            }
            diagnosis.findings().forEach(finding -> {
                ObjectNode node = JsonShapes.object().put("variant", variant.name());
                node.setAll(JsonShapes.finding(finding));
                findings.add(node);
            });
            diagnosis
                    .silent()
                    .forEach(silence -> silent.addObject()
                            .put("variant", variant.name())
                            .put("rule", silence.rule())
                            .put("because", silence.because()));
        }
    }

    private static ObjectNode trial(Trial trial) {
        ObjectNode node = JsonShapes.object();
        node.put("round", trial.round());
        node.put("order", trial.order());
        node.put("variant", trial.variant());
        node.put("failure", trial.failure());
        ObjectNode values = node.putObject("values");
        new TreeMap<>(trial.values()).forEach((name, value) -> JsonShapes.number(values, name, value));
        return node;
    }
}
