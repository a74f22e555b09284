package dev.assay.bottleneck.lockmanager;

import dev.assay.diagnose.Confidence;
import dev.assay.diagnose.Culprit;
import dev.assay.diagnose.Figure;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.RefutedCause;
import dev.assay.diagnose.Rule;
import dev.assay.diagnose.Severity;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.LockFootprint;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.SettingRow;
import dev.assay.pg.FastPathSlots;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A statement locks more relations than its backend has fast-path slots, and the rest contends for the shared lock table.
 *
 * <p>Planning a statement takes a weak lock on every table it may read and on each of their indexes; an unpruned partitioned table brings
 * all its partitions and their indexes along. A backend keeps weak relation locks in slots of its own ({@link FastPathSlots}), which costs
 * next to nothing. A lock that finds no slot goes to the shared lock table, whose sixteen partitions are guarded by one lightweight lock
 * each: many sessions doing that at once wait in {@code LWLock:LockManager}.
 *
 * <p>Seen must be: sessions waiting in {@code LWLock:LockManager}, and a statement of theirs with a weak lock in the shared table although
 * no strong lock put it there, because its group of slots is full. The same wait has rivals, see {@link Rivals}.
 *
 * <p>Sources: {@code src/backend/storage/lmgr/README} (fast path locking) and {@code lock.c} of 16 and 18; the counts were read off real
 * servers.
 */
final class SlotOverflowRule implements Rule {

    static final String ID = "lockmanager.slot-overflow";

    /** Below this share of database time there is nothing worth a finding. */
    private static final double SHARE_MIN = 0.01;

    /** A single look can catch one session in any wait; this many sightings cannot be chance. */
    private static final long SIGHTINGS_MIN = 5;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public Set<Class<? extends Row>> needs() {
        return Set.of(ActivityRow.class, RelationLocksRow.class, SettingRow.class);
    }

    @Override
    public List<Finding> judge(Evidence evidence) {
        SlotPressure pressure = SlotPressure.of(evidence);
        if (pressure.explainedSightings() < SIGHTINGS_MIN || pressure.explainedShare() < SHARE_MIN) {
            return List.of();
        }
        return List.of(finding(evidence, pressure));
    }

    private static Finding finding(Evidence evidence, SlotPressure pressure) {
        LockFootprint worst = pressure.overflowing().get(0).footprint();
        FastPathSlots slots = pressure.slots();
        LockedObjects objects = LockedObjects.of(worst, evidence.catalog());
        double explained = pressure.explainedSightings() / (double) pressure.lockManagerSightings();
        double share = pressure.explainedShare();
        String title = String.format(
                Locale.ROOT,
                "%s%d relation locks per execution do not fit %d fast-path slots",
                worst.whole() ? "" : "At least ",
                worst.total(),
                slots.total());
        String summary = String.format(
                Locale.ROOT,
                "A statement holds %s%d relation locks; %d sit in the backend's fast-path slots, %d go through the shared lock table. "
                        + "Sessions spend %.1f %% of database time waiting for its LWLocks (LWLock:LockManager), %.0f %% of those "
                        + "sightings while running such a statement.",
                worst.whole() ? "" : "at least ",
                worst.total(),
                worst.fastPathCount(),
                worst.slowCount(),
                100 * pressure.lockManagerShare(),
                100 * explained);
        return new Finding(
                ID,
                fingerprint(worst),
                title,
                Severity.ofShare(share),
                Confidence.MEASURED,
                summary,
                share,
                figures(pressure, worst),
                culprits(pressure, worst, objects),
                new Remedies(evidence.server().version(), slots, worst, objects).all(),
                refuted(evidence, pressure, worst, objects),
                null);
    }

    private static List<RefutedCause> refuted(
            Evidence evidence, SlotPressure pressure, LockFootprint worst, LockedObjects objects) {
        List<RefutedCause> refuted = new ArrayList<>(new Rivals(evidence, pressure).refuted());
        refuted.addAll(new Remedies(evidence.server().version(), pressure.slots(), worst, objects).thatDoNotHelp());
        return refuted;
    }

