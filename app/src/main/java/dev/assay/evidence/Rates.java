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
 * <p>Only two readings of one key in samples that follow each other give an interval. A key that was not there in the sample before starts with
 * its first reading: the probe may have left it out, so what it read then may be old. An interval with a gap counts neither its growth nor its
 * time. Across a reset (a counter that is smaller, or a later time of reset) what was read after it is certain, as it grew from zero; what it
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
     * @param server looks at the server itself, which tell of restarts
     * @param counters what to read; one that is smaller than before shows a reset of all of the row
     */
    public static <R extends CounterRow> Rates<R> of(
            List<Sample<R>> samples, SeenTime time, Collection<Sample<ServerRow>> server, List<Counter<R>> counters) {
        Rates<R> rates = new Rates<>(List.copyOf(counters), restarts(server));
        Map<String, R> before = Map.of();
        for (int i = 0; i < samples.size(); i++) {
            Sample<R> sample = samples.get(i);
            Map<String, R> now = new HashMap<>();
            sample.rows().forEach(row -> now.put(row.key(), row));
            if (i > 0) {
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
            if (earlier == null) {
                return;
            }
            boolean reset = reset(earlier, row);
            for (Counter<R> counter : counters) {
                Number first = counter.value().of(earlier);
                Number last = counter.value().of(row);
                if (first == null || last == null) {
                    continue;
                }
                Tally tally = tallies.computeIfAbsent(key, any -> new LinkedHashMap<>())
                        .computeIfAbsent(counter.name(), any -> new Tally());
                if (gap) {
                    tally.gapSeconds += seconds;
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
