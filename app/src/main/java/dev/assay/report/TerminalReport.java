package dev.assay.report;

import dev.assay.diagnose.Finding;
import dev.assay.lab.Trial;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.lab.compare.RunsComparison;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Results as text for a terminal: aligned tables, plain words, numbers rounded to what their interval supports.
 *
 * <p>Every method returns text that ends with a line feed. Text from servers and files loses its control characters. Immutable.
 */
public final class TerminalReport {

    /** The width that suits most terminals. */
    public static final int WIDTH_DEFAULT = 100;

    private static final int WIDTH_MIN = 60;
    private static final int PERCENTILE_WIDTH = "   p95 1234567 ms".length();

    private final int width;
    private final Ink ink;

    /**
     * Prepares a report.
     *
     * @param width columns of the terminal; below 60 counts as 60. A single word or table cell that is longer is not cut
     * @param colour whether to use ANSI colours
     */
    public TerminalReport(int width, boolean colour) {
        this.width = Math.max(WIDTH_MIN, width);
        this.ink = new Ink(colour);
    }

    /** The whole result of an experiment, with what became of expectations. */
    public String experiment(RunReport report) {
        return text(new ExperimentText(report, width, ink).lines());
    }

    /** Two runs compared, with what became of expectations; none for an empty list. */
    public String runs(RunsComparison runs, List<ExpectationResult> expectations) {
        return text(new RunsText(runs, expectations, width, ink).lines());
    }

    /** A whole diagnosis. */
    public String diagnosis(DiagnoseReport report) {
        return text(new DiagnosisText(report, width, ink).lines());
    }

    /** One finding with all that belongs to it, in lines. */
    public List<String> finding(Finding finding) {
        return new FindingText(finding, null, width, ink).lines();
    }

    /** A time as reports show it: in UTC, to the second. */
    public static String second(Instant instant) {
        return Words.second(instant);
    }

    /** The episodes of a recording. */
    public String episodes(EpisodesReport report) {
        return text(new EpisodesText(report, width, ink).lines());
    }

    /** What a recording came to. */
    public String recording(RecordingReport report) {
        return text(report.lines(width));
    }

    /** An answer as a table. */
    public String answer(Answer answer) {
        return text(answer.lines(width, ink));
    }

    /**
     * One line for one finished trial, to print while an experiment runs; with as many percentiles as fit the width.
     *
     * @param trial the trial
     * @param trialsPlanned how many trials the whole run will have
     * @param nameWidth length of the longest variant name, so that lines stand under each other
     */
    public String trialLine(Trial trial, int trialsPlanned, int nameWidth) {
        int digits = Integer.toString(trialsPlanned).length();
        String place = Ink.padLeft(Integer.toString(trial.order()), digits) + "/" + trialsPlanned;
        String head = place + "  round " + trial.round() + "  " + Ink.pad(Ink.clean(trial.variant()), nameWidth) + "  ";
        if (trial.failure() != null) {
            String failure = Ink.oneLine("failed: " + trial.failure(), width - head.length());
            return head + ink.bad(failure) + "\n";
        }
        StringBuilder line = new StringBuilder(head);
        if (trial.values().containsKey("elapsed")) {
            return line.append(Ink.padLeft(value(trial, "elapsed", 0), 8))
                    .append(" s\n")
                    .toString();
        }
        line.append(Ink.padLeft(value(trial, "transactions_per_second", 1), 8)).append("/s");
        for (String percentile : List.of("p50", "p95", "p99")) {
            if (trial.values().containsKey("latency_" + percentile) && line.length() + PERCENTILE_WIDTH <= width) {
                line.append(String.format(
                        Locale.ROOT, "   %s %7s ms", percentile, value(trial, "latency_" + percentile, 0)));
            }
        }
        return line + "\n";
    }

    /** Three digits; a throughput, {@code whole}, has no decimals from 10 on. */
    private static String value(Trial trial, String metric, int whole) {
        double value = trial.values().getOrDefault(metric, Double.NaN);
        return Double.isFinite(value) && value >= 10 && whole == 1 ? Numbers.fixed(value, 0) : Numbers.plain(value);
    }

    private static String text(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }
}
