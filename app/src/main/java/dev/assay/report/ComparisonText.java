package dev.assay.report;

import dev.assay.lab.Comparison;
import java.util.List;
import java.util.Locale;

/** One pair as lines of text: ratio and verdict, where the time went, how to read it. */
final class ComparisonText {

    private final Comparison comparison;
    private final int width;
    private final Ink ink;

    ComparisonText(Comparison comparison, int width, Ink ink) {
        this.comparison = comparison;
        this.width = width;
        this.ink = ink;
    }

    void addTo(List<String> out) {
        out.add("  " + ink.bold(Ink.clean(comparison.baseline() + " → " + comparison.candidate())));
        indented(out, comparison.question());
        out.add("    "
                + Words.comparedMetric(comparison.metric())
                + ": "
                + ink.bold(Words.ratio(comparison))
                + "  "
                + ink.verdict(
                        comparison.verdict(),
                        Words.verdict(comparison.verdict()).toUpperCase(Locale.ROOT)));
        indented(out, Words.verdictReason(comparison));
        changes(out);
        for (String sentence : comparison.reading()) {
            List<String> lines = Ink.wrap(sentence, width - 6);
            for (int i = 0; i < lines.size(); i++) {
                out.add((i == 0 ? "    - " : "      ") + lines.get(i));
            }
        }
        out.add("");
    }

    private void indented(List<String> out, String text) {
        if (!text.isBlank()) {
            Ink.wrap(text, width - 4).forEach(line -> out.add("    " + line));
        }
    }

    private void changes(List<String> out) {
        List<Comparison.TimeChange> changes = TimePart.changes(comparison.timeChanges());
        if (changes.isEmpty()) {
            return;
        }
        double before = changes.stream()
                .mapToDouble(Comparison.TimeChange::baselineMicros)
                .sum();
        double after = changes.stream()
                .mapToDouble(Comparison.TimeChange::candidateMicros)
                .sum();
        Numbers.Scale scale = Numbers.Scale.of(Math.max(before, after));
        boolean shares = Words.sharesReadable(comparison);
        TextTable table = new TextTable()
                .left("time goes to, " + scale.unit())
                .right(comparison.baseline())
                .right(comparison.candidate())
                .right("change")
                .right(shares ? "of the change" : "");
        for (Comparison.TimeChange change : changes) {
            table.row(List.of(
                    change.waitEvent(),
                    scale.value(change.baselineMicros()),
                    scale.value(change.candidateMicros()),
                    scale.change(change.changeMicros()),
                    shares ? Numbers.percent(change.shareOfChange()) : ""));
        }
        table.row(List.of("total", scale.value(before), scale.value(after), scale.change(after - before), ""));
        out.addAll(table.lines(width, 4, ink));
    }
}
