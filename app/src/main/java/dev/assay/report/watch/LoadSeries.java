package dev.assay.report.watch;

import java.util.ArrayList;
import java.util.List;

/**
 * Active sessions over time, a second at a time, oldest first. Seconds in which nobody looked are missing. Immutable; the arrays that it is made of
 * are its own from then on.
 */
final class LoadSeries {

    static final LoadSeries EMPTY = new LoadSeries(new long[0], new int[0], new int[0][], 2);

    private final long[] seconds;
    private final int[] looks;
    private final int[][] sessions;
    private final long pauseSecondsMax;

    /**
     * A series.
     *
     * @param seconds since 1970, rising
     * @param looks how many looks at the sessions each of these seconds had, at least 1
     * @param sessions per second and {@link WaitClass} the sightings of active sessions
     * @param pauseSecondsMax how far apart two looks may be, in seconds, before nothing is known of the time between
     */
    LoadSeries(long[] seconds, int[] looks, int[][] sessions, long pauseSecondsMax) {
        this.seconds = seconds;
        this.looks = looks;
        this.sessions = sessions;
        this.pauseSecondsMax = pauseSecondsMax;
    }

    /** One column of a graph. */
    static final class Column {

        private final boolean seen;
        private final double[] aas;

        private Column(boolean seen, double[] aas) {
            this.seen = seen;
            this.aas = aas;
        }

        /** Whether anybody looked. */
        boolean seen() {
            return seen;
        }

        /** Average active sessions of this class; 0 when nobody looked. */
        double aas(WaitClass kind) {
            return aas[kind.place()];
        }

        double total() {
            double sum = 0;
            for (double one : aas) {
                sum += one;
            }
            return sum;
        }
    }

    /**
     * The last {@code count} columns up to the one that holds {@code endSecond}. Columns begin at multiples of their width, so that the past keeps
     * its shape while time goes on. A column without a look shows the look before it when the next one, or the end, is not further away than
     * the usual pause; else it is a gap.
     */
    List<Column> columns(long endSecond, int secondsEach, int count) {
        List<Column> columns = new ArrayList<>(count);
        long last = Math.floorDiv(endSecond, secondsEach);
        int at = 0;
        for (long column = last - count + 1; column <= last; column++) {
            long from = column * secondsEach;
            while (at < seconds.length && seconds[at] < from) {
                at++;
            }
            int end = at;
            while (end < seconds.length && seconds[end] < from + secondsEach) {
                end++;
            }
            columns.add(end > at ? average(at, end) : between(at - 1, at, endSecond));
            at = end;
        }
        return columns;
    }

    private Column average(int from, int to) {
        double[] aas = new double[WaitClass.values().length];
        int looked = 0;
        for (int i = from; i < to; i++) {
            looked += looks[i];
            for (int kind = 0; kind < aas.length; kind++) {
                aas[kind] += sessions[i][kind];
            }
        }
        for (int kind = 0; kind < aas.length; kind++) {
            aas[kind] /= looked;
        }
        return new Column(true, aas);
    }

    private Column between(int before, int after, long endSecond) {
        long next = after < seconds.length ? seconds[after] : endSecond;
        return before >= 0 && next - seconds[before] <= pauseSecondsMax
                ? average(before, before + 1)
                : new Column(false, new double[WaitClass.values().length]);
    }
}
