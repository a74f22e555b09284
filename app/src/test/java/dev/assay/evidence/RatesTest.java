package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RatesTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private record Count(
            String key,
            @Nullable Long blocks,
            double millis,
            @Nullable Instant statsReset) implements CounterRow {}

    private record Changed(String key, long calls, @Nullable Instant statsReset) implements SparseCounterRow {}

    private static final List<Counter<Count>> COUNTERS =
            List.of(new Counter<>("blocks", Count::blocks), new Counter<>("millis", Count::millis));

    private static Count count(String key, long blocks, double millis) {
        return new Count(key, blocks, millis, null);
    }

    private static <R extends Row> Sample<R> at(double second, List<R> rows) {
        return new Sample<>(START.plusMillis(Math.round(second * 1000)), rows);
    }

    private static Sample<Count> look(double second, Count... rows) {
        return at(second, Arrays.asList(rows));
    }

    private static <R extends CounterRow> Rates<R> rates(
            List<Sample<R>> samples, List<Sample<ServerRow>> server, List<Counter<R>> counters) {
        Instant end = samples.get(samples.size() - 1).at();
        SeenTime time = SeenTime.ofSamples(START, end, samples, Outages.NONE);
        return Rates.of(samples, time, START, server, counters);
    }

    private static Rates<Count> rates(List<Sample<Count>> samples) {
        return rates(samples, List.of(), COUNTERS);
    }

    private static Sample<ServerRow> server(double second, double startedAt) {
        Instant started = START.plusMillis(Math.round(startedAt * 1000));
        return at(second, List.of(new ServerRow(started, started, false, "0/0", START)));
    }

    @Test
    void growth_over_the_time_between_the_looks() {
        Rates<Count> rates =
                rates(List.of(look(0, count("t", 100, 5)), look(2, count("t", 150, 5)), look(4, count("t", 160, 9.5))));
        assertThat(rates.rate("t", "blocks")).isEqualTo(new Rate(60, 4, 2, 0, 0, false));
        assertThat(rates.rate("t", "blocks").perSecond()).isEqualTo(15);
        assertThat(rates.rate("t", "millis").increase()).isEqualTo(4.5);
        assertThat(rates.rate("u", "blocks")).isNull();
        assertThat(rates(List.of(look(0, count("t", 100, 5)))).keys()).isEmpty();
    }

    /** 100 -> 150, then a reset and 20 since: 50 + 20 are certain. The other counter has already overtaken its old value. */
    @Test
    void a_smaller_counter_is_a_reset_of_the_whole_row() {
        Rates<Count> rates =
                rates(List.of(look(0, count("t", 100, 1)), look(1, count("t", 150, 2)), look(2, count("t", 20, 3))));
        assertThat(rates.rate("t", "blocks")).isEqualTo(new Rate(70, 2, 2, 0, 1, true));
        assertThat(rates.rate("t", "millis")).isEqualTo(new Rate(1 + 3, 2, 2, 0, 1, true));
    }

    @Test
    void a_later_time_of_reset_is_one_though_the_counter_is_larger() {
        List<Sample<Count>> samples = List.of(
                look(0, new Count("t", 100L, 0, START.minusSeconds(9))),
                look(1, new Count("t", 130L, 0, START.plusMillis(500))),
                look(2, new Count("t", 140L, 0, START.plusMillis(500))));
        assertThat(rates(samples).rate("t", "blocks")).isEqualTo(new Rate(130 + 10, 2, 2, 0, 1, true));
    }

    /** Started anew at 1.5 s: whether the counters were kept nobody can tell, but 30 is certain. */
    @Test
    void a_restart_that_left_larger_counters_makes_a_lower_bound() {
        List<Sample<Count>> samples =
                List.of(look(0, count("t", 100, 0)), look(1, count("t", 110, 0)), look(2, count("t", 140, 0)));
        List<Sample<ServerRow>> server = List.of(server(0.9, -99), server(1.9, 1.5));
        assertThat(rates(samples, server, COUNTERS).rate("t", "blocks")).isEqualTo(new Rate(40, 2, 2, 0, 0, true));
        List<Sample<ServerRow>> same = List.of(server(0.9, -99), server(1.9, -99));
        assertThat(rates(samples, same, COUNTERS).rate("t", "blocks")).isEqualTo(new Rate(40, 2, 2, 0, 0, false));
    }

    @Test
    void a_gap_counts_neither_its_growth_nor_its_time() {
        List<Sample<Count>> samples = new ArrayList<>();
        for (int second : new int[] {0, 1, 2, 3, 63, 64, 65}) {
            samples.add(look(second, count("t", 10L * second, 0)));
        }
        assertThat(rates(samples).rate("t", "blocks")).isEqualTo(new Rate(50, 5, 5, 60, 0, false));
    }

    @Test
    void a_key_counts_from_its_first_reading_and_not_over_the_time_that_it_was_away() {
        List<Sample<Count>> samples = List.of(
                look(0, count("a", 1, 0)),
                look(1, count("a", 2, 0), count("b", 1000, 0)),
                look(2, count("b", 1003, 0)),
                look(3, count("a", 900, 0), count("b", 1003, 0)),
                look(4, count("a", 901, 0)));
        Rates<Count> rates = rates(samples);
        assertThat(rates.rate("a", "blocks")).isEqualTo(new Rate(2, 2, 2, 0, 0, false));
        assertThat(rates.rate("b", "blocks")).isEqualTo(new Rate(3, 2, 2, 0, 0, false));
        assertThat(rates.total("blocks").increase()).isEqualTo(5);
    }

    @Test
    void a_counter_that_the_version_does_not_have_has_no_rate() {
        Rates<Count> rates =
                rates(List.of(look(0, new Count("t", null, 1, null)), look(1, new Count("t", null, 2, null))));
        assertThat(rates.rate("t", "blocks")).isNull();
        assertThat(rates.rate("t", "millis")).isNotNull();
        assertThat(rates.total("blocks").perSecond()).isNaN();
    }

    @Test
    void intervals_before_the_window_only_give_the_reading_to_start_from() {
        List<Sample<Count>> samples =
                List.of(look(0, count("t", 0, 0)), look(1, count("t", 7, 0)), look(2, count("t", 9, 0)));
        SeenTime time = SeenTime.ofSamples(START, START.plusSeconds(2), samples, Outages.NONE);
        assertThat(Rates.of(samples, time, START.plusSeconds(1), List.of(), COUNTERS)
                        .rate("t", "blocks"))
                .isEqualTo(new Rate(2, 1, 1, 0, 0, false));
    }

    /** Unchanged rows are not told: a stands still from 1 to 3 s. A new key without a time of its own may be old; c says that it is new. */
    @Test
    void what_a_sparse_sample_does_not_hold_reads_as_before() {
        Instant before = START.minusSeconds(60);
        List<Sample<Changed>> samples = List.of(
                at(0, List.of(new Changed("a", 100, before))),
                at(1, List.of(new Changed("a", 104, before))),
                at(2, List.of(new Changed("b", 70, before))),
                at(3, List.of(new Changed("a", 105, before), new Changed("c", 6, START.plusMillis(2500)))),
                at(4, List.of()));
        List<Counter<Changed>> calls = List.of(new Counter<>("calls", Changed::calls));
        Rates<Changed> rates = rates(samples, List.of(), calls);
        assertThat(rates.rate("a", "calls")).isEqualTo(new Rate(5, 4, 4, 0, 0, false));
        assertThat(rates.rate("b", "calls")).isEqualTo(new Rate(0, 2, 2, 0, 0, false));
        assertThat(rates.rate("c", "calls")).isEqualTo(new Rate(6, 2, 2, 0, 0, false));
    }

    /** A simulated counter that knows its true growth: equal without a reset, never more with one. */
    @Test
    void random_counters_never_grow_by_more_than_they_did() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            boolean resets = random.nextBoolean();
            boolean tells = random.nextBoolean();
            List<Sample<Count>> samples = new ArrayList<>();
            long value = random.nextInt(1000);
            long truth = 0;
            int seen = 0;
            Instant reset = START.minus(Duration.ofDays(1));
            double second = 0;
            for (int look = 0; look < 30; look++) {
                samples.add(look(second, new Count("t", value, 0, tells ? reset : null)));
                double step = 0.9 + random.nextDouble() / 5;
                for (int tick = 0; tick < 10 && look < 29; tick++) {
                    int more = random.nextInt(50);
                    value += more;
                    truth += more;
                    if (resets && random.nextInt(60) == 0) {
                        value = 0;
                        reset = START.plusMillis(Math.round((second + step * tick / 10) * 1000));
                        seen++;
                    }
                }
                second += step;
            }
            Rate rate = rates(samples).rate("t", "blocks");
            assertThat(rate.intervals()).isEqualTo(29);
            if (seen == 0) {
                assertThat(rate.increase()).as("seed %d", seed).isCloseTo(truth, within(1e-6));
                assertThat(rate.lowerBound()).isFalse();
            } else {
                assertThat(rate.increase()).as("seed %d", seed).isLessThanOrEqualTo(truth);
                assertThat(rate.lowerBound() || !tells).as("seed %d", seed).isTrue();
            }
        }
    }
}
