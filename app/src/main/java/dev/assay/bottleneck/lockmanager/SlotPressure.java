package dev.assay.bottleneck.lockmanager;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.LockFootprint;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.WaitProfile;
import dev.assay.pg.FastPathSlots;
import dev.assay.pg.WaitEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a window's evidence says about fast-path slots: who waits in the lock manager, and which statements have no slot left.
 *
 * @param slots of a backend on this server
 * @param waits what sessions' time went to
 * @param lockManagerSightings how many waiting sessions were seen in {@code LWLock:LockManager}
 * @param lockSamples how many looks at {@code pg_locks} there were
 * @param overflowing statements that took a lock outside of the slots because their group was full and were seen waiting in the lock
 *     manager, most waited-for first
 * @param widest the largest footprint of any statement; empty when no lock was seen
 */
record SlotPressure(
        FastPathSlots slots,
        WaitProfile waits,
        long lockManagerSightings,
        int lockSamples,
        List<Overflow> overflowing,
        Optional<LockFootprint> widest) {

    /**
     * A statement without a slot left.
     *
     * @param footprint its locks
     * @param waiting how many sightings in {@code LWLock:LockManager} ran this statement
     */
    record Overflow(LockFootprint footprint, long waiting) {}

    static SlotPressure of(Evidence evidence) {
        int setting = evidence.setting("max_locks_per_transaction")
                .map(Integer::parseInt)
                .orElse(64);
        FastPathSlots slots = FastPathSlots.of(evidence.server().version(), setting);
        Map<StatementId, Long> waiting = new HashMap<>();
        long sightings = 0;
        for (Sample<ActivityRow> sample : evidence.samples(ActivityRow.class)) {
            for (ActivityRow row : sample.rows()) {
                if (row.active() && row.timeGoesTo().is(WaitEvent.LOCK_MANAGER)) {
                    sightings++;
                    StatementId statement = row.statement();
                    if (statement != null) {
                        waiting.merge(statement, 1L, Long::sum);
                    }
                }
            }
        }
        List<Sample<RelationLocksRow>> locks = evidence.samples(RelationLocksRow.class);
        List<LockFootprint> footprints = LockFootprint.of(locks);
        List<Overflow> overflowing = new ArrayList<>();
        for (LockFootprint footprint : footprints) {
            long seen = waiting.getOrDefault(footprint.statement(), 0L);
            if (seen > 0 && overflows(footprint.locks(), slots)) {
                overflowing.add(new Overflow(footprint, seen));
            }
        }
        overflowing.sort(Comparator.comparingLong(Overflow::waiting).reversed());
        return new SlotPressure(
                slots,
                evidence.waits(),
                sightings,
                locks.size(),
                overflowing,
                footprints.stream().max(Comparator.comparingInt(LockFootprint::total)));
    }

    /**
     * Whether a weak lock is in the shared table because its group of slots is full. A weak lock is also there when another session holds a
     * strong lock on the relation; then the group has free slots. Two modes on one relation share a slot ({@code FastPathGrantRelationLock},
     * {@code lock.c}).
     */
    static boolean overflows(List<RelationLocksRow.Lock> locks, FastPathSlots slots) {
        int[] taken = slots.takenByGroup(locks.stream()
                .filter(RelationLocksRow.Lock::fastPath)
                .map(RelationLocksRow.Lock::relation)
                .toList());
        return locks.stream()
                .anyMatch(lock -> lock.mode().fastPathEligible()
                        && !lock.fastPath()
                        && taken[slots.groupOf(lock.relation())] >= FastPathSlots.PER_GROUP);
    }

    /** Share of database time spent waiting in the lock manager, 0 to 1. */
    double lockManagerShare() {
        return waits.share(WaitEvent.LOCK_MANAGER);
    }

    /** Share of database time that statements without a slot left wait in the lock manager, 0 to 1. */
    double explainedShare() {
        return lockManagerSightings == 0 ? 0 : lockManagerShare() * explainedSightings() / lockManagerSightings;
    }

    /** Sightings in the lock manager that ran a statement without a slot left. */
    long explainedSightings() {
        return overflowing.stream().mapToLong(Overflow::waiting).sum();
    }
}
