package dev.assay.report.watch;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Active sessions of the last hour by second and wait class; one ring of fixed size. Not thread-safe. */
final class LoadHistory {

    /** How far back the graph can reach. */
    static final int SECONDS_MAX = 3600;

    private static final int PAUSES_KEPT = 16;
    private static final double PAUSES_BEFORE_GAP = 2.5;
    private static final long PAUSE_SECONDS_MIN = 2;

    private final long[] seconds = new long[SECONDS_MAX];
    private final int[] looks = new int[SECONDS_MAX];
    private final int[][] sessions = new int[SECONDS_MAX][WaitClass.values().length];
    private final double[] pauses = new double[PAUSES_KEPT];
    private int pausesSeen;
    private @Nullable Instant last;

    /** One more look; those of the past hour may come in any order. */
    void add(Sample<ActivityRow> look) {
        long second = look.at().getEpochSecond();
        int slot = Math.floorMod(second, SECONDS_MAX);
        if (seconds[slot] > second) {
            return; // older than an hour
        }
        if (seconds[slot] != second) {
            seconds[slot] = second;
            looks[slot] = 0;
            Arrays.fill(sessions[slot], 0);
        }
        looks[slot]++;
        for (ActivityRow row : look.rows()) {
            if (row.active()) {
                sessions[slot][WaitClass.of(row.timeGoesTo()).place()]++;
            }
        }
        Instant before = last;
        if (before != null && !look.at().isAfter(before)) {
            return; // of the past
        }
        if (before != null) {
            pauses[pausesSeen++ % PAUSES_KEPT] =
                    Duration.between(before, look.at()).toMillis() / 1000.0;
        }
        last = look.at();
    }

    /** A copy of the hour that ends with the newest look. */
    LoadSeries series() {
        Instant newest = last;
        if (newest == null) {
            return LoadSeries.EMPTY;
        }
        long end = newest.getEpochSecond();
        int[] order = new int[SECONDS_MAX];
        int count = 0;
        for (long second = end - SECONDS_MAX + 1; second <= end; second++) {
            int slot = Math.floorMod(second, SECONDS_MAX);
            if (seconds[slot] == second && looks[slot] > 0) {
                order[count++] = slot;
            }
        }
        long[] when = new long[count];
        int[] looked = new int[count];
        int[][] seen = new int[count][];
        for (int i = 0; i < count; i++) {
            when[i] = seconds[order[i]];
            looked[i] = looks[order[i]];
            seen[i] = sessions[order[i]].clone();
        }
        return new LoadSeries(when, looked, seen, pauseSecondsMax());
    }

    /** Two and a half times the usual pause: one look may be late, two that are missing are a gap. */
    private long pauseSecondsMax() {
        int known = Math.min(pausesSeen, PAUSES_KEPT);
        if (known == 0) {
            return PAUSE_SECONDS_MIN;
        }
        double[] sorted = Arrays.copyOf(pauses, known);
        Arrays.sort(sorted);
        return Math.max(PAUSE_SECONDS_MIN, Math.round(PAUSES_BEFORE_GAP * sorted[known / 2]));
    }
}
