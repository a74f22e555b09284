package dev.assay.report;

import dev.assay.lab.RatioInterval;
import dev.assay.lab.calibrate.CalibrationResult;
import java.util.Locale;

/** A calibration as a table of Markdown, which is readable in a terminal too. */
public final class CalibrationText {

    private CalibrationText() {}

    /** The table and what it stands on, with a line feed at the end. */
    public static String of(CalibrationReport report) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%s against the load engine, server %s, %d clients, %d thread%s, %s protocol, %d pairs of %d s%n"
                        + "ratios are engine / pgbench, with %.0f %% intervals%n%n",
                report.pgbench(),
                report.serverVersion(),
                report.clients(),
                report.threads(),
                report.threads() == 1 ? "" : "s",
                report.protocol(),
                report.pairs(),
                report.seconds(),
                100 * RatioInterval.LEVEL));
        text.append("| workload | over | CPU us/transaction: pgbench | engine | ratio, median | ratio, interval"
                + " | transactions/s: pgbench | engine | ratio, interval |\n|---|---|---|---|---|---|---|---|---|\n");
        for (CalibrationResult result : report.results()) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %.2f | %.3f | %s | %.0f | %.0f | %s |%n",
                    result.workload(),
                    result.unixSocket() ? "socket" : "TCP",
                    result.pgbenchCpuMicros(),
                    result.engineCpuMicros(),
                    result.cpuRatioMedian(),
                    interval(result.cpuRatio()),
                    result.pgbenchPerSecond(),
                    result.enginePerSecond(),
                    interval(result.throughputRatio())));
        }
        return text.toString();
    }

    private static String interval(RatioInterval interval) {
        return String.format(Locale.ROOT, "%.3f [%.3f-%.3f]", interval.ratio(), interval.low(), interval.high());
    }
}
