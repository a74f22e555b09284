package dev.assay.lab;

import java.util.List;

/**
 * Whether throughput has become stable. The stated test: of the last three one-second windows each lies within 5 % of their median, and they
 * do not all rise or all fall by more than 2.5 % from the first to the last. Where few transactions finish in a window, three standard
 * deviations of counting (three roots of the count) take the place of the 5 %, and half of them of the 2.5 %.
 *
 * <p>Why a trend of its own: a cache that fills raises throughput by two per cent a window for minutes, and each three windows lie close
 * together.
 */
final class Stability {

    static final int WINDOWS = 3;
    static final double WITHIN = 0.05;
    private static final double SIGMAS = 3;

    private Stability() {}

    /**
     * Judges the last three of the windows.
     *
     * @param transactions finished in each window, oldest first
     */
    static boolean stable(List<Long> transactions) {
        if (transactions.size() < WINDOWS) {
            return false;
        }
        List<Long> last = transactions.subList(transactions.size() - WINDOWS, transactions.size());
        double median = last.stream().sorted().toList().get(WINDOWS / 2);
        if (median == 0) {
            return false;
        }
        double within = Math.max(WITHIN, SIGMAS / Math.sqrt(median));
        boolean close = last.stream().allMatch(count -> Math.abs(count - median) <= within * median);
        long first = last.get(0);
        long middle = last.get(1);
        long end = last.get(2);
        boolean oneWay = (first < middle && middle < end) || (first > middle && middle > end);
        return close && !(oneWay && Math.abs(end - first) > within / 2 * median);
    }
}
