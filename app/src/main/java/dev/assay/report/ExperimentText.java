package dev.assay.report;

import dev.assay.lab.Comparison;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Metric;
import dev.assay.lab.RelationLocks;
import dev.assay.lab.Signature;
import dev.assay.lab.VariantResult;
import dev.assay.lab.WaitSlice;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An experiment as lines of text, top to bottom as they are read: answer, why, what to do, what to doubt. */
final class ExperimentText {

    private static final int BAR_MAX = 40;

    private final RunReport report;
    private final ExperimentResult result;
    private final int width;
    private final Ink ink;
    private final List<String> out = new ArrayList<>();

    ExperimentText(RunReport report, int width, Ink ink) {
        this.report = report;
        this.result = report.result();
        this.width = width;
        this.ink = ink;
    }

    List<String> lines() {
        wrapped("", result.title()).forEach(line -> out.add(ink.bold(line)));
        wrapped("", result.question()).forEach(out::add);
        out.add("");
        labelled("Run", Words.run(result));
        labelled("Machine", Words.machine(result));
        if (report.calibration() != null) {
            labelled("Engine", report.calibration().sentence());
        }
        variants();
        figures();
        times();
        comparisons();
        findings();
        silence();
        doubts();
        signatures();
        if (!report.expectations().isEmpty()) {
            heading("EXPECTATIONS");
            ExpectationText.addTo(out, report.expectations(), width, ink);
        }
        return out;
    }

    private void heading(String text) {
        if (!out.get(out.size() - 1).isEmpty()) {
            out.add("");
        }
        out.add(ink.bold(text));
    }

    private List<String> wrapped(String indent, String text) {
        return Ink.wrap(text, width - indent.length()).stream()
                .map(line -> indent + line)
                .toList();
    }

    private void labelled(String label, String text) {
        List<String> lines = Ink.wrap(text, width - 9);
        for (int i = 0; i < lines.size(); i++) {
            out.add((i == 0 ? ink.faint(Ink.pad(label, 9)) : " ".repeat(9)) + lines.get(i));
        }
    }

    private void variants() {
        heading("VARIANTS");
        boolean locked = result.variants().stream().anyMatch(variant -> variant.relationLocks() != null);
        TextTable table = new TextTable().left("variant").left("PostgreSQL");
        if (locked) {
            table.right("relation locks").right("slots");
        }
        table.left("what it does");
        for (VariantResult variant : result.variants()) {
            List<String> row = new ArrayList<>(List.of(variant.name(), variant.serverVersion()));
            if (locked) {
                RelationLocks locks = variant.relationLocks();
                row.add(locks == null ? Numbers.UNKNOWN : lockSum(locks));
                row.add(locks == null ? Numbers.UNKNOWN : Integer.toString(locks.slots()));
            }
            row.add(variant.title());
            table.row(row);
        }
        out.addAll(table.lines(width, 2, ink));
        if (!locked) {
            return;
        }
        wrapped("  ", "Relation locks = in the backend's own fast-path slots + in the shared lock table.")
                .forEach(line -> out.add(ink.faint(line)));
    }

    private static String lockSum(RelationLocks locks) {
        return locks.total() + " = " + locks.fastpathCount() + " + " + locks.slowCount();
    }

    private void figures() {
        heading("FIGURES");
        TextTable table = new TextTable().left("variant");
        Set<String> names = new LinkedHashSet<>();
        for (VariantResult variant : result.variants()) {
            for (Metric metric : variant.metrics()) {
                if (Words.inTables(metric.name()) && names.add(metric.name())) {
                    table.right(Words.metricHead(metric));
                }
            }
        }
        for (VariantResult variant : result.variants()) {
            List<String> row = new ArrayList<>(List.of(variant.name()));
            for (String name : names) {
                Optional<Metric> metric = variant.metric(name);
                row.add(metric.map(one -> Numbers.interval(one.median(), one.low(), one.high()))
                        .orElse(Numbers.UNKNOWN));
            }
            table.row(row);
        }
        if (names.isEmpty()) {
            out.add("  No trial succeeded.");
            return;
        }
        out.addAll(table.lines(width, 2, ink));
        wrapped("  ", Words.medianIntervals(result.variants())).forEach(line -> out.add(ink.faint(line)));
    }

