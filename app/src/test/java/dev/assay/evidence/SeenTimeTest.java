package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SeenTimeTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static Instant at(double seconds) {
        return START.plusMillis(Math.round(seconds * 1000));
    }

    private static SeenTime time(double to, Outages outages, double... looks) {
        return SeenTime.of(
                START, at(to), Arrays.stream(looks).mapToObj(SeenTimeTest::at).toList(), outages);
    }

    private static double[] seconds(SeenTime time) {
        double[] seconds = new double[time.looks()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = time.secondsOf(i);
        }
        return seconds;
    }

    private static Outages vain(boolean own, double... seconds) {
        return new Outages(Arrays.stream(seconds)
                .mapToObj(second -> new Outages.Failure(at(second), Gap.Reason.NO_ANSWER, "timeout", own))
                .toList());
    }

    @Test
    void a_look_stands_for_the_time_until_the_next_and_the_last_for_one_cadence() {
        SeenTime time = time(6, Outages.NONE, 0, 1, 2.5, 3.5, 4);
        assertThat(seconds(time)).containsExactly(1, 1.5, 1, 0.5, 1); // the last: 1 s, though 2 s are left
        assertThat(time.gaps()).isEmpty();
        assertThat(time.seenSeconds()).isEqualTo(5);
    }

    /** Looks every second; nobody looked between 3 and 63 s. The look at 3 stands for two cadences, the gap is what is left. */
    @Test
    void a_pause_is_a_gap_and_no_value() {
        SeenTime time = time(66, Outages.NONE, 0, 1, 2, 3, 63, 64, 65);
        assertThat(seconds(time)).containsExactly(1, 1, 1, 2, 1, 1, 1);
        assertThat(time.gaps()).containsExactly(new Gap(at(5), at(63), Gap.Reason.NOT_ASKED, ""));
        assertThat(time.gapAfter(3)).isEqualTo(time.gaps().get(0));
        assertThat(time.gapAfter(2)).isNull();
        assertThat(time.seenSeconds() + time.gapSeconds()).isEqualTo(66);
    }

    /** A cadence that goes from one second to eight, and back, has no gap. */
    @Test
    void a_cadence_that_was_changed_is_none() {
        double[] looks = {0, 1, 2, 3, 4, 5, 13, 21, 29, 37, 45, 53, 54, 55, 56, 57, 58};
        SeenTime time = time(59, Outages.NONE, looks);
        assertThat(time.gaps()).isEmpty();
        assertThat(time.seenSeconds()).isEqualTo(59);
        assertThat(time.secondsOf(8)).isEqualTo(8);
    }

    @Test
    void a_failed_look_ends_the_time_of_the_one_before_however_short_the_gap() {
        SeenTime time = time(5, vain(true, 2.25), 0, 1, 2, 3.5, 4.5);
        assertThat(seconds(time)).containsExactly(1, 1, 0.25, 1, 0.5);
        assertThat(time.gaps()).containsExactly(new Gap(at(2.25), at(3.5), Gap.Reason.NO_ANSWER, "timeout"));
        assertThat(time.gaps().get(0).askedInVain()).isTrue();
        // what failed elsewhere makes no gap where this probe went on
        assertThat(time(5, vain(false, 2.25), 0, 1, 2, 3.5, 4.5).gaps()).isEmpty();
        // but explains one that is there
        assertThat(time(9, vain(false, 2.25), 0, 1, 2, 7, 8).gaps())
                .containsExactly(new Gap(at(2.25), at(7), Gap.Reason.NO_ANSWER, "timeout"));
    }

    @Test
    void a_window_may_begin_and_end_in_a_gap_or_hold_no_look_at_all() {
        assertThat(time(20, Outages.NONE, 8, 9, 10, 11).gaps())
                .containsExactly(
                        new Gap(at(0), at(8), Gap.Reason.NOT_ASKED, ""),
                        new Gap(at(12), at(20), Gap.Reason.NOT_ASKED, ""));
        SeenTime none = time(20, vain(true, 3));
        assertThat(none.gaps()).hasSize(1);
        assertThat(none.seenSeconds()).isZero();
        assertThat(none.gapSeconds()).isEqualTo(20);
    }

    @Test
    void failures_are_read_off_looks_of_the_probe_and_off_the_session() {
        Outages outages = Outages.of(
                "activity",
                List.of(
                        look(2, "activity", LookRow.Outcome.OK, 900_000, ""),
                        look(5, "activity", LookRow.Outcome.OK, 2_000_000, ""),
                        look(7, "activity", LookRow.Outcome.MISSED, 500_000, "timeout"),
                        look(8, "settings", LookRow.Outcome.MISSED, 500_000, "timeout"),
                        look(9, "activity", LookRow.Outcome.LOST, 0, "gone"),
                        look(9, "activity", LookRow.Outcome.REFUSED, 0, "no such view")),
                List.of(
                        new Sample<>(at(1), List.of(new ObserverRow(ObserverRow.Kind.CONNECTED, "PostgreSQL 16"))),
                        new Sample<>(at(9), List.of(new ObserverRow(ObserverRow.Kind.LOST, "gone"))),
                        new Sample<>(at(10), List.of(new ObserverRow(ObserverRow.Kind.REFUSED, "starting up")))));
        assertThat(outages.failures())
                .containsExactly(
                        new Outages.Failure(at(3), Gap.Reason.NO_ANSWER, "the answer took 2000 ms", false),
                        new Outages.Failure(at(6.5), Gap.Reason.NO_ANSWER, "timeout", true),
                        new Outages.Failure(at(7.5), Gap.Reason.NO_ANSWER, "timeout", false),
                        new Outages.Failure(at(9), Gap.Reason.LOST, "gone", true),
                        new Outages.Failure(at(9), Gap.Reason.LOST, "gone", false),
                        new Outages.Failure(at(10), Gap.Reason.LOST, "starting up", false));
    }

    private static Sample<LookRow> look(
            double second, String probe, LookRow.Outcome outcome, long tookMicros, String detail) {
        return new Sample<>(at(second), List.of(new LookRow(probe, outcome, tookMicros, 1, detail)));
    }

    /** Each tenth of a second of the window is asked by itself which look it belongs to; all times are multiples of it. */
    @Test
    void every_moment_of_random_windows_is_seen_or_not_as_the_rule_says() {
        for (int round = 0; round < 400; round++) {
            long seed = 20_260_101L + round;
            Random random = new Random(seed);
            List<Integer> looks = new ArrayList<>();
            List<Integer> failures = new ArrayList<>();
            int tick = random.nextInt(8);
            int cadence = 4 + random.nextInt(8);
            while (looks.size() < 1 + random.nextInt(30)) {
                looks.add(tick);
                int what = random.nextInt(20);
                if (what == 0) {
                    failures.add(tick + 1);
                }
                cadence = what == 1 ? 4 + random.nextInt(40) : cadence;
                tick += what == 2 ? 100 : cadence + random.nextInt(3);
            }
            int end = tick + random.nextInt(30);
            Outages outages =
                    vain(true, failures.stream().mapToDouble(one -> one / 10.0).toArray());
            SeenTime time = time(
                    end / 10.0,
                    outages,
                    looks.stream().mapToDouble(one -> one / 10.0).toArray());
            int seen = 0;
            for (int moment = 0; moment < end; moment++) {
                seen += seen(moment, looks, failures, end) ? 1 : 0;
            }
            assertThat(time.seenSeconds()).as("seed %d", seed).isCloseTo(seen / 10.0, within(1e-9));
            for (Gap gap : time.gaps()) {
                int from = (int) (Duration.between(START, gap.from()).toMillis() / 100);
                int to = (int) (Duration.between(START, gap.to()).toMillis() / 100);
                for (int moment = from; moment < to; moment++) {
                    assertThat(seen(moment, looks, failures, end))
                            .as("moment %d in %s, seed %d", moment, gap, seed)
                            .isFalse();
                }
            }
        }
    }

    private static boolean seen(int moment, List<Integer> looks, List<Integer> failures, int end) {
        int look = -1;
        for (int i = 0; i < looks.size() && looks.get(i) <= moment; i++) {
            look = i;
        }
        if (look < 0) {
            return false;
        }
        int at = looks.get(look);
        boolean last = look == looks.size() - 1;
        int next = last ? end : looks.get(look + 1);
        if (failures.stream().anyMatch(failure -> failure >= at && failure < next && failure <= moment)) {
            return false;
        }
        int cadence = Math.max(
                middle(looks, Math.max(0, look - 5), look),
                middle(looks, look + 1, Math.min(looks.size() - 1, look + 6)));
        if (cadence == 0 && looks.size() == 2) {
            cadence = looks.get(1) - looks.get(0);
        }
        return moment - at < (last ? 1 : 2) * cadence;
    }

    private static int middle(List<Integer> looks, int first, int end) {
        List<Integer> intervals = new ArrayList<>();
        for (int i = first; i < end; i++) {
            intervals.add(looks.get(i + 1) - looks.get(i));
        }
        intervals.sort(null);
        return intervals.isEmpty() ? 0 : intervals.get(intervals.size() / 2);
    }
}
