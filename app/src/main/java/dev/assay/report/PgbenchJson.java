package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.load.CommandResult;
import dev.assay.lab.load.LoadCounts;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.ScriptResult;
import dev.assay.lab.load.Summary;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** A run of {@code assay lab pgbench} as a JSON document of kind {@code pgbench}; its shape is published in {@code pgbench.schema.json}. */
public final class PgbenchJson {

    /** The value of {@code kind}. */
    public static final String KIND = "pgbench";

    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 95.0, 99.0, 99.9);

    private PgbenchJson() {}

    /**
     * The document as text, indented, with a line feed at the end.
     *
     * @param partial whether the run was ended before its time
     */
    public static String text(PgbenchReport report, String assayVersion, Instant generatedAt, boolean partial) {
        LoadResult result = report.result();
        ObjectNode document = JsonShapes.envelope(KIND, assayVersion, generatedAt, partial, List.of());
        document.put("protocol", report.protocol());
        document.put("clients", report.clients());
        document.put("threads", report.threads());
        document.put("scale", report.scale());
        JsonShapes.number(document, "seconds", result.measuredNanos() / 1e9);
        JsonShapes.number(document, "transactions_per_second", result.transactionsPerSecond());
        JsonShapes.number(
                document,
                "good_transactions_per_second",
                result.measuredNanos() == 0 ? Double.NaN : result.counts().good() * 1e9 / result.measuredNanos());
        counts(document, result.counts());
        ObjectNode latency = document.putObject("latency_percentiles_millis");
        Histogram histogram = result.latency();
        for (double percentile : PERCENTILES) {
            String name = "p" + (percentile == Math.rint(percentile) ? (int) percentile + "" : percentile + "");
            JsonShapes.number(
                    latency,
                    name,
                    histogram.getTotalCount() == 0
                            ? Double.NaN
                            : histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI);
        }
        ArrayNode failures = document.putArray("failures");
        new TreeMap<>(result.statementsFailed())
                .forEach((state, count) -> failures.addObject()
                        .put("sqlstate", state)
                        .put("count", count)
                        .put("example", result.failureExamples().get(state)));
        document.put("clients_aborted", result.clientsAborted());
        document.put("first_abort", result.firstAbort());
        document.put("connections_lost", result.connectionsLost());
        document.put("first_loss", result.firstLoss());
        JsonShapes.number(document, "client_cpu_seconds", result.clientCpuNanos() / 1e9);
        document.put("client_saturated", result.clientSaturated());
        ArrayNode scripts = document.putArray("scripts");
        result.scripts().forEach(script -> scripts.add(script(script)));
        return JsonShapes.text(document);
    }

    private static void counts(ObjectNode node, LoadCounts counts) {
        node.put("succeeded", counts.succeeded());
        node.put("failed", counts.failures());
        node.put("serialization_failures", counts.serializationFailures());
        node.put("deadlocks", counts.deadlocks());
        node.put("other_failures", counts.otherFailures());
        node.put("skipped", counts.skipped());
        node.put("late", counts.late());
        node.put("retried", counts.retried());
        node.put("retries", counts.retries());
        summary(node, "latency_millis", counts.latency());
        summary(node, "lag_millis", counts.lag());
    }

    private static void summary(ObjectNode node, String name, Summary summary) {
        ObjectNode one = node.putObject(name);
        one.put("count", summary.count());
        boolean any = summary.count() > 0;
        JsonShapes.number(one, "mean", any ? summary.mean() / MICROS_PER_MILLI : Double.NaN);
        JsonShapes.number(one, "standard_deviation", any ? summary.standardDeviation() / MICROS_PER_MILLI : Double.NaN);
        JsonShapes.number(one, "min", any ? summary.min() / MICROS_PER_MILLI : Double.NaN);
        JsonShapes.number(one, "max", any ? summary.max() / MICROS_PER_MILLI : Double.NaN);
    }

    private static ObjectNode script(ScriptResult script) {
        ObjectNode node = JsonShapes.object().put("name", script.name()).put("weight", script.weight());
        counts(node, script.counts());
        ArrayNode commands = node.putArray("commands");
        for (CommandResult command : script.commands()) {
            ObjectNode one = commands.addObject().put("text", command.text());
            summary(one, "time_millis", command.time());
            one.put("failures", command.failures()).put("retries", command.retries());
        }
        return node;
    }
}
