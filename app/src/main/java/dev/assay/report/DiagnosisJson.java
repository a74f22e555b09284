package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.evidence.WaitProfile;
import dev.assay.observe.SelfCost;
import dev.assay.pg.ServerFacts;
import java.time.Duration;
import java.time.Instant;

/**
 * A diagnosis as a JSON document of kind {@code diagnose}; its shape is published in {@code dev/assay/schema/diagnose.schema.json}.
 */
public final class DiagnosisJson {

    /** The value of {@code kind}. */
    public static final String KIND = "diagnose";

    private DiagnosisJson() {}

    /** The document as text, indented, with a line feed at the end. */
    public static String text(DiagnoseReport report, String assayVersion, Instant generatedAt) {
        return JsonShapes.text(document(report, assayVersion, generatedAt));
    }

    /** The document as a tree. */
    public static ObjectNode document(DiagnoseReport report, String assayVersion, Instant generatedAt) {
        ObjectNode document = JsonShapes.envelope(
                KIND,
                assayVersion,
                generatedAt,
                report.partial(),
                report.diagnosis().unavailable());
        ServerFacts server = report.evidence().server();
        document.putObject("server")
                .put("version", server.version().toString())
                .put("vendor", report.vendor())
                .put("database", server.database())
                .put("version_text", server.versionText());
        WaitProfile waits = report.evidence().waits();
        ObjectNode window = document.putObject("window")
                .put("from", JsonShapes.time(report.evidence().from()))
                .put("to", JsonShapes.time(report.evidence().to()))
                .put("samples", waits.samples());
        JsonShapes.number(window, "seconds", report.seconds());
        ArrayNode aas = document.putArray("aas");
        for (WaitProfile.Slice slice : waits.slices()) {
            ObjectNode one = aas.addObject().put("wait_event", slice.waitEvent().toString());
            JsonShapes.number(one, "aas", slice.aas());
            JsonShapes.number(one, "share", slice.share());
        }
        JsonShapes.number(document, "unexplained_share", report.unexplainedShare());
        ArrayNode findings = document.putArray("findings");
        report.diagnosis().findings().forEach(finding -> findings.add(JsonShapes.finding(finding)));
        ArrayNode silent = document.putArray("silent");
        report.diagnosis()
                .silent()
                .forEach(silence ->
                        silent.addObject().put("rule", silence.rule()).put("because", silence.because()));
        document.set("self_cost", selfCost(report.selfCost()));
        return document;
    }

    /** What looking cost; every document that shows it has it in this shape. */
    static ObjectNode selfCost(SelfCost cost) {
        ObjectNode self = JsonShapes.object();
        Duration backendCpu = cost.backendCpu();
        JsonShapes.number(self, "client_cpu_millis", cost.clientCpu().toNanos() / 1e6);
        JsonShapes.number(self, "backend_busy_millis", cost.backendBusy().toNanos() / 1e6);
        JsonShapes.number(self, "backend_cpu_millis", backendCpu == null ? Double.NaN : backendCpu.toNanos() / 1e6);
        JsonShapes.number(self, "share_of_one_core_max", cost.shareOfOneCoreMax());
        JsonShapes.number(self, "share_of_cores_max", cost.shareOfCoresMax());
        self.put("cores", cost.cores());
        self.put("same_machine", cost.sameMachine());
        self.put("slowed_by", cost.slowedBy());
        self.put("queries", cost.queries());
        self.put("rows", cost.rows());
        return self;
    }
}
