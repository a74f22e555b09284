package dev.assay.report;

import dev.assay.lab.calibrate.CalibrationResult;
import java.util.List;

/**
 * The load engine against an installed pgbench.
 *
 * @param pgbench what it says of its version
 * @param protocol simple, extended or prepared
 * @param seconds of one run
 */
public record CalibrationReport(
        String pgbench,
        String serverVersion,
        String protocol,
        int clients,
        int threads,
        int pairs,
        int seconds,
        List<CalibrationResult> results) {

    public CalibrationReport {
        results = List.copyOf(results);
    }
}
