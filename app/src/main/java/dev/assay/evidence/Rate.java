package dev.assay.evidence;

/**
 * How one counter grew in a window.
 *
 * @param increase what is certain of its growth in the intervals that count
 * @param seconds how long those intervals are
 * @param intervals how many there are
 * @param gapSeconds time between looks at it that counts for nothing, as it holds a gap
 * @param resets how many of the intervals hold a reset
 * @param lowerBound whether it may have grown by more: before a reset or a restart it grew unseen
 */
public record Rate(double increase, double seconds, int intervals, double gapSeconds, int resets, boolean lowerBound) {

    /** Growth per second; NaN without an interval. */
    public double perSecond() {
        return intervals == 0 ? Double.NaN : increase / seconds;
    }
}
