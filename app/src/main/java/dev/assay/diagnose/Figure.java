package dev.assay.diagnose;

/**
 * One figure that supports a finding.
 *
 * @param metric what was measured, snake_case with the unit last where it has one
 * @param unit for example {@code sessions}, {@code locks}, {@code share}
 * @param samples how many samples stand behind it
 * @param source the view or file it was read from
 */
public record Figure(String metric, double value, String unit, long samples, String source) {}
