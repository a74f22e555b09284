package dev.assay.diagnose;

/**
 * One figure that supports a finding.
 *
 * @param metric what was measured, snake_case with the unit last where it has one
 * @param value what was seen
 * @param unit for example {@code sessions}, {@code locks}, {@code share}
 * @param samples how many samples stand behind it
 * @param source the view or file it was read from
 * @param atLeast whether the true value may be larger, as too few samples caught it whole
 */
public record Figure(String metric, double value, String unit, long samples, String source, boolean atLeast) {

    /** A value that the samples show as it is. */
    public Figure(String metric, double value, String unit, long samples, String source) {
        this(metric, value, unit, samples, source, false);
    }
}
