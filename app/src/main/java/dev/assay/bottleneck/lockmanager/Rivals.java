package dev.assay.bottleneck.lockmanager;

import dev.assay.diagnose.RefutedCause;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.WaitProfile;
import dev.assay.pg.Oid;
import dev.assay.pg.WaitEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Other causes of {@code LWLock:LockManager} waits, each with the figure that rules it out. A rival that the figures do not rule out is not
 * listed.
 */
final class Rivals {

    /** New sessions a second from which connecting itself keeps the lock manager busy: each login locks a dozen catalogs. */
    private static final double STORM_SESSIONS_PER_SECOND = 20;

    /** A rival that shows in fewer sightings than this part of the lock manager's own is too small to explain them. */
    private static final double NEGLIGIBLE = 0.2;

    private final Evidence evidence;
    private final SlotPressure pressure;

    Rivals(Evidence evidence, SlotPressure pressure) {
        this.evidence = evidence;
        this.pressure = pressure;
    }

    List<RefutedCause> refuted() {
        List<RefutedCause> refuted = new ArrayList<>();
        strongLocks().ifPresent(refuted::add);
        heavyweightLocks().ifPresent(refuted::add);
        connectionStorm().ifPresent(refuted::add);
        monitoring().ifPresent(refuted::add);
        return refuted;
    }

    /** A strong lock (DDL, LOCK TABLE) on a relation moves everybody's weak locks on it out of their slots. */
    private Optional<RefutedCause> strongLocks() {
        Set<Oid> concerned = new HashSet<>();
        pressure.overflowing()
                .forEach(overflow -> overflow.footprint().locks().forEach(lock -> concerned.add(lock.relation())));
        long with = evidence.samples(RelationLocksRow.class).stream()
                .filter(sample -> sample.rows().stream()
                        .flatMap(row -> row.locks().stream())
                        .anyMatch(lock -> lock.mode().evictsFastPath() && concerned.contains(lock.relation())))
                .count();
        if (with > 0) {
            return Optional.empty();
        }
        return Optional.of(new RefutedCause(
                "strong locks (DDL, LOCK TABLE) that move weak locks out of their slots",
                "no lock of mode Share or stronger on these relations in " + pressure.lockSamples()
                        + " looks at pg_locks"));
    }

    private Optional<RefutedCause> heavyweightLocks() {
        WaitProfile waits = pressure.waits();
        double share = waits.slices().stream()
                .filter(slice -> slice.waitEvent().isHeavyweightLock())
                .mapToDouble(WaitProfile.Slice::share)
                .sum();
        if (share > NEGLIGIBLE * pressure.lockManagerShare()) {
            return Optional.empty();
        }
        return Optional.of(new RefutedCause(
                "a hot row or a chain of blocked sessions",
                String.format(
                        Locale.ROOT,
                        "waits for locks of other sessions (Lock:*) take %.1f %% of database time, LWLock:LockManager %.1f %%",
                        100 * share,
                        100 * pressure.lockManagerShare())));
    }

    private Optional<RefutedCause> connectionStorm() {
        double seconds =
                Math.max(1, Duration.between(evidence.from(), evidence.to()).toMillis() / 1000.0);
        Set<Integer> fresh = new HashSet<>();
        for (Sample<ActivityRow> sample : evidence.samples(ActivityRow.class)) {
            for (ActivityRow row : sample.rows()) {
                if (row.backendStart() != null && row.backendStart().isAfter(evidence.from())) {
                    fresh.add(row.pid());
                }
            }
        }
        double rate = fresh.size() / seconds;
        if (rate >= STORM_SESSIONS_PER_SECOND) {
            return Optional.empty();
        }
        return Optional.of(new RefutedCause(
                "a connection storm",
                String.format(
                        Locale.ROOT,
                        "%d new sessions were seen in %.0f s (a storm starts at about %.0f a second)",
                        fresh.size(),
                        seconds,
                        STORM_SESSIONS_PER_SECOND)));
    }

    private Optional<RefutedCause> monitoring() {
        long seen = evidence.samples(ActivityRow.class).stream()
                .flatMap(sample -> sample.rows().stream())
                .filter(row ->
                        row.active() && row.timeGoesTo().is(WaitEvent.LOCK_MANAGER) && looksAtLocks(row.statement()))
                .count();
        if (seen > NEGLIGIBLE * pressure.lockManagerSightings()) {
            return Optional.empty();
        }
        return Optional.of(new RefutedCause(
                "monitoring that reads pg_locks or calls pg_blocking_pids() too often",
                seen + " of " + pressure.lockManagerSightings()
                        + " sightings in LWLock:LockManager ran such a statement"));
    }

    private static boolean looksAtLocks(@Nullable StatementId statement) {
        if (statement == null) {
            return false;
        }
        String text = statement.text().toLowerCase(Locale.ROOT);
        return text.contains("pg_locks") || text.contains("pg_blocking_pids") || text.contains("pg_lock_status");
    }
}
