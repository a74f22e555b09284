package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.RatioInterval;
import dev.assay.lab.calibrate.CalibrationResult;
import java.time.Instant;
import java.util.List;

/** A calibration as a JSON document of kind {@code calibration}; its shape is published in {@code calibration.schema.json}. */
public final class CalibrationJson {

    /** The value of {@code kind}. */
    public static final String KIND = "calibration";

    private CalibrationJson() {}

    /** The document as text, indented, with a line feed at the end. */
    public static String text(CalibrationReport report, String assayVersion, Instant generatedAt) {
        ObjectNode document = JsonShapes.envelope(KIND, assayVersion, generatedAt, false, List.of());
        document.put("pgbench", report.pgbench());
        document.put("server_version", report.serverVersion());
        document.put("protocol", report.protocol());
        document.put("clients", report.clients());
        document.put("threads", report.threads());
        document.put("pairs", report.pairs());
        document.put("seconds", report.seconds());
        ArrayNode results = document.putArray("results");
        for (CalibrationResult result : report.results()) {
            ObjectNode node = results.addObject();
            node.put("workload", result.workload());
            node.put("transport", result.unixSocket() ? "socket" : "tcp");
            JsonShapes.number(node, "pgbench_cpu_micros", result.pgbenchCpuMicros());
            JsonShapes.number(node, "engine_cpu_micros", result.engineCpuMicros());
            JsonShapes.number(node, "cpu_ratio_median", result.cpuRatioMedian());
            interval(node, "cpu_ratio", result.cpuRatio());
            JsonShapes.number(node, "pgbench_transactions_per_second", result.pgbenchPerSecond());
            JsonShapes.number(node, "engine_transactions_per_second", result.enginePerSecond());
            interval(node, "throughput_ratio", result.throughputRatio());
        }
        return JsonShapes.text(document);
    }

    private static void interval(ObjectNode node, String name, RatioInterval interval) {
        ObjectNode one = node.putObject(name);
        JsonShapes.number(one, "ratio", interval.ratio());
        JsonShapes.number(one, "low", interval.low());
        JsonShapes.number(one, "high", interval.high());
        JsonShapes.number(one, "level", interval.level());
    }
}
