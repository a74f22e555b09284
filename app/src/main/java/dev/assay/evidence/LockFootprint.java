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
 * @param fullestSamples how many sightings held as many locks as the fullest one and waited for none
 * @param locks the granted locks of the fullest sighting
 */
public record LockFootprint(
        StatementId statement,
        int backendSamples,
        int slowBackendSamples,
        int fullestSamples,
        List<RelationLocksRow.Lock> locks) {

    /** Sightings half-way through planning differ from each other; so many that agree on the most are those of a whole execution. */
    private static final int AGREEING_MIN = 3;

    public LockFootprint {
        locks = List.copyOf(locks);
    }

    /** One footprint per statement, the one seen most often first. */
    public static List<LockFootprint> of(Collection<Sample<RelationLocksRow>> samples) {
        Map<StatementId, List<RelationLocksRow>> byStatement = new LinkedHashMap<>();
        for (Sample<RelationLocksRow> sample : samples) {
            for (RelationLocksRow row : sample.rows()) {
                StatementId statement = row.statement();
                if (statement != null) {
                    byStatement
                            .computeIfAbsent(statement, key -> new ArrayList<>())
                            .add(row);
                }
            }
        }
        List<LockFootprint> footprints = new ArrayList<>();
        byStatement.forEach((statement, rows) -> footprints.add(fullest(statement, rows)));
        footprints.sort(Comparator.comparingInt(LockFootprint::backendSamples).reversed());
        return footprints;
    }

    private static LockFootprint fullest(StatementId statement, List<RelationLocksRow> rows) {
        List<RelationLocksRow.Lock> most = List.of();
        int slow = 0;
        int fullest = 0;
        for (RelationLocksRow row : rows) {
            List<RelationLocksRow.Lock> granted = row.locks().stream()
                    .filter(lock -> lock.granted() && !lock.relation().isSystem())
                    .toList();
            if (granted.size() > most.size()) {
                most = granted;
                fullest = 0;
            }
            if (granted.size() == most.size() && row.locks().stream().allMatch(RelationLocksRow.Lock::granted)) {
                fullest++;
            }
            if (granted.stream().anyMatch(LockFootprint::eligibleButSlow)) {
                slow++;
            }
        }
        return new LockFootprint(statement, rows.size(), slow, fullest, most);
    }

    private static boolean eligibleButSlow(RelationLocksRow.Lock lock) {
        return lock.mode().fastPathEligible() && !lock.fastPath();
    }

    /**
     * Whether the fullest sighting is of a whole execution, as several agree on it. If not, the statement takes at least these locks and may
     * take more.
     */
    public boolean whole() {
        return fullestSamples >= AGREEING_MIN;
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
