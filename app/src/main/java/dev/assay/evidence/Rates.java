package dev.assay.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How counters grew between the samples of one probe.
 *
 * <p>Only two readings of one key in samples that follow each other give an interval; where a sample holds only what has changed
 * ({@link SparseCounterRow}), a key that it does not hold reads as before. A key that was never there starts with its first reading, which
 * may be old; its growth until then is not certain, unless its own time of reset says that it is new. An interval with a gap counts neither
 * its growth nor its time. Across a reset (a counter that is smaller, or a later time of reset) what was read after it is certain, as it grew from zero; what it
 * grew between the reading before and the reset is lost, so the figure is a lower bound. Across a restart that left the counters larger, nobody
 * can tell whether they were kept; the difference is certain either way, and a lower bound.
 */
public final class Rates<R extends CounterRow> {

    private final List<Counter<R>> counters;
    private final List<Span> restarts;
    private final Map<String, Map<String, Tally>> tallies = new LinkedHashMap<>();

    /** A restart happened after the first and not after the second. */
    private record Span(Instant after, Instant until) {}

    private Rates(List<Counter<R>> counters, List<Span> restarts) {
        this.counters = counters;
        this.restarts = restarts;
    }

    /**
     * The growth of these counters.
     *
     * @param samples of one probe, in order
     * @param time where they have gaps
     * @param from intervals that end before it only give the reading to start from
     * @param server looks at the server itself, which tell of restarts
     * @param counters what to read; one that is smaller than before shows a reset of all of the row
     */
    public static <R extends CounterRow> Rates<R> of(
            List<Sample<R>> samples,
            SeenTime time,
            Instant from,
            Collection<Sample<ServerRow>> server,
            List<Counter<R>> counters) {
        Rates<R> rates = new Rates<>(List.copyOf(counters), restarts(server));
        Map<String, R> before = Map.of();
        boolean sparse = false;
        for (int i = 0; i < samples.size(); i++) {
            Sample<R> sample = samples.get(i);
            sparse |= sample.rows().stream().anyMatch(row -> row instanceof SparseCounterRow);
            Map<String, R> now = sparse ? new HashMap<>(before) : new HashMap<>();
            sample.rows().forEach(row -> now.put(row.key(), row));
            if (i > 0 && sample.at().isAfter(from)) {
                rates.interval(samples.get(i - 1).at(), sample.at(), time.gapAfter(i - 1) != null, before, now);
            }
            before = now;
        }
        return rates;
    }

    private static List<Span> restarts(Collection<Sample<ServerRow>> server) {
        List<Span> restarts = new ArrayList<>();
        Sample<ServerRow> before = null;
        for (Sample<ServerRow> sample : server) {
            if (sample.rows().isEmpty()) {
                continue;
            }
            if (before != null
                    && sample.rows()
                            .get(0)
                            .startedAt()
                            .isAfter(before.rows().get(0).startedAt())) {
                restarts.add(new Span(before.at(), sample.at()));
            }
            before = sample;
        }
        return restarts;
    }

    private void interval(Instant from, Instant to, boolean gap, Map<String, R> before, Map<String, R> now) {
        double seconds = Duration.between(from, to).toNanos() / 1e9;
        boolean restarted = restarts.stream()
                .anyMatch(restart ->
                        restart.after().isBefore(to) && restart.until().isAfter(from));
        now.forEach((key, row) -> {
            R earlier = before.get(key);
            boolean fresh = row.statsReset() != null && row.statsReset().isAfter(from);
            boolean reset = earlier != null && reset(earlier, row);
            for (Counter<R> counter : counters) {
                Number last = counter.value().of(row);
                Number first = earlier == null ? null : counter.value().of(earlier);
                if (last == null || (first == null && !fresh)) {
                    continue;
                }
                Tally tally = tallies.computeIfAbsent(key, any -> new LinkedHashMap<>())
                        .computeIfAbsent(counter.name(), any -> new Tally());
                if (gap) {
                    tally.gapSeconds += seconds;
                } else if (first == null) {
                    tally.add(last.doubleValue(), seconds, false, false);
                } else {
                    double certain = reset ? last.doubleValue() : last.doubleValue() - first.doubleValue();
                    tally.add(certain, seconds, reset, reset || restarted);
                }
            }
        });
    }

    private boolean reset(R before, R now) {
        Instant earlier = before.statsReset();
        Instant later = now.statsReset();
        if (later != null && (earlier == null || later.isAfter(earlier))) {
            return true;
        }
        for (Counter<R> counter : counters) {
            Number first = counter.value().of(before);
            Number last = counter.value().of(now);
            if (first != null && last != null && last.doubleValue() < first.doubleValue()) {
                return true;
            }
        }
        return false;
    }

    private static final class Tally {
        private double increase;
        private double seconds;
        private int intervals;
        private double gapSeconds;
        private int resets;
        private boolean lowerBound;

        void add(double more, double length, boolean reset, boolean bound) {
            increase += more;
            seconds += length;
            intervals++;
            resets += reset ? 1 : 0;
            lowerBound |= bound;
        }

        Rate rate() {
            return new Rate(increase, seconds, intervals, gapSeconds, resets, lowerBound);
        }
    }

    /** The keys that were seen in at least two samples that follow each other. */
    public Set<String> keys() {
        return Set.copyOf(tallies.keySet());
    }

    /** The growth of one counter of one key; null when no two samples that follow each other have a reading. */
    public @Nullable Rate rate(String key, String counter) {
        Tally tally = tallies.getOrDefault(key, Map.of()).get(counter);
        return tally == null ? null : tally.rate();
    }

    /** The growth of a counter summed over all keys; the time and the number of intervals are those of the key that has most. */
    public Rate total(String counter) {
        Tally sum = new Tally();
        for (Map<String, Tally> one : tallies.values()) {
            Tally tally = one.get(counter);
            if (tally != null) {
                sum.increase += tally.increase;
                sum.seconds = Math.max(sum.seconds, tally.seconds);
                sum.intervals = Math.max(sum.intervals, tally.intervals);
                sum.gapSeconds = Math.max(sum.gapSeconds, tally.gapSeconds);
                sum.resets = Math.max(sum.resets, tally.resets);
                sum.lowerBound |= tally.lowerBound;
            }
        }
        return sum.rate();
    }
}
