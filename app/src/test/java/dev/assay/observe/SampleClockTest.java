package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clocks are moved by hand; the expected times are counted by hand. */
final class SampleClockTest {

    private final HandClock hand = new HandClock();
    private final SampleClock clock = new SampleClock(hand);

    @Test
    void timesFollowTheMonotonicClockWhileTheWallClockIsNudged() {
        Instant before = clock.now();
        for (int i = 0; i < 9; i++) {
            hand.pass(Duration.ofMillis(10));
            hand.set(Duration.ofMillis(-100)); // back by 0.9 s in all
            assertThat(clock.checked()).isEmpty();
            assertThat(clock.now()).isAfter(before);
            before = clock.now();
        }
        assertThat(clock.now()).isEqualTo(HandClock.START.plusMillis(90));
    }

    @Test
    void aWallClockSetAheadIsFollowedAndItsSizeTold() {
        hand.pass(Duration.ofSeconds(10));
        long look = hand.nanos();
        hand.set(Duration.ofHours(1));
        assertThat(clock.checked()).contains(Duration.ofHours(1));
        assertThat(clock.checked()).as("told once").isEmpty();
        assertThat(clock.now()).isEqualTo(HandClock.START.plusSeconds(10).plus(Duration.ofHours(1)));
        assertThat(clock.at(look)).isEqualTo(clock.now());
        assertThat(clock.from()).as("when it began, by the clock of then").isEqualTo(HandClock.START);
    }

    @Test
    void aWallClockSetBackIsFollowed() {
        hand.pass(Duration.ofSeconds(10));
        hand.set(Duration.ofSeconds(-90));
        assertThat(clock.checked()).contains(Duration.ofSeconds(-90));
        assertThat(clock.now()).isEqualTo(HandClock.START.minusSeconds(80));
        assertThat(clock.elapsedNanos()).isEqualTo(Duration.ofSeconds(10).toNanos());
    }

    /** A machine that sleeps: on Linux only its wall clock goes on, elsewhere both do. */
    @Test
    void sleepMovesTheClockOnlyWhereTheMonotonicOneStoodStill() {
        hand.pass(Duration.ofHours(8));
        assertThat(clock.checked()).isEmpty();
        assertThat(clock.now()).isEqualTo(HandClock.START.plus(Duration.ofHours(8)));
        hand.set(Duration.ofHours(8));
        assertThat(clock.checked()).contains(Duration.ofHours(8));
        assertThat(clock.now()).isEqualTo(HandClock.START.plus(Duration.ofHours(16)));
    }

    @Test
    void theLedgerTellsIt() {
        List<Sample<? extends Row>> told = new ArrayList<>();
        Ledger ledger = new Ledger(
                new SampleSink() {
                    @Override
                    public <R extends Row> void add(Class<R> row, Sample<R> sample) {
                        told.add(sample);
                    }
                },
                clock);
        ledger.checkClock();
        assertThat(told).isEmpty();
        hand.set(Duration.ofMillis(-2_500));
        ledger.checkClock();
        ledger.checkClock();
        assertThat(told)
                .containsExactly(new Sample<>(
                        HandClock.START.minusMillis(2_500),
                        List.of(new ObserverRow(
                                ObserverRow.Kind.CLOCK_MOVED,
                                "the wall clock moved back by 2.500 s; times before and after do not compare"))));
        ledger.close(Duration.ofSeconds(1));
        ledger.happened(ObserverRow.Kind.LOST, "too late");
        assertThat(told).as("nothing comes after the end").hasSize(1);
    }
}
