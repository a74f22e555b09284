package dev.assay.report;

import dev.assay.diagnose.Finding;
import dev.assay.evidence.WaitProfile;
import dev.assay.observe.SelfCost;
import dev.assay.pg.ServerFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A diagnosis as lines of text. */
final class DiagnosisText {

    private static final int SLICES_MAX = 8;
    private static final int BAR_MAX = 30;

    private final DiagnoseReport report;
    private final int width;
    private final Ink ink;
    private final List<String> out = new ArrayList<>();

    DiagnosisText(DiagnoseReport report, int width, Ink ink) {
        this.report = report;
        this.width = width;
        this.ink = ink;
    }

    List<String> lines() {
        ServerFacts server = report.evidence().server();
        block(0, report.vendor() + " " + server.version() + ", database " + server.database());
        block(0, window(report));
        waits();
        findings();
        silence();
        keepInMind();
        out.add("");
        block(0, cost(report));
        return out;
    }

    /** The window in words. */
    static String window(DiagnoseReport report) {
        Duration length =
                Duration.between(report.evidence().from(), report.evidence().to());
        return Words.minute(report.evidence().from())
                + ", watched for "
                + Words.duration(length)
                + ", "
                + Words.count(report.evidence().waits().samples(), "sample")
                + (report.partial() ? "; cut short" : "");
    }

    /** What observing cost, in words. */
    static String cost(DiagnoseReport report) {
        SelfCost cost = report.selfCost();
        Duration backendCpu = cost.backendCpu();
        String asked = Words.count(cost.queries(), "query") + " that returned " + Words.count(cost.rows(), "row");
        String slowed = cost.slowedBy() == 1
                ? ""
                : " That was over its budget, so it looked " + cost.slowedBy() + " times more seldom in the end.";
        if (backendCpu == null) {
            return "Observing cost the server at most "
                    + Numbers.micros(cost.backendBusy().toNanos() / 1000.0)
                    + share(cost.shareOfOneCoreMax(), "one core")
                    + " in "
                    + asked
                    + ", and this machine "
                    + Numbers.micros(cost.clientCpu().toNanos() / 1000.0)
                    + " of CPU time."
                    + slowed;
        }
        return "Observing cost the server's machine, which is this one, "
                + Numbers.micros(cost.spentOnServer().toNanos() / 1000.0)
                + " of CPU time"
                + share(cost.shareOfCoresMax(), "its " + Words.count(cost.cores(), "core"))
                + ": "
                + Numbers.micros(backendCpu.toNanos() / 1000.0)
                + " in the server for "
                + asked
                + ", "
                + Numbers.micros(cost.clientCpu().toNanos() / 1000.0)
                + " in this program."
                + slowed;
    }

    private static String share(double share, String of) {
        return Double.isFinite(share) ? " (" + Numbers.percent(share) + " of " + of + ")" : "";
    }

    private void block(int indent, String text) {
        Ink.wrap(text, width - indent).forEach(line -> out.add(" ".repeat(indent) + line));
    }

    private void heading(String text) {
        if (!out.get(out.size() - 1).isEmpty()) {
            out.add("");
        }
        out.add(ink.bold(text));
    }

    private void waits() {
        WaitProfile waits = report.evidence().waits();
        heading("WHERE DATABASE TIME GOES");
        if (waits.sessionSamples() == 0) {
            out.add("  No session was seen active.");
            return;
        }
        double aas = waits.slices().stream().mapToDouble(WaitProfile.Slice::aas).sum();
        out.add("  " + Numbers.plain(aas) + " sessions active on average");
        List<WaitProfile.Slice> shown =
                waits.slices().subList(0, Math.min(SLICES_MAX, waits.slices().size()));
        TextTable table =
                new TextTable().left("goes to").right("sessions").right("share").left("");
        for (WaitProfile.Slice slice : shown) {
            table.row(List.of(
                    slice.waitEvent().toString(),
                    Numbers.plain(slice.aas()),
                    Numbers.percent(slice.share()),
                    "█".repeat((int) Math.round(BAR_MAX * slice.share()))));
        }
        List<WaitProfile.Slice> rest =
                waits.slices().subList(shown.size(), waits.slices().size());
        if (!rest.isEmpty()) {
            table.row(List.of(
                    Words.count(rest.size(), "other wait"),
                    Numbers.plain(
                            rest.stream().mapToDouble(WaitProfile.Slice::aas).sum()),
                    Numbers.percent(
                            rest.stream().mapToDouble(WaitProfile.Slice::share).sum()),
                    ""));
        }
        out.addAll(table.lines(width, 2, ink));
        block(2, "CPU: the session waits for nothing; it runs, or waits for a core (no view tells these apart).");
        block(2, "In waits that no finding explains: " + Numbers.percent(report.unexplainedShare()) + " of the time.");
    }

    private void findings() {
        heading("FINDINGS");
        List<Finding> findings = report.diagnosis().findings();
        if (findings.isEmpty()) {
            out.add("  None.");
        }
        findings.forEach(finding -> out.addAll(new FindingText(finding, null, width, ink).lines()));
    }

    private void silence() {
        if (!report.diagnosis().silent().isEmpty()) {
            heading("NO FINDING, AND WHY");
            report.diagnosis().silent().forEach(silence -> block(2, silence.rule() + ": " + silence.because()));
        }
    }

    private void keepInMind() {
        if (!report.diagnosis().unavailable().isEmpty()) {
            heading("NOT AVAILABLE");
            report.diagnosis().unavailable().forEach(missing -> block(2, missing.what() + ": " + missing.why()));
        }
    }
}
