package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.RelationLocksRow.Lock;
import dev.assay.pg.FastPathSlots;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OccupancyTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static Occupancy of(List<Integer> sightings, int limit) {
        return Objects.requireNonNull(Occupancy.of(sightings, 5, limit));
    }

    @Test
    void ten_sightings_by_hand() {
        assertThat(of(List.of(9, 1, 2, 3, 4, 5, 6, 7, 8, 16), 8))
                .isEqualTo(new Occupancy(10, 5, 1, 5, 9, 16, 16, 8, 0.3));
        assertThat(Occupancy.of(List.of(), 3, 8)).isNull();
        assertThat(Occupancy.of(List.of(4), 1, null)).isEqualTo(new Occupancy(1, 1, 4, 4, 4, 4, 4, null, 0));
    }

    /** The smallest sighting that at least so many percent do not exceed, looked for one by one. */
    @Test
    void random_percentiles_are_those_of_the_definition() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            List<Integer> sightings = new ArrayList<>();
            for (int i = 1 + random.nextInt(250); i > 0; i--) {
                sightings.add(random.nextInt(1 + random.nextInt(40)));
            }
            Occupancy occupancy = of(sightings, 16);
            assertThat(List.of(occupancy.median(), occupancy.p90(), occupancy.p99()))
                    .as("seed %d", seed)
                    .containsExactly(percentile(sightings, 50), percentile(sightings, 90), percentile(sightings, 99));
            assertThat(occupancy.shareAtLimit())
                    .isEqualTo(sightings.stream().filter(one -> one > 15).count() / (double) sightings.size());
        }
    }

    private static double percentile(List<Integer> sightings, int percent) {
        return sightings.stream()
                .filter(value ->
                        100L * sightings.stream().filter(one -> one <= value).count()
                                >= (long) percent * sightings.size())
                .min(Integer::compare)
                .orElseThrow();
    }

    private static RelationLocksRow backend(int pid, Lock... locks) {
        return new RelationLocksRow(pid, null, List.of(locks));
    }

    private static Lock lock(long oid, boolean fastPath) {
        return new Lock(new Oid(oid), LockMode.ACCESS_SHARE, true, fastPath);
    }

    /** 4 groups: 49157 is 1 modulo 4, so a relation's group is its OID modulo 4. */
    @Test
    void slots_are_counted_by_backend_and_by_group() {
        FastPathSlots slots = new FastPathSlots(4);
        Lock[] sixteen =
                IntStream.range(0, 16).mapToObj(i -> lock(20000 + 4L * i, true)).toArray(Lock[]::new);
        List<Sample<RelationLocksRow>> looks = List.of(
                new Sample<>(
                        START,
                        List.of(
                                backend(1, lock(20000, true), lock(20001, true), lock(20002, false)),
                                backend(2, sixteen),
                                backend(BlockingRow.PREPARED, lock(20003, false)))),
                new Sample<>(
                        START.plusSeconds(1),
                        List.of(backend(
                                1, lock(20000, true), new Lock(new Oid(20000), LockMode.ROW_EXCLUSIVE, true, true)))));
        assertThat(Occupancy.slotsByBackend(looks, slots)).isEqualTo(new Occupancy(3, 2, 1, 2, 16, 16, 16, 64, 0));
        assertThat(Occupancy.slotsInFullestGroup(looks, slots))
                .isEqualTo(new Occupancy(3, 2, 1, 1, 16, 16, 16, 16, 1 / 3.0));
        assertThat(Occupancy.slotsByGroup(looks, slots))
                .extracting(Occupancy::max)
                .containsExactly(16.0, 1.0, 0.0, 0.0);
        assertThat(Occupancy.slotsByGroup(List.of(), slots)).isEmpty();
        // up to 17: one group, so backend 2 is at its limit
        assertThat(Objects.requireNonNull(Occupancy.slotsByBackend(looks, new FastPathSlots(1)))
                        .shareAtLimit())
                .isEqualTo(1 / 3.0);
    }
}
