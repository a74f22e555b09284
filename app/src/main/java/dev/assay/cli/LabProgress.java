package dev.assay.cli;

import dev.assay.lab.Experiment;
import dev.assay.lab.LabListener;
import dev.assay.lab.Trial;
import dev.assay.report.TerminalReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Shows how an experiment gets on: a line for each trial, and on a terminal a bar with the time left. Used by one thread.
 */
final class LabProgress implements LabListener, AutoCloseable {

    private final @Nullable PrintWriter lines;
    private final TerminalReport report;
    private final boolean bars;
    private final int nameWidth;
    private @Nullable TrialBar bar;

    /**
     * @param lines where a line for each trial goes; null for nowhere
     * @param bars whether standard error is a terminal
     */
    LabProgress(Experiment experiment, @Nullable PrintWriter lines, TerminalReport report, boolean bars) {
        this.lines = lines;
        this.report = report;
        this.bars = bars;
        this.nameWidth = experiment.variants().stream()
                .mapToInt(variant -> variant.name().length())
                .max()
                .orElse(0);
    }

    @Override
    public void step(String what) {
        if (bars && !Interruption.came()) {
            clearLine();
            System.err.print(what + " ...");
            System.err.flush();
        }
    }

    @Override
    public void trialsBegin(int trials, Duration estimate, boolean atLeast) {
        if (Interruption.came()) {
            return;
        }
        clearLine();
        PrintWriter out = lines;
        if (out != null) {
            String time =
                    estimate.isZero() ? "" : (atLeast ? ", more than " : ", about ") + estimate.toSeconds() + " s";
            out.printf(Locale.ROOT, "%d trials%s%n", trials, time);
            out.flush();
        }
        if (bars) {
            bar = new TrialBar(System.err, trials, estimate);
        }
    }

    @Override
    public void trialBegins(Experiment.Variant variant, int order, int total) {
        TrialBar shown = bar;
        if (shown != null) {
            shown.begin(variant.name());
        }
    }

    @Override
    public void trialDone(Trial trial, Experiment.Variant variant, int done, int total) {
        TrialBar shown = bar;
        if (shown == null) {
            print(trial, total);
            return;
        }
        shown.advance();
        shown.printAbove(() -> print(trial, total));
        if (done == total) {
            close();
        }
    }

    private void print(Trial trial, int total) {
        PrintWriter out = lines;
        if (out != null && !Interruption.came()) {
            out.print(report.trialLine(trial, total, nameWidth));
            out.flush();
        }
    }

    private void clearLine() {
        if (bars && !Interruption.came()) {
            System.err.print("\r\u001b[2K");
            System.err.flush();
        }
    }

    @Override
    public void close() {
        TrialBar shown = bar;
        bar = null;
        if (shown != null) {
            shown.close();
        }
        clearLine();
    }
}
