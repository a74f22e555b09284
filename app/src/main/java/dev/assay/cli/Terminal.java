package dev.assay.cli;

import dev.assay.report.TerminalReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;

/** What the standard streams lead to. */
final class Terminal {

    /** Lines that are longer than this are hard to read. */
    private static final int WIDTH_MAX = 160;

    private Terminal() {}

    /** Whether standard input is a terminal. */
    static boolean inIsTerminal() {
        return isTerminal(0);
    }

    /** Whether standard output is a terminal. */
    static boolean outIsTerminal() {
        return isTerminal(1);
    }

    /** Whether standard error is a terminal, where progress may be shown. */
    static boolean errIsTerminal() {
        return isTerminal(2);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String leadsTo = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return leadsTo.startsWith("/dev/pts/") || leadsTo.startsWith("/dev/tty") || leadsTo.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * A report for standard output: coloured on a terminal unless {@code NO_COLOR} is set, as wide as {@code COLUMNS} says, which shells seldom
     * export, or the terminal itself.
     */
    static TerminalReport report(Map<String, String> environment) {
        String noColour = environment.getOrDefault("NO_COLOR", "");
        return new TerminalReport(width(environment), outIsTerminal() && noColour.isEmpty());
    }

    private static int width(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", "");
        if (!outIsTerminal()) {
            return TerminalReport.WIDTH_DEFAULT;
        }
        int width = columns.matches("[1-9]\\d{1,3}")
                ? Integer.parseInt(columns)
                : new ConsoleProgressBarConsumer(System.err).getMaxRenderedLength();
        return Math.min(WIDTH_MAX, width);
    }
}
