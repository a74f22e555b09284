package dev.assay.evidence;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The relation locks that backends were seen to hold while they ran one statement.
 *
 * <p>A look at {@code pg_locks} catches most backends half-way, while planning still adds locks, so the fullest sighting speaks for the
 * statement. Locks of earlier statements of the same transaction are part of it, as they occupy slots just the same; those on system catalogs
 * are not, as they come and go while a statement is planned.
 *
 * @param statement the statement
 * @param backendSamples how many sightings of a backend running it there were
 * @param slowBackendSamples in how many of them at least one lock that is eligible for a slot was in the shared lock table instead
 * @param fullestLooks in how many looks a backend held as many locks as the fullest one and waited for none
 * @param locks the granted locks of the fullest sighting
 */
public record LockFootprint(
        StatementId statement,
        int backendSamples,
        int slowBackendSamples,
        int fullestLooks,
        List<RelationLocksRow.Lock> locks) {

    /**
     * Sightings half-way through planning differ from look to look (though not within one, where many may stand before the same lightweight
     * lock); so many looks that agree on the most caught whole executions.
     */
    private static final int AGREEING_MIN = 3;

    public LockFootprint {
        locks = List.copyOf(locks);
    }

    /** One footprint per statement, the one seen most often first. */
    public static List<LockFootprint> of(Collection<Sample<RelationLocksRow>> samples) {
        Map<StatementId, Sightings> byStatement = new LinkedHashMap<>();
        int look = 0;
        for (Sample<RelationLocksRow> sample : samples) {
            look++;
            for (RelationLocksRow row : sample.rows()) {
                StatementId statement = row.statement();
                if (statement != null) {
                    byStatement
                            .computeIfAbsent(statement, key -> new Sightings())
                            .add(look, row);
                }
            }
        }
        List<LockFootprint> footprints = new ArrayList<>();
        byStatement.forEach((statement, sightings) -> footprints.add(sightings.footprint(statement)));
        footprints.sort(Comparator.comparingInt(LockFootprint::backendSamples).reversed());
        return footprints;
    }

    /** Those of one statement, look by look. */
    private static final class Sightings {
        private int backends;
        private int slow;
        private List<RelationLocksRow.Lock> most = List.of();
        private int looks;
        private int lastLook;

        void add(int look, RelationLocksRow row) {
            List<RelationLocksRow.Lock> granted = row.locks().stream()
                    .filter(lock -> lock.granted() && !lock.relation().isSystem())
                    .toList();
            backends++;
            slow += granted.stream().anyMatch(LockFootprint::eligibleButSlow) ? 1 : 0;
            if (granted.size() > most.size()) {
                most = granted;
                looks = 0;
                lastLook = 0;
            }
            boolean waits = row.locks().stream().anyMatch(lock -> !lock.granted());
            if (granted.size() == most.size() && !waits && look != lastLook) {
                looks++;
                lastLook = look;
            }
        }

        LockFootprint footprint(StatementId statement) {
            return new LockFootprint(statement, backends, slow, looks, most);
        }
    }

    private static boolean eligibleButSlow(RelationLocksRow.Lock lock) {
        return lock.mode().fastPathEligible() && !lock.fastPath();
    }

    /**
     * Whether the fullest sighting is of a whole execution, as several looks agree on it. If not, the statement takes at least these locks and may
     * take more.
     */
    public boolean whole() {
        return fullestLooks >= AGREEING_MIN;
    }

    public int total() {
        return locks.size();
    }

    public int fastPathCount() {
        return (int) locks.stream().filter(RelationLocksRow.Lock::fastPath).count();
    }

    /** Locks in the shared lock table. */
    public int slowCount() {
        return total() - fastPathCount();
    }

    /** Locks that would fit a slot by their mode but are in the shared lock table. */
    public int eligibleSlowCount() {
        return (int) locks.stream().filter(LockFootprint::eligibleButSlow).count();
    }
}
