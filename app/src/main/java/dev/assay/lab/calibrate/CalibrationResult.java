package dev.assay.lab.calibrate;

import dev.assay.lab.RatioInterval;
import java.util.Arrays;
import java.util.List;

/**
 * The engine against pgbench on one workload over one way to the server. Ratios are engine / pgbench.
 *
 * @param cpuRatioMedian of the pairs
 * @param cpuRatio CPU time by transaction, with its interval; below 1 the engine costs less
 * @param throughputRatio with its interval
 * @param pgbenchCpuMicros by transaction, median
 * @param engineCpuMicros by transaction, median
 * @param pgbenchPerSecond transactions a second, median
 * @param enginePerSecond transactions a second, median
 */
public record CalibrationResult(
        String workload,
        boolean unixSocket,
        double cpuRatioMedian,
        RatioInterval cpuRatio,
        RatioInterval throughputRatio,
        double pgbenchCpuMicros,
        double engineCpuMicros,
        double pgbenchPerSecond,
        double enginePerSecond) {

    static CalibrationResult of(
            String workload, boolean unixSocket, List<RatioInterval.Round> cpu, List<RatioInterval.Round> throughput) {
        return new CalibrationResult(
                workload,
                unixSocket,
                median(cpu.stream()
                        .mapToDouble(round -> round.candidate() / round.baseline())
                        .toArray()),
                RatioInterval.of(cpu),
                RatioInterval.of(throughput),
                median(cpu.stream().mapToDouble(RatioInterval.Round::baseline).toArray()),
                median(cpu.stream().mapToDouble(RatioInterval.Round::candidate).toArray()),
                median(throughput.stream()
                        .mapToDouble(RatioInterval.Round::baseline)
                        .toArray()),
                median(throughput.stream()
                        .mapToDouble(RatioInterval.Round::candidate)
                        .toArray()));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
