package dev.assay.evidence.episode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.evidence.Gap;
import dev.assay.evidence.Outages;
import dev.assay.evidence.episode.SyntheticDay.Injected;
import dev.assay.evidence.episode.SyntheticDay.Trouble;
import dev.assay.evidence.episode.SyntheticDay.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stalls at known times in days of looks, and days without any. */
final class EpisodeFinderTest {

    private static final Instant MIDNIGHT = SyntheticDay.MIDNIGHT;
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static List<Span> find(SyntheticDay day) {
        return EpisodeFinder.find(MIDNIGHT, day.to, day.points, day.outages(), SHORTEST);
    }

    /** Four seeds of every kind of day: three weeks of looks without one false alarm. */
    @ParameterizedTest
    @EnumSource(Use.class)
    void a_day_without_stalls_has_no_episodes(Use use) {
        for (long seed = 1; seed <= 4; seed++) {
            SyntheticDay day = new SyntheticDay(seed, use, Duration.ofDays(1), List.of());
            assertThat(find(day)).as("%s, seed %d", use, seed).isEmpty();
        }
    }

    /** Forty stalls of 2 to 60 seconds and of every kind a day, two seeds of every kind of day. */
    @ParameterizedTest
    @EnumSource(Use.class)
    void every_stall_is_found_and_begins_within_two_seconds(Use use) {
        for (long seed = 101; seed <= 102; seed++) {
            List<Injected> injected = stalls(new Random(seed));
            SyntheticDay day = new SyntheticDay(seed, use, Duration.ofDays(1), injected);
            List<Span> found = find(day);
            assertThat(found).as("%s, seed %d", use, seed).hasSameSizeAs(injected);
            for (int i = 0; i < found.size(); i++) {
                Span span = found.get(i);
                Injected stall = injected.get(i);
                assertThat(secondsBetween(stall.from(), span.from()))
                        .as("begin of %s on a %s day, seed %d", stall, use, seed)
                        .isCloseTo(0, within(2.0));
                assertThat(secondsBetween(stall.to(), span.to()))
                        .as("end of %s on a %s day, seed %d", stall, use, seed)
                        .isCloseTo(0, within(3.5));
                assertThat(span.unanswered().isEmpty()).isEqualTo(stall.trouble() != Trouble.NO_ANSWER);
            }
        }
    }

    private static double secondsBetween(Instant one, Instant other) {
        return Duration.between(one, other).toMillis() / 1000.0;
    }

    /** One in each of forty stretches of 36 minutes. Two looks that are 1.02 s apart at most fall into 2.05 s. */
    private static List<Injected> stalls(Random random) {
        List<Injected> stalls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Instant from = MIDNIGHT.plusMillis(i * 36 * 60_000L + 60_000 + random.nextInt(30 * 60_000));
            Duration length = Duration.ofMillis(2050 + random.nextInt(58_000));
            Trouble trouble = Trouble.values()[random.nextInt(Trouble.values().length)];
            int sessions = (trouble == Trouble.LOCK ? 25 : 70) + random.nextInt(40);
            stalls.add(new Injected(from, length, trouble, sessions));
        }
        return stalls;
    }

    /** One look a second: these, and a quiet minute. */
    private static List<LoadPoint> looks(int... blocked) {
        List<LoadPoint> points = new ArrayList<>();
        for (int i = 0; i < blocked.length + 60; i++) {
            int now = i < blocked.length ? blocked[i] : 0;
            points.add(new LoadPoint(MIDNIGHT.plusSeconds(i), now + 1, now, now));
        }
        return points;
    }

    private static List<Span> find(List<LoadPoint> points, Outages outages) {
        Instant to = points.get(points.size() - 1).at().plusSeconds(1);
        return EpisodeFinder.find(MIDNIGHT, to, points, outages, SHORTEST);
    }

    private static Span span(int from, int to) {
        return new Span(MIDNIGHT.plusSeconds(from), MIDNIGHT.plusSeconds(to), 1, List.of());
    }

    /** The high mark is 4 blocked sessions above none, the low mark 2. */
    @Test
    void a_stall_begins_with_two_high_looks_and_reaches_to_the_low_mark() {
        assertThat(find(looks(0, 0, 0, 0, 0, 0, 1, 2, 4, 5, 3, 2, 1), Outages.NONE))
                .containsExactly(span(7, 12));
    }

    @Test
    void a_single_look_and_three_sessions_prove_nothing() {
        assertThat(find(looks(0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 3, 3, 3, 3), Outages.NONE))
                .isEmpty();
    }

    @Test
    void less_than_three_seconds_between_make_one_of_two() {
        assertThat(find(looks(0, 0, 0, 0, 0, 5, 5, 0, 0, 5, 5), Outages.NONE)).containsExactly(span(5, 11));
        assertThat(find(looks(0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 5, 5), Outages.NONE))
                .containsExactly(span(5, 7), span(10, 12));
    }

    @Test
    void shorter_ones_are_left_out_on_demand() {
        List<LoadPoint> points = looks(0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 0, 0, 5, 5, 5, 5);
        Instant to = MIDNIGHT.plusSeconds(76);
        assertThat(EpisodeFinder.find(MIDNIGHT, to, points, Outages.NONE, Duration.ofSeconds(3)))
                .containsExactly(span(12, 16));
    }

    @Test
    void a_load_that_stays_is_no_stall_and_one_that_fills_a_few_looks_is_not_judged() {
        int[] high = new int[120];
        Arrays.fill(high, 9);
        List<LoadPoint> points = looks(high);
        assertThat(find(points, Outages.NONE)).isEmpty();
        assertThat(find(looks(0, 0, 0, 9, 9, 9).subList(0, 11), Outages.NONE)).isEmpty();
        assertThat(find(looks(0, 0, 0, 9, 9, 9).subList(0, 13), Outages.NONE)).hasSize(1);
    }

    /** Looks at 0 to 9 s; asked in vain at 10 and 12 s; looks from 15 s on. */
    @Test
    void a_server_that_does_not_answer_has_an_episode_and_an_observer_that_was_away_has_none() {
        List<LoadPoint> points = new ArrayList<>(looks().subList(0, 10));
        for (int second = 15; second < 30; second++) {
            points.add(new LoadPoint(MIDNIGHT.plusSeconds(second), 1, 0, 0));
        }
        Outages vain = new Outages(List.of(
                new Outages.Failure(MIDNIGHT.plusSeconds(10), Gap.Reason.NO_ANSWER, "timeout", true),
                new Outages.Failure(MIDNIGHT.plusSeconds(12), Gap.Reason.NO_ANSWER, "timeout", true)));
        assertThat(find(points, vain)).singleElement().satisfies(span -> {
            assertThat(span.from()).isEqualTo(MIDNIGHT.plusSeconds(10));
            assertThat(span.to()).isEqualTo(MIDNIGHT.plusSeconds(15));
            assertThat(span.unansweredSeconds()).isEqualTo(5);
            assertThat(span.usualAas()).isEqualTo(1);
        });
        assertThat(find(points, Outages.NONE)).isEmpty();
    }

    @Test
    void a_recording_of_nothing_but_silence_is_one_episode() {
        Outages vain = new Outages(List.of(new Outages.Failure(MIDNIGHT, Gap.Reason.LOST, "refused", true)));
        assertThat(EpisodeFinder.find(MIDNIGHT, MIDNIGHT.plusSeconds(9), List.of(), vain, SHORTEST))
                .singleElement()
                .satisfies(span -> assertThat(span.unansweredSeconds()).isEqualTo(9));
    }
}
