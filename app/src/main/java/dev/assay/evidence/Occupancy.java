package dev.assay.evidence;

import dev.assay.pg.FastPathSlots;
import dev.assay.pg.Oid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How full something was: a distribution over all sightings.
 *
 * <p>A percentile is the smallest sighting that at least so many of the sightings do not exceed (nearest rank): a value that was seen.
 *
 * @param samples how many sightings stand behind it
 * @param looks how many looks stand behind it
 * @param limit what it can hold; null where there is no limit or it is not known
 * @param shareAtLimit of the sightings, 0 to 1; 0 without a limit
 */
public record Occupancy(
        long samples,
        int looks,
        double min,
        double median,
        double p90,
        double p99,
        double max,
        @Nullable Integer limit,
        double shareAtLimit) {

    /**
     * The distribution of these sightings; null without any.
     *
     * @param looks how many looks they are from
     * @param limit what it can hold; null where there is no limit or it is not known
     */
    public static @Nullable Occupancy of(Collection<? extends Number> sightings, int looks, @Nullable Integer limit) {
        if (sightings.isEmpty()) {
            return null;
        }
        double[] sorted =
                sightings.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        long full = limit == null
                ? 0
                : Arrays.stream(sorted).filter(value -> value >= limit).count();
        return new Occupancy(
                sorted.length,
                looks,
                sorted[0],
                percentile(sorted, 50),
                percentile(sorted, 90),
                percentile(sorted, 99),
                sorted[sorted.length - 1],
                limit,
                full / (double) sorted.length);
    }

    /** The distribution of a value over all rows of all samples; rows without a value are left out, and null without any. */
    public static <R extends Row> @Nullable Occupancy of(
            List<Sample<R>> samples, Function<R, @Nullable Number> value, @Nullable Integer limit) {
        List<Number> sightings = new ArrayList<>();
        for (Sample<R> sample : samples) {
            for (R row : sample.rows()) {
                Number one = value.apply(row);
                if (one != null) {
                    sightings.add(one);
                }
            }
        }
        return of(sightings, samples.size(), limit);
    }

    private static double percentile(double[] sorted, int percent) {
        long rank = (sorted.length * (long) percent + 99) / 100;
        return sorted[(int) Math.max(0, rank - 1)];
    }

    /** Fast-path slots taken, by backend that holds relation locks; null when none was seen. */
    public static @Nullable Occupancy slotsByBackend(List<Sample<RelationLocksRow>> locks, FastPathSlots slots) {
        return of(locks, row -> prepared(row) ? null : fastPath(row).size(), slots.total());
    }

    /** Fast-path slots taken in the fullest group of each backend that holds relation locks; null when none was seen. */
    public static @Nullable Occupancy slotsInFullestGroup(List<Sample<RelationLocksRow>> locks, FastPathSlots slots) {
        return of(
                locks,
                row -> prepared(row)
                        ? null
                        : Arrays.stream(slots.takenByGroup(fastPath(row))).max().orElse(0),
                FastPathSlots.PER_GROUP);
    }

    /** Fast-path slots taken in each group, in the order of the groups, over the backends that hold relation locks; empty when none was seen. */
    public static List<Occupancy> slotsByGroup(List<Sample<RelationLocksRow>> locks, FastPathSlots slots) {
        List<List<Integer>> groups = new ArrayList<>();
        for (int group = 0; group < slots.groups(); group++) {
            groups.add(new ArrayList<>());
        }
        for (Sample<RelationLocksRow> sample : locks) {
            for (RelationLocksRow row : sample.rows()) {
                if (prepared(row)) {
                    continue;
                }
                int[] taken = slots.takenByGroup(fastPath(row));
                for (int group = 0; group < taken.length; group++) {
                    groups.get(group).add(taken[group]);
                }
            }
        }
        List<Occupancy> occupancies = new ArrayList<>();
        for (List<Integer> sightings : groups) {
            Occupancy one = of(sightings, locks.size(), FastPathSlots.PER_GROUP);
            if (one != null) {
                occupancies.add(one);
            }
        }
        return occupancies;
    }

    /** A prepared transaction has no backend and so no slots. */
    private static boolean prepared(RelationLocksRow row) {
        return row.pid() == BlockingRow.PREPARED;
    }

    /** A relation that a backend has locked in several modes needs one slot. */
    private static List<Oid> fastPath(RelationLocksRow row) {
        return row.locks().stream()
                .filter(RelationLocksRow.Lock::fastPath)
                .map(RelationLocksRow.Lock::relation)
                .distinct()
                .toList();
    }
}
