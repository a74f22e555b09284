package dev.assay.cli;

import dev.assay.observe.Sampler;
import dev.assay.observe.recording.RecordingWriter;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One line at the bottom of a terminal while a recording goes on. Used by one thread. */
final class RecordingProgress {

    private static final String CLEAR_LINE = "\r\u001b[2K";
    private static final Duration REFRESH = Duration.ofSeconds(1);
    private static final double MEBIBYTE = 1 << 20;

    private final PrintStream terminal;
    private final boolean shown;
    private Duration next = Duration.ZERO;

    /**
     * Draws nothing yet.
     *
     * @param shown whether there is a terminal to draw on
     */
    RecordingProgress(PrintStream terminal, boolean shown) {
        this.terminal = terminal;
        this.shown = shown;
    }

    void show(Duration done, @Nullable Duration limit, RecordingWriter writer, Sampler sampler) {
        if (!shown || Interruption.came() || done.compareTo(next) < 0) {
            return;
        }
        next = done.plus(REFRESH);
        double share = sampler.cost().shareOfCoresMax();
        terminal.print(CLEAR_LINE
                + String.format(
                        Locale.ROOT,
                        "%s%s  %,d samples  %.1f MiB  own cost %s  Ctrl-C ends it",
                        clock(done),
                        limit == null ? "" : " of " + clock(limit),
                        writer.samples(),
                        writer.bytes() / MEBIBYTE,
                        Double.isFinite(share)
                                ? String.format(Locale.ROOT, "%.2f %% of the cores", 100 * share)
                                : "-"));
        terminal.flush();
    }

    void end() {
        if (shown && !Interruption.came()) {
            terminal.print(CLEAR_LINE);
            terminal.flush();
        }
    }

    private static String clock(Duration time) {
        return String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
    }
}
