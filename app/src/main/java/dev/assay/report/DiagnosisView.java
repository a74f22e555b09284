package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.evidence.WaitProfile;
import dev.assay.pg.ServerFacts;
import java.util.Locale;

/** The values that {@code diagnosis.html} shows. */
final class DiagnosisView {

    private final DiagnoseReport report;

    DiagnosisView(DiagnoseReport report) {
        this.report = report;
    }

    ObjectNode view() {
        ObjectNode view = JsonShapes.object();
        ServerFacts server = report.evidence().server();
        view.put("title", report.vendor() + " " + server.version() + ", database " + server.database());
        view.put("window", DiagnosisText.window(report));
        view.put("version_text", server.versionText());
        view.put("cost", DiagnosisText.cost(report));
        view.put("unexplained", Numbers.percent(report.unexplainedShare()));
        WaitProfile waits = report.evidence().waits();
        double aas = waits.slices().stream().mapToDouble(WaitProfile.Slice::aas).sum();
        view.put(
                "slices_heading",
                waits.slices().isEmpty() ? "" : Numbers.plain(aas) + " sessions were active on average.");
        ArrayNode slices = view.putArray("slices");
        for (WaitProfile.Slice slice : waits.slices()) {
            slices.addObject()
                    .put("event", slice.waitEvent().toString())
                    .put("aas", Numbers.plain(slice.aas()))
                    .put("share", Numbers.percent(slice.share()))
                    .put("width", String.format(Locale.ROOT, "%.2f", slice.share() * 100));
        }
        ArrayNode findings = view.putArray("findings");
        report.diagnosis().findings().forEach(finding -> findings.add(FindingView.of(finding, "")));
        boolean silent = !report.diagnosis().silent().isEmpty();
        view.put("silence_heading", silent ? "No finding, and why" : "");
        ArrayNode silence = view.putArray("silence");
        report.diagnosis().silent().forEach(one -> silence.add(one.rule() + ": " + one.because()));
        boolean missed = !report.diagnosis().unavailable().isEmpty();
        view.put("unavailable_heading", missed ? "Not available" : "");
        ArrayNode unavailable = view.putArray("unavailable");
        report.diagnosis().unavailable().forEach(missing -> unavailable.add(missing.what() + ": " + missing.why()));
        return view;
    }
}
