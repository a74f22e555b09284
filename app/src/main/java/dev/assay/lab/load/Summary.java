package dev.assay.lab.load;

/**
 * Figures summed up. All but the count are in the unit of the figures.
 *
 * @param min 0 when there was none
 * @param max 0 when there was none
 */
public record Summary(long count, double sum, double sumOfSquares, double min, double max) {

    public static final Summary NONE = new Summary(0, 0, 0, 0, 0);

    /** 0 when there was none. */
    public double mean() {
        return count == 0 ? 0 : sum / count;
    }

    /** Of these figures, not an estimate for others; 0 when there was none. */
    public double standardDeviation() {
        return count == 0 ? 0 : Math.sqrt(Math.max(0, sumOfSquares / count - mean() * mean()));
    }

    /** Both together. */
    public Summary plus(Summary other) {
        if (count == 0 || other.count == 0) {
            return count == 0 ? other : this;
        }
        return new Summary(
                count + other.count,
                sum + other.sum,
                sumOfSquares + other.sumOfSquares,
                Math.min(min, other.min),
                Math.max(max, other.max));
    }

    /** What came on top of an earlier summary of the same figures; the extremes are those of both. */
    public Summary since(Summary earlier) {
        return new Summary(count - earlier.count, sum - earlier.sum, sumOfSquares - earlier.sumOfSquares, min, max);
    }
}