    private static List<Figure> figures(SlotPressure pressure, LockFootprint worst) {
        String activity = "pg_stat_activity";
        String locks = "pg_locks";
        boolean more = !worst.whole();
        return List.of(
                new Figure("relation_locks", worst.total(), "locks", worst.backendSamples(), locks, more),
                new Figure("fastpath_locks", worst.fastPathCount(), "locks", worst.backendSamples(), locks, more),
                new Figure("shared_table_locks", worst.slowCount(), "locks", worst.backendSamples(), locks, more),
                new Figure("fastpath_slots", pressure.slots().total(), "slots", 1, "version and settings"),
                new Figure(
                        "lock_manager_share",
                        pressure.lockManagerShare(),
                        "share",
                        pressure.waits().sessionSamples(),
                        activity),
                new Figure(
                        "lock_manager_aas",
                        pressure.lockManagerSightings()
                                / (double) Math.max(1, pressure.waits().samples()),
                        "sessions",
                        pressure.waits().samples(),
                        activity));
    }

    private static List<Culprit> culprits(SlotPressure pressure, LockFootprint worst, LockedObjects objects) {
        String atLeast = worst.whole() ? "" : "at least ";
        List<Culprit> culprits = new ArrayList<>();
        for (SlotPressure.Overflow overflow : pressure.overflowing()
                .subList(0, Math.min(3, pressure.overflowing().size()))) {
            LockFootprint footprint = overflow.footprint();
            culprits.add(new Culprit(
                    "statement",
                    footprint.statement().text(),
                    String.format(
                            Locale.ROOT,
                            "%s%d locks = %d fast-path + %d shared; %d of %d sightings in LWLock:LockManager",
                            footprint.whole() ? "" : "at least ",
                            footprint.total(),
                            footprint.fastPathCount(),
                            footprint.slowCount(),
                            overflow.waiting(),
                            pressure.lockManagerSightings())));
        }
        for (LockedObjects.Partitioned table : objects.partitioned()) {
            CatalogRelation first = table.partitions().get(0);
            CatalogRelation last = table.partitions().get(table.partitions().size() - 1);
            culprits.add(new Culprit(
                    "partitioned table",
                    table.table().name().sql(),
                    String.format(
                            Locale.ROOT,
                            "%s%d partitions locked (%s ... %s), %d locks with their indexes; partition key %s",
                            atLeast,
                            table.partitions().size(),
                            first.name().sql(),
                            last.name().sql(),
                            table.locks(),
                            table.table().partitionKey())));
        }
        LockedObjects.Indexed indexed = objects.indexedMost();
        if (indexed != null) {
            culprits.add(new Culprit(
                    "table",
                    indexed.table().name().sql(),
                    atLeast
                            + indexed.indexes()
                            + (indexed.partitions()
                                    ? " indexes of each partition are locked whenever it is planned"
                                    : " of its indexes are locked whenever it is planned")));
        }
        return culprits;
    }

    /** The same for the same statement, whatever the window, the version and the literals. */
    private static String fingerprint(LockFootprint footprint) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(footprint.statement().text().getBytes(StandardCharsets.UTF_8));
            return ID + ":" + HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String whyNot(Evidence evidence) {
        SlotPressure pressure = SlotPressure.of(evidence);
        String waits = String.format(
                Locale.ROOT,
                "LWLock:LockManager was seen in %d of %d active sessions over %d looks",
                pressure.lockManagerSightings(),
                pressure.waits().sessionSamples(),
                pressure.waits().samples());
        String locks = pressure.widest()
                .map(widest -> String.format(
                        Locale.ROOT,
                        "; the widest statement holds %s%d relation locks, %d of them in the %d fast-path slots",
                        widest.whole() ? "" : "at least ",
                        widest.total(),
                        widest.fastPathCount(),
                        pressure.slots().total()))
                .orElse("; no relation lock was seen");
        String few = pressure.explainedSightings() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %d of them ran a statement without a free slot, too few for a finding",
                        pressure.explainedSightings());
        return waits + few + locks;
    }
}
