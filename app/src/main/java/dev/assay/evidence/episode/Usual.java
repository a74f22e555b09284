package dev.assay.evidence.episode;

import java.util.Arrays;

/**
 * What is usual for one count, and from where on it is not: for one moment, from the half hour around it.
 *
 * <p>Three things make a count unusual, and all of them must hold: it is six standard deviations above the median, it is above three quarters of
 * the looks by an absolute number of sessions, and (the finder sees to that) the next look shows it as well. The deviation is the median
 * absolute deviation, which a stall does not move, or what chance alone gives a count of independent sessions, whichever is larger.
 *
 * @param median of the count
 * @param high from here on it is unusual
 * @param low below this it is usual again
 */
record Usual(double median, double high, double low) {

    private static final double DEVIATIONS = 6;
    private static final double NORMAL = 1.4826;

    /**
     * The usual of these counts.
     *
     * @param counts at least one
     * @param sessionsMin by how much a count must exceed three quarters of all
     */
    static Usual of(int[] counts, int sessionsMin) {
        int median = ranked(counts, counts.length / 2);
        int upperQuarter = ranked(counts, (int) (counts.length * 3L / 4));
        int[] away = new int[counts.length];
        for (int i = 0; i < counts.length; i++) {
            away[i] = Math.abs(counts[i] - median);
        }
        double deviation = Math.max(NORMAL * ranked(away, away.length / 2), Math.sqrt(median));
        double high = Math.max(median + DEVIATIONS * deviation, upperQuarter + sessionsMin);
        return new Usual(median, high, median + (high - median) / 2);
    }

    /** The count of that rank, from 0: by counting, as counts are small and a day asks for thousands of them. */
    private static int ranked(int[] counts, int rank) {
        int[] times = new int[Arrays.stream(counts).max().orElse(0) + 1];
        for (int count : counts) {
            times[count]++;
        }
        int value = 0;
        for (int left = rank - times[0]; left >= 0; left -= times[value]) {
            value++;
        }
        return value;
    }
}
