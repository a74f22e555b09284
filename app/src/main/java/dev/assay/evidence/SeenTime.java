package dev.assay.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of a window the looks of one probe stand for, and where it has gaps.
 *
 * <p>A look stands for the time until the next one, at most for twice the cadence, and ends where the next look failed. The cadence is what
 * the neighbouring looks kept to: the larger of the medians of the five intervals before and the five after, so that one that was changed on
 * the way is neither taken for a gap nor hides one. The last look stands for one cadence at most. What is left over is a gap when a look of
 * this probe failed in it or when it lies in an interval of more than three cadences; the rest is the play of a timer, seen by nobody and not
 * worth a word. Immutable.
 */
public final class SeenTime {

    private static final int NEIGHBOURS = 5;
    private static final int CADENCES_SEEN_MAX = 2;
    private static final int CADENCES_WITHOUT_GAP_MAX = 3;

    private final Instant from;
    private final Instant to;
    private final long[] nanos;
    private final @Nullable Gap[] after;
    private final List<Gap> gaps;

    private SeenTime(Instant from, Instant to, long[] nanos, @Nullable Gap[] after, List<Gap> gaps) {
        this.from = from;
        this.to = to;
        this.nanos = nanos;
        this.after = after;
        this.gaps = List.copyOf(gaps);
    }

    /**
     * The time that these looks stand for.
     *
     * @param from begin of the window
     * @param to its end
     * @param looks when each successful look was complete: in order, in the window
     * @param outages when the probe asked in vain
     */
    public static SeenTime of(Instant from, Instant to, List<Instant> looks, Outages outages) {
        int count = looks.size();
        long[] at = new long[count];
        for (int i = 0; i < count; i++) {
            at[i] = Duration.between(from, looks.get(i)).toNanos();
        }
        return new Builder(from, to, at, outages).build();
    }

    /** The time that these samples stand for. */
    public static <R extends Row> SeenTime ofSamples(
            Instant from, Instant to, List<Sample<R>> samples, Outages outages) {
        return of(from, to, samples.stream().map(Sample::at).toList(), outages);
    }

    /** How many looks stand behind it. */
    public int looks() {
        return nanos.length;
    }

    /** The seconds that one look, counted from 0, stands for. */
    public double secondsOf(int look) {
        return nanos[look] / 1e9;
    }

    /** The same in nanoseconds, for sums that stay exact. */
    long nanosOf(int look) {
        return nanos[look];
    }

    /** The gap between this look and the next, or null. */
    public @Nullable Gap gapAfter(int look) {
        return after[look];
    }

    /** In their order; before the first look and after the last one as well. */
    public List<Gap> gaps() {
        return gaps;
    }

    /** The seconds that all looks together stand for. */
    public double seenSeconds() {
        return Arrays.stream(nanos).sum() / 1e9;
    }

    /** The seconds in gaps. */
    public double gapSeconds() {
        return gaps.stream().mapToDouble(Gap::seconds).sum();
    }

    public double windowSeconds() {
        return Duration.between(from, to).toNanos() / 1e9;
    }

    /** Computes in nanoseconds since the window's begin. */
    private static final class Builder {
        private final Instant from;
        private final Instant to;
        private final long[] at;
        private final List<Outages.Failure> failures;
        private final long[] nanos;
        private final @Nullable Gap[] after;
        private final List<Gap> gaps = new ArrayList<>();
        private int nextFailure;

        Builder(Instant from, Instant to, long[] at, Outages outages) {
            this.from = from;
            this.to = to;
            this.at = at;
            this.failures = outages.failures();
            this.nanos = new long[at.length];
            this.after = new Gap[at.length];
        }

        SeenTime build() {
            long end = Duration.between(from, to).toNanos();
            if (at.length == 0) {
                gap(0, end, 0, 0);
                return new SeenTime(from, to, nanos, after, gaps);
            }
            gap(0, at[0], 0, cadence(0));
            for (int i = 0; i < at.length; i++) {
                boolean last = i == at.length - 1;
                long next = last ? Math.max(end, at[i]) : at[i + 1];
                long cadence = cadence(i);
                long longest = last ? cadence : CADENCES_SEEN_MAX * cadence;
                long until = at[i] + Math.min(next - at[i], longest);
                Gap gap = gap(at[i], next, until, cadence);
                nanos[i] = gap == null
                        ? until - at[i]
                        : Math.min(
                                until - at[i],
                                Duration.between(from, gap.from()).toNanos() - at[i]);
                after[i] = gap;
            }
            return new SeenTime(from, to, nanos, after, gaps);
        }

        /** The gap between two looks, if there is one: from where the first's time ends to the second. */
        private @Nullable Gap gap(long look, long next, long until, long cadence) {
            Outages.Failure why = failureBetween(look, next);
            boolean overdue = next - look > CADENCES_WITHOUT_GAP_MAX * cadence;
            if (!overdue && (why == null || !why.own())) {
                return null;
            }
            long begin = until;
            if (why != null) {
                begin = Math.max(
                        look, Math.min(begin, Duration.between(from, why.from()).toNanos()));
            }
            if (begin >= next) {
                return null;
            }
            Gap gap = new Gap(
                    from.plusNanos(begin),
                    from.plusNanos(next),
                    why == null ? Gap.Reason.NOT_ASKED : why.reason(),
                    why == null ? "" : why.detail());
            gaps.add(gap);
            return gap;
        }

        /** The probe's own first failure in between, else the first one of the session. */
        private Outages.@Nullable Failure failureBetween(long look, long next) {
            Outages.Failure other = null;
            Outages.Failure own = null;
            while (nextFailure < failures.size()) {
                Outages.Failure failure = failures.get(nextFailure);
                long begin = Duration.between(from, failure.from()).toNanos();
                if (begin >= next) {
                    break;
                }
                nextFailure++;
                if (begin >= look && failure.own() && own == null) {
                    own = failure;
                } else if (begin >= look && other == null) {
                    other = failure;
                }
            }
            return own != null ? own : other;
        }

        /** What the looks around the interval after look {@code i} kept to; the interval itself only where there is no other. */
        private long cadence(int i) {
            long before = median(Math.max(0, i - NEIGHBOURS), i);
            long behind = median(i + 1, Math.min(at.length - 1, i + 1 + NEIGHBOURS));
            long cadence = Math.max(before, behind);
            if (cadence > 0 || at.length < 2) {
                return cadence;
            }
            return at[Math.min(i + 1, at.length - 1)] - at[Math.min(i, at.length - 2)];
        }

        /** Median of the intervals after the looks {@code first} to {@code end - 1}; 0 when there are none. */
        private long median(int first, int end) {
            if (end <= first) {
                return 0;
            }
            long[] intervals = new long[end - first];
            for (int i = first; i < end; i++) {
                intervals[i - first] = at[i + 1] - at[i];
            }
            Arrays.sort(intervals);
            return intervals[intervals.length / 2];
        }
    }
}
