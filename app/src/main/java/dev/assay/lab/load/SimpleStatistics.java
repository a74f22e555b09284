package dev.assay.lab.load;

/** Count, sum, extremes and sum of squares of some figures. Not thread-safe. */
final class SimpleStatistics {

    private long count;
    private double sum;
    private double sumOfSquares;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    void add(double value) {
        count++;
        sum += value;
        sumOfSquares += value * value;
        min = Math.min(min, value);
        max = Math.max(max, value);
    }

    void add(SimpleStatistics other) {
        count += other.count;
        sum += other.sum;
        sumOfSquares += other.sumOfSquares;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
    }

    void clear() {
        count = 0;
        sum = 0;
        sumOfSquares = 0;
        min = Double.POSITIVE_INFINITY;
        max = Double.NEGATIVE_INFINITY;
    }

    Summary summary() {
        return count == 0 ? Summary.NONE : new Summary(count, sum, sumOfSquares, min, max);
    }
}
