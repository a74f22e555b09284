package dev.assay.report;

import dev.assay.lab.Metric;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.lab.compare.RunComparison;
import dev.assay.lab.compare.RunsComparison;
import dev.assay.lab.compare.StoredRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two runs compared, as lines of text: what was compared, what else differed, the ratios, what to doubt, what was expected. */
final class RunsText {

    private static final int LABEL_WIDTH = 9;

    private final RunsComparison runs;
    private final List<ExpectationResult> expectations;
    private final int width;
    private final Ink ink;
    private final List<String> out = new ArrayList<>();

    RunsText(RunsComparison runs, List<ExpectationResult> expectations, int width, Ink ink) {
        this.runs = runs;
        this.expectations = expectations;
        this.width = width;
        this.ink = ink;
    }

    List<String> lines() {
        out.add(ink.bold(Ink.clean(runs.after().experiment()) + ": two runs compared"));
        out.addAll(Ink.wrap(runs.after().question(), width));
        out.add("");
        labelled("Before", run(runs.before()));
        labelled("After", run(runs.after()));
        differences();
        for (StoredRun.Variant variant : runs.after().variants()) {
            List<RunComparison> rows = runs.rows().stream()
                    .filter(row -> row.variant().equals(variant.name()))
                    .toList();
            if (!rows.isEmpty()) {
                heading(variant.name());
                variant(rows);
            }
        }
        heading("KEEP IN MIND");
        RunsWords.doubts(runs).forEach(this::bullet);
        if (!expectations.isEmpty()) {
            heading("EXPECTATIONS");
            ExpectationText.addTo(out, expectations, width, ink);
        }
        return out;
    }

    private static String run(StoredRun run) {
        return run.source() + ", " + Words.minute(run.startedAt()) + ", "
                + Words.count(run.trials().size(), "trial") + " of " + Numbers.plain(run.trialSeconds()) + " s, "
                + Words.count(run.clients(), "client") + ", seed " + run.seed() + ", Assay " + run.assayVersion();
    }

    private void differences() {
        if (runs.differences().isEmpty()
                && runs.onlyBefore().isEmpty()
                && runs.onlyAfter().isEmpty()) {
            return;
        }
        heading("NOT THE SAME IN BOTH");
        for (RunsComparison.Difference difference : runs.differences()) {
            out.add("  "
                    + Ink.oneLine(
                            difference.what() + ": " + difference.before() + " before, " + difference.after()
                                    + " after",
                            width - 2));
        }
        runs.onlyBefore().forEach(name -> out.add("  " + Ink.clean(name) + ": only before, not compared"));
        runs.onlyAfter().forEach(name -> out.add("  " + Ink.clean(name) + ": only after, not compared"));
    }

    private void variant(List<RunComparison> rows) {
        String wrong = rows.get(0).wrong();
        if (wrong != null) {
            Ink.wrap("WRONG: " + wrong + ". Its speed does not count.", width - 2)
                    .forEach(line -> out.add("  " + ink.bad(line)));
        }
        TextTable table = new TextTable()
                .left("metric")
                .right("before")
                .right("after")
                .right("after / before")
                .left("verdict");
        for (RunComparison row : rows) {
            if (nothing(row)) {
                continue;
            }
            table.row(List.of(
                    Words.shortHead(row.metric(), row.unit()),
                    median(row.before()),
                    median(row.after()),
                    Words.ratio(row.interval()),
                    RunsWords.verdict(row)));
        }
        out.addAll(table.lines(width, 2, ink));
    }

    /** Nothing was counted on either side, as full-page images of a workload that only reads. */
    private static boolean nothing(RunComparison row) {
        return row.before() != null
                && row.after() != null
                && row.before().median() == 0
                && row.after().median() == 0;
    }

    private static String median(@Nullable Metric metric) {
        return metric == null ? Numbers.UNKNOWN : Numbers.value(metric.median(), metric.low(), metric.high());
    }

    private void heading(String text) {
        out.add("");
        out.add(ink.bold(Ink.clean(text)));
    }

    private void labelled(String label, String text) {
        List<String> lines = Ink.wrap(text, width - LABEL_WIDTH);
        for (int i = 0; i < lines.size(); i++) {
            String left = Ink.pad(i == 0 ? label : "", LABEL_WIDTH);
            out.add((i == 0 ? ink.faint(left) : left) + lines.get(i));
        }
    }

    private void bullet(String text) {
        List<String> lines = Ink.wrap(text, width - 4);
        for (int i = 0; i < lines.size(); i++) {
            out.add((i == 0 ? "  - " : "    ") + lines.get(i));
        }
    }
}
