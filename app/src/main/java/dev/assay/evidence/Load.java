package dev.assay.evidence;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Average active sessions (AAS) of a window, split by one dimension.
 *
 * <p>Each look counts with the time that it stands for ({@link SeenTime}), so that a cadence that was changed, a late look or a gap does not
 * shift the average. Time that nobody saw is in no figure.
 *
 * @param seenSeconds the time that the looks stand for: what an average is taken over
 * @param looks how many looks stand behind it
 * @param sessionSamples how many active sessions those looks saw in all
 * @param slices largest first
 */
public record Load<K>(double seenSeconds, int looks, long sessionSamples, List<Slice<K>> slices) {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    public Load {
        slices = List.copyOf(slices);
    }

    /**
     * One part.
     *
     * @param key null for the sessions of which it is not known or that have none
     * @param aas average active sessions in it
     * @param share of all active session time, 0 to 1
     * @param sessionSeconds time of sessions in it, in seconds of one session
     * @param sessionSamples how many sightings stand behind it
     * @param looks in how many looks it was seen
     */
    public record Slice<K>(
            @Nullable K key, double aas, double share, double sessionSeconds, long sessionSamples, int looks) {}

    /**
     * The load of all active sessions in these samples.
     *
     * @param time what each of the samples stands for
     */
    public static <K> Load<K> of(List<Sample<ActivityRow>> activity, SeenTime time, Dimension<K> dimension) {
        if (time.looks() != activity.size()) {
            throw new IllegalArgumentException(time.looks() + " looks for " + activity.size() + " samples");
        }
        // a single look has no time of its own, and is all there is
        return time.seenSeconds() > 0 ? counted(activity, time::nanosOf, dimension) : ofEqualLooks(activity, dimension);
    }

    /** As if each look stood for one second: for looks of several spans, whose times say nothing. */
    public static <K> Load<K> ofEqualLooks(List<Sample<ActivityRow>> activity, Dimension<K> dimension) {
        return counted(activity, look -> NANOS_PER_SECOND, dimension);
    }

    /** What a look stands for, in nanoseconds: whole numbers, so that sums are exact. */
    @FunctionalInterface
    private interface Weight {
        long of(int look);
    }

    private static <K> Load<K> counted(List<Sample<ActivityRow>> activity, Weight weight, Dimension<K> dimension) {
        Map<@Nullable K, Tally> tallies = new HashMap<>();
        long samples = 0;
        long total = 0;
        long seen = 0;
        for (int look = 0; look < activity.size(); look++) {
            Sample<ActivityRow> sample = activity.get(look);
            long nanos = weight.of(look);
            seen += nanos;
            for (ActivityRow session : sample.rows()) {
                if (session.active()) {
                    tallies.computeIfAbsent(dimension.key().of(sample.at(), session), key -> new Tally())
                            .add(look, nanos);
                    samples++;
                    total += nanos;
                }
            }
        }
        List<Slice<K>> slices = new ArrayList<>();
        for (Map.Entry<@Nullable K, Tally> entry : tallies.entrySet()) {
            Tally tally = entry.getValue();
            double share = total > 0 ? tally.nanos / (double) total : tally.samples / (double) samples;
            double aas = tally.nanos / (double) seen;
            double seconds = tally.nanos / (double) NANOS_PER_SECOND;
            slices.add(new Slice<>(entry.getKey(), aas, share, seconds, tally.samples, tally.looks));
        }
        slices.sort(Comparator.comparingDouble((Slice<K> slice) -> slice.sessionSeconds())
                .thenComparingLong(slice -> slice.sessionSamples())
                .reversed()
                .thenComparing(slice -> String.valueOf(slice.key())));
        return new Load<>(seen / (double) NANOS_PER_SECOND, activity.size(), samples, slices);
    }

    private static final class Tally {
        private long nanos;
        private long samples;
        private int looks;
        private int lastLook = -1;

        void add(int look, long more) {
            nanos += more;
            samples++;
            if (look != lastLook) {
                looks++;
                lastLook = look;
            }
        }
    }

    /** Average active sessions over all parts. */
    public double aas() {
        return slices.stream().mapToDouble(Slice::aas).sum();
    }

    /** The part of that key; empty when it was not seen. */
    public Optional<Slice<K>> slice(@Nullable K key) {
        return slices.stream().filter(slice -> Objects.equals(slice.key(), key)).findFirst();
    }
}
