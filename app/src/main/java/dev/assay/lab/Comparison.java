package dev.assay.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two variants compared on one metric.
 *
 * @param question what this pair asks, for people
 * @param ratio candidate divided by baseline, geometric mean over rounds; NaN when no round has both
 * @param low lower end of the ratio's interval
 * @param high upper end
 * @param level of the interval, normally 0.99
 * @param rounds how many rounds have both
 * @param margin inside of which a difference does not matter, for example 0.05
 * @param furtherTrials how many more trials a side would probably decide; 0 when decided, null when it cannot be told
 * @param timeChanges change of the time per transaction by wait event, largest absolute change first; adds up to the whole change
 * @param throughputSplit why throughput changed; null when a figure is missing
 * @param reading a few sentences in words: what the figures say
 */
public record Comparison(
        String question,
        String baseline,
        String candidate,
        String metric,
        double ratio,
        double low,
        double high,
        double level,
        int rounds,
        double margin,
        Verdict verdict,
        @Nullable Integer furtherTrials,
        List<TimeChange> timeChanges,
        @Nullable ThroughputSplit throughputSplit,
        List<String> reading) {

    public Comparison {
        timeChanges = List.copyOf(timeChanges);
        reading = List.copyOf(reading);
    }

    /**
     * One wait event's part in the change of the time per transaction.
     *
     * @param shareOfChange its change divided by the whole change; may be negative or above 1, NaN when nothing changed
     */
    public record TimeChange(String waitEvent, double baselineMicros, double candidateMicros, double shareOfChange) {

        public double changeMicros() {
            return candidateMicros - baselineMicros;
        }
    }

    /**
     * Throughput is the cores that the server kept busy divided by the CPU time of a transaction, so the logarithm of its ratio is the sum of
     * two parts.
     *
     * @param cpuMicrosBaseline server CPU time per transaction
     * @param cpuMicrosCandidate server CPU time per transaction
     * @param busyCoresBaseline cores that the server kept busy
     * @param busyCoresCandidate cores that the server kept busy
     * @param shareOfCpuPerTransaction part of the log ratio that less or more CPU work per transaction explains; the rest is cores that
     *     waits left idle
     */
    public record ThroughputSplit(
            double cpuMicrosBaseline,
            double cpuMicrosCandidate,
            double busyCoresBaseline,
            double busyCoresCandidate,
            double shareOfCpuPerTransaction) {}
}