    private void times() {
        boolean tasks = result.variants().stream().allMatch(Words::isTask);
        heading(
                tasks
                        ? "WHERE THE TIME GOES (mean of all trials)"
                        : "TIME PER TRANSACTION, as the clients see it (mean of all trials)");
        double largest = result.variants().stream()
                .flatMap(variant -> variant.waits().stream())
                .mapToDouble(WaitSlice::microsPerTransaction)
                .max()
                .orElse(0);
        int labelWidth = result.variants().stream()
                .flatMap(variant -> TimePart.of(variant.waits()).stream())
                .mapToInt(part -> Ink.clean(part.label()).length())
                .max()
                .orElse(0);
        for (VariantResult variant : result.variants()) {
            if (variant.waits().isEmpty()) {
                out.add("  " + Ink.clean(variant.name()) + ": not sampled");
                continue;
            }
            double total = TimePart.total(variant.waits());
            Numbers.Scale scale = Numbers.Scale.of(total);
            out.add("  "
                    + ink.bold(Ink.pad(Ink.clean(variant.name()), labelWidth + 2))
                    + Ink.padLeft(scale.value(total), 8)
                    + " "
                    + scale.unit());
            for (TimePart part : TimePart.of(variant.waits())) {
                out.add(("    " + Ink.pad(Ink.clean(part.label()), labelWidth)
                                + Ink.padLeft(scale.value(part.micros()), 8) + " " + scale.unit()
                                + Ink.padLeft(Numbers.percent(part.share()), 7) + "  "
                                + bar(part.micros(), largest))
                        .stripTrailing());
            }
        }
        wrapped("  ", Words.timeNote(result)).forEach(line -> out.add(ink.faint(line)));
    }

    private String bar(double value, double largest) {
        int room = Math.min(BAR_MAX, width - 50);
        if (!(largest > 0) || !(value > 0)) {
            return "";
        }
        return "█".repeat((int) Math.round(room * value / largest));
    }

    private void comparisons() {
        heading("COMPARISONS");
        for (Comparison comparison : result.comparisons()) {
            new ComparisonText(comparison, width, ink).addTo(out);
        }
        if (result.comparisons().isEmpty()) {
            out.add("  None was made.");
        }
    }

    private void findings() {
        heading("FINDINGS");
        List<FoundIn> found = FoundIn.of(result);
        found.forEach(one -> out.addAll(new FindingText(one.finding(), one.variant(), width, ink).lines()));
        if (found.isEmpty()) {
            out.add("  None.");
        }
    }

    private void silence() {
        List<String> lines = Doubts.silence(result);
        if (!lines.isEmpty()) {
            heading("NO FINDING, AND WHY");
            lines.forEach(line -> out.addAll(wrapped("  ", line)));
        }
    }

    private void doubts() {
        List<String> lines = Doubts.of(report);
        if (!lines.isEmpty()) {
            heading("KEEP IN MIND");
            lines.forEach(this::bullet);
        }
    }

    private void bullet(String text) {
        List<String> lines = Ink.wrap(text, width - 4);
        for (int i = 0; i < lines.size(); i++) {
            out.add((i == 0 ? "  - " : "    ") + lines.get(i));
        }
    }

    private void signatures() {
        List<Signature> broken =
                result.signatures().stream().filter(one -> !one.ok()).toList();
        long checks = result.variants().stream()
                .mapToLong(variant -> variant.checks().size())
                .sum();
        boolean checksHold = result.variants().stream()
                .allMatch(variant -> variant.checks().stream().allMatch(VariantResult.Check::ok));
        if (result.signatures().isEmpty() && checks == 0) {
            return;
        }
        heading("SIGNATURES AND CHECKS");
        for (Signature signature : broken) {
            wrapped(
                            "  ",
                            "NOT SEEN: " + signature.name() + ": expected " + signature.expected() + ", seen "
                                    + signature.seen())
                    .forEach(line -> out.add(ink.bad(line)));
        }
        if (broken.isEmpty() && !result.signatures().isEmpty()) {
            int all = result.signatures().size();
            out.add("  " + ink.good(all == 1 ? "The one signature is seen." : "All " + all + " signatures are seen."));
        }
        if (checks > 0 && checksHold) {
            out.add("  " + ink.good(Words.count(checks, "check") + " of the data held."));
        }
    }
}
