package dev.assay.evidence.episode;

import dev.assay.evidence.Gap;
import dev.assay.evidence.Outages;
import dev.assay.evidence.SeenTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Finds the stalls among the looks of hours or days.
 *
 * <p>A stall shows as more sessions than usual that are blocked by somebody's lock, that wait for anything, or that are active at all. Each of the
 * three is judged by itself against its own level around that time ({@link Usual}): a stall of a few sessions behind one lock shows on a
 * server where fifty always wait for disks, and a server that is always busy has no stalls. A stall begins with two looks in a row above
 * the high mark, reaches back and on to the looks above the low mark, and is one with the next when less than three seconds lie between. A
 * single look proves nothing: something that short cannot be told from chance. Time in which the server was asked in vain is an episode whatever
 * was seen around it; time in which nobody asked is none.
 *
 * <p>A stall that fills more than a quarter of an hour looks usual in its middle; a load that rises and stays is no stall.
 */
public final class EpisodeFinder {

    private static final Duration AROUND = Duration.ofMinutes(15);
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final Duration APART = Duration.ofSeconds(3);
    private static final int LOOKS_MIN = 12;

    private static final List<Series> SERIES = List.of(
            new Series(LoadPoint::blocked, 4), new Series(LoadPoint::waiting, 6), new Series(LoadPoint::active, 10));

    private final List<LoadPoint> points;
    private final SeenTime time;

    /** A count, and by how many sessions at least it must be unusual. */
    private record Series(ToIntFunction<LoadPoint> count, int sessionsMin) {}

    private EpisodeFinder(List<LoadPoint> points, SeenTime time) {
        this.points = points;
        this.time = time;
    }

    /**
     * The spans of stalls, in order.
     *
     * @param from begin of what was recorded
     * @param to its end
     * @param points of all looks, in order
     * @param outages when looks at activity failed
     * @param lengthMin shorter ones are left out
     */
    public static List<Span> find(
            Instant from, Instant to, List<LoadPoint> points, Outages outages, Duration lengthMin) {
        List<Instant> looks = points.stream().map(LoadPoint::at).toList();
        EpisodeFinder finder = new EpisodeFinder(List.copyOf(points), SeenTime.of(from, to, looks, outages));
        return finder.spans().stream()
                .filter(span -> span.length().compareTo(lengthMin) >= 0)
                .toList();
    }

    private List<Span> spans() {
        List<Span> found = new ArrayList<>();
        if (points.size() >= LOOKS_MIN) {
            List<Usual> active = List.of();
            for (Series series : SERIES) {
                active = usual(series);
                runs(series, active, found);
            }
            // active is the last of the series: the level to compare with
            List<Usual> levels = active;
            found.replaceAll(span -> new Span(
                    span.from(), span.to(), levels.get(step(span.from())).median(), span.unanswered()));
        }
        for (Gap gap : time.gaps()) {
            if (gap.askedInVain()) {
                found.add(new Span(gap.from(), gap.to(), levelAt(gap.from()), List.of(gap)));
            }
        }
        found.sort(Comparator.comparing(Span::from));
        return merged(found);
    }

    private double levelAt(Instant at) {
        return points.isEmpty()
                ? Double.NaN
                : usualAround(at, SERIES.get(SERIES.size() - 1)).median();
    }

    /** The level every half minute. */
    private List<Usual> usual(Series series) {
        List<Usual> levels = new ArrayList<>();
        Instant first = points.get(0).at();
        Instant last = points.get(points.size() - 1).at();
        for (Instant at = first; !at.isAfter(last); at = at.plus(STEP)) {
            levels.add(usualAround(at, series));
        }
        return levels;
    }

    private Usual usualAround(Instant at, Series series) {
        int begin = firstNotBefore(at.minus(AROUND));
        int end = Math.max(begin + 1, firstNotBefore(at.plus(AROUND)));
        int[] counts = new int[Math.min(end, points.size()) - Math.min(begin, points.size() - 1)];
        int offset = Math.min(begin, points.size() - 1);
        for (int i = 0; i < counts.length; i++) {
            counts[i] = series.count().applyAsInt(points.get(offset + i));
        }
        return Usual.of(counts, series.sessionsMin());
    }

    private int firstNotBefore(Instant at) {
        int low = 0;
        int high = points.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (points.get(middle).at().isBefore(at)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int step(Instant at) {
        Duration since = Duration.between(points.get(0).at(), at);
        return (int) Math.max(0, since.toNanos() / STEP.toNanos());
    }

    private void runs(Series series, List<Usual> levels, List<Span> found) {
        int next = 0;
        for (int i = 0; i + 1 < points.size(); i++) {
            if (i >= next && above(series, levels, i, true) && follows(i) && above(series, levels, i + 1, true)) {
                int first = i;
                while (first > next && follows(first - 1) && above(series, levels, first - 1, false)) {
                    first--;
                }
                int last = i + 1;
                while (last + 1 < points.size() && follows(last) && above(series, levels, last + 1, false)) {
                    last++;
                }
                Instant from = points.get(first).at();
                Instant to = points.get(last).at().plusNanos(Math.round(time.secondsOf(last) * 1e9));
                found.add(new Span(from, to, 0, List.of()));
                next = last + 1;
            }
        }
    }

    private boolean above(Series series, List<Usual> levels, int look, boolean high) {
        Usual usual = levels.get(step(points.get(look).at()));
        int count = series.count().applyAsInt(points.get(look));
        return count >= (high ? usual.high() : usual.low());
    }

    /** Whether nothing is missing between this look and the next. */
    private boolean follows(int look) {
        return time.gapAfter(look) == null;
    }

    private static List<Span> merged(List<Span> spans) {
        List<Span> merged = new ArrayList<>();
        for (Span span : spans) {
            Span before = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (before == null || Duration.between(before.to(), span.from()).compareTo(APART) >= 0) {
                merged.add(span);
                continue;
            }
            List<Gap> unanswered = new ArrayList<>(before.unanswered());
            unanswered.addAll(span.unanswered());
            Instant end = span.to().isAfter(before.to()) ? span.to() : before.to();
            merged.set(merged.size() - 1, new Span(before.from(), end, before.usualAas(), unanswered));
        }
        return merged;
    }
}
