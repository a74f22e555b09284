package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PoolUseTest {

    private static final Instant START = Instant.parse("2026-03-14T09:00:00Z");

    private static PoolRow row(
            String pool, int active, int pending, @Nullable Long timeouts, long acquired, long micros) {
        return new PoolRow(
                "http://app", pool, active, 10 - active, pending, 10, 10, 2, timeouts, acquired, micros, 10 * micros);
    }

    private static List<Sample<PoolRow>> samples(List<List<PoolRow>> looks) {
        List<Sample<PoolRow>> samples = new ArrayList<>();
        for (List<PoolRow> rows : looks) {
            samples.add(new Sample<>(START.plusSeconds(samples.size()), rows));
        }
        return samples;
    }

    @Test
    void figuresAreOfTheLooksAndCountersOfTheStepsBetween() {
        PoolUse use = PoolUse.of(samples(List.of(
                        List.of(row("p", 2, 0, 5L, 100, 1_000)),
                        List.of(row("p", 10, 6, 5L, 150, 2_000)),
                        List.of(row("p", 9, 3, 8L, 200, 5_000)))))
                .get(0);
        // by hand: (2 + 10 + 9) / 3, (0 + 6 + 3) / 3, 8 - 5, 4000 micros for 100 connections
        assertThat(use).isEqualTo(new PoolUse("http://app", "p", 3, 10, 7.0, 10, 3.0, 6, 3L, 40.0, 400.0));
    }

    @Test
    void anApplicationThatIsStartedAnewCountsNoStepBack() {
        PoolUse use = PoolUse.of(samples(List.of(
                        List.of(row("p", 1, 0, 90L, 900, 9_000)),
                        List.of(row("p", 1, 0, 2L, 10, 100)),
                        List.of(row("p", 1, 0, 3L, 20, 300)))))
                .get(0);
        assertThat(use.timeouts()).isEqualTo(1);
        assertThat(use.acquireMicrosMean()).isEqualTo(20.0);
    }

    @Test
    void whatIsNotToldIsNotInvented() {
        PoolRow bare = new PoolRow("http://app", "p", 1, null, null, null, null, null, null, null, null, null);
        PoolUse use = PoolUse.of(samples(List.of(List.of(bare), List.of(bare)))).get(0);
        assertThat(use).isEqualTo(new PoolUse("http://app", "p", 2, null, 1.0, 1, null, null, null, null, null));
        PoolUse once =
                PoolUse.of(samples(List.of(List.of(row("p", 1, 0, 4L, 1, 1))))).get(0);
        assertThat(once.timeouts()).isNull();
        assertThat(PoolUse.of(List.of())).isEmpty();
    }

    @Test
    void poolsAreKeptApartAndOneThatIsMissingForALookStays() {
        List<PoolUse> uses = PoolUse.of(samples(List.of(
                List.of(row("p", 1, 0, 0L, 1, 1), row("q", 4, 0, 0L, 1, 1)),
                List.of(row("q", 6, 0, 0L, 1, 1)),
                List.of(row("p", 3, 0, 0L, 1, 1), row("q", 8, 0, 0L, 1, 1)))));
        assertThat(uses).extracting(PoolUse::pool).containsExactly("p", "q");
        assertThat(uses).extracting(PoolUse::samples).containsExactly(2, 3);
        assertThat(uses).extracting(PoolUse::activeMean).containsExactly(2.0, 6.0);
    }
}
