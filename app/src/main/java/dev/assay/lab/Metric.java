package dev.assay.lab;

/**
 * One figure of a variant over its trials.
 *
 * @param name for example {@code transactions_per_second}, {@code latency_p95}
 * @param unit for example {@code 1/s}, {@code ms}, {@code us}, {@code cores}
 * @param median of the trials
 * @param low lower end of the interval of the median, by order statistics of the trials
 * @param high upper end
 * @param level confidence level that this interval really has, 0 to 1; few trials cannot give 0.99
 * @param trials how many trials stand behind it
 */
public record Metric(String name, String unit, double median, double low, double high, double level, int trials) {}
