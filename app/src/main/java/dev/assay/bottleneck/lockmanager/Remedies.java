package dev.assay.bottleneck.lockmanager;

import dev.assay.diagnose.RefutedCause;
import dev.assay.diagnose.Remedy;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.LockFootprint;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.pg.FastPathSlots;
import dev.assay.pg.RelationName;
import dev.assay.pg.ServerVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What to do about a statement that has no fast-path slot left, in the order to try; and what would be in vain on this version or for this
 * statement.
 */
final class Remedies {

    /** From this many indexes of one table on, dropping some is worth a look. */
    private static final int MANY_INDEXES = 5;

    private final ServerVersion version;
    private final FastPathSlots slots;
    private final LockFootprint footprint;
    private final LockedObjects objects;

    Remedies(ServerVersion version, FastPathSlots slots, LockFootprint footprint, LockedObjects objects) {
        this.version = version;
        this.slots = slots;
        this.footprint = footprint;
        this.objects = objects;
    }

    List<Remedy> all() {
        List<Remedy> remedies = new ArrayList<>();
        if (!objects.partitioned().isEmpty()) {
            remedies.add(prune(objects.partitioned().get(0)));
        }
        if (genericPlanFits()) {
            remedies.add(reuseGenericPlan());
        }
        LockedObjects.Indexed indexed = objects.indexedMost();
        if (indexed != null && indexed.indexes() >= MANY_INDEXES) {
            remedies.add(dropIndexes(indexed));
        }
        if (version.atLeast(18)) {
            remedies.add(raiseSetting());
        } else {
            remedies.add(upgrade());
        }
        return remedies;
    }

    List<RefutedCause> thatDoNotHelp() {
        List<RefutedCause> refuted = new ArrayList<>();
        if (!version.atLeast(18)) {
            refuted.add(new RefutedCause(
                    "remedy: raise max_locks_per_transaction",
                    "on PostgreSQL " + version
                            + " it enlarges the shared lock table and adds no fast-path slot: there are "
                            + slots.total() + " whatever it is set to"));
        }
        if (!genericPlanFits()) {
            refuted.add(new RefutedCause(
                    "remedy: a prepared statement with a generic plan",
                    "a reused generic plan still locks all " + objects.tables() + " tables and partitions, more than "
                            + slots.total() + " slots"));
        }
        return refuted;
    }

    /** A reused generic plan locks tables and partitions, no indexes. */
    private boolean genericPlanFits() {
        return objects.tables() <= slots.total();
    }

    private Remedy prune(LockedObjects.Partitioned partitioned) {
        CatalogRelation table = partitioned.table();
        String key = table.partitionKey() == null ? "its partition key" : table.partitionKey();
        String column = keyColumn(table.partitionKey());
        boolean named = column != null && mentions(column);
        String why = named
                ? "The statement compares " + column
                        + ", but the planner does not know the value: a sub-select, CTE, join or function hides it."
                : "The statement says nothing of " + (column == null ? "the key" : column) + ".";
        String sql = column == null
                ? null
                : String.format(
                        Locale.ROOT,
                        "-- give the planner the value itself, as a literal or a bound parameter of a custom plan:%n"
                                + "select ... from %s where %s >= '<from>' and %s < '<to>'",
                        table.name().sql(),
                        RelationName.quoted(column),
                        RelationName.quoted(column));
        return new Remedy(
                "prune",
                "Let the planner prune " + table.name().sql() + " (partitioned by " + key + "). " + why,
                sql,
                "Only the partitions that hold the rows are planned and locked; the other "
                        + (partitioned.partitions().size() - 1) + " cost nothing.",
                "The statement must be changed in the application; a value computed elsewhere needs a second round trip.",
                false,
                "assay lab run lock-partitions",
                null);
    }

    private boolean mentions(String column) {
        return Pattern.compile("(?i)(?<![\\w$])" + Pattern.quote(column) + "(?![\\w$])")
                .matcher(footprint.statement().text())
                .find();
    }

    /** The first column of {@code RANGE (order_ts)}; null for an expression. */
    private static @Nullable String keyColumn(@Nullable String partitionKey) {
        if (partitionKey == null) {
            return null;
        }
        var matcher =
                Pattern.compile("\\w+ \\((\\w+)[,)].*|\\w+ \\((\\w+) \\w+.*").matcher(partitionKey);
        if (!matcher.matches()) {
            return null;
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    }

    private Remedy reuseGenericPlan() {
        return new Remedy(
                "generic-plan",
                "Run it as a server-side prepared statement and let the generic plan be reused.",
                "set plan_cache_mode = force_generic_plan",
                "A reused generic plan locks the " + objects.tables() + " tables and partitions but none of the "
                        + objects.indexes() + " indexes, and is not planned again.",
                "A generic plan cannot use the values; the execution that builds it takes every lock once. Not measured here.",
                false,
                "assay lab run FILE with protocol: prepared",
                null);
    }

    private Remedy dropIndexes(LockedObjects.Indexed indexed) {
        return new Remedy(
                "drop-indexes",
                "Drop indexes of " + indexed.table().name().sql() + " that nothing uses: each costs every plan a lock.",
                "select indexrelid::regclass, idx_scan, pg_size_pretty(pg_relation_size(indexrelid)) from pg_stat_user_indexes"
                        + " where relid = '" + indexed.table().name().sql().replace("'", "''")
                        + "'::regclass order by idx_scan",
                "One lock less per index and execution.",
                "An index that serves a rare report or a standby looks unused here; keep unique and primary ones.",
                false,
                "assay lab run FILE with the index dropped in one variant",
                null);
    }

    private Remedy raiseSetting() {
        int setting = settingThatFits();
        return new Remedy(
                "raise-max-locks-per-transaction",
                "Raise max_locks_per_transaction to " + setting
                        + ": on 18 and newer it sets the number of fast-path slots.",
                "alter system set max_locks_per_transaction = " + setting,
                "All " + footprint.total()
                        + " locks find a slot; no wait for LWLock:LockManager is left from this statement. "
                        + "The work of planning so many relations stays.",
                "The shared lock table holds that many locks for every connection, so it takes more shared memory. "
                        + "A standby must have at least the primary's value: raise it there first.",
                true,
                "assay lab run lock-partitions",
                null);
    }

    /** The smallest power of two at which no group of slots overflows, by the OIDs of these relations. */
    private int settingThatFits() {
        for (int groups = slots.groups() * 2; groups < 1024; groups *= 2) {
            FastPathSlots larger = new FastPathSlots(groups);
            int[] taken = new int[groups];
            int most = 0;
            for (RelationLocksRow.Lock lock : footprint.locks()) {
                most = Math.max(most, ++taken[larger.groupOf(lock.relation())]);
            }
            if (most <= FastPathSlots.PER_GROUP) {
                return larger.total();
            }
        }
        return FastPathSlots.settingFor(1024 * FastPathSlots.PER_GROUP);
    }

    private Remedy upgrade() {
        FastPathSlots defaults = FastPathSlots.of(new ServerVersion(18, 0), 64);
        int needed = FastPathSlots.settingFor(footprint.total());
        boolean fits = footprint.total() <= defaults.total();
        return new Remedy(
                "upgrade-18",
                "Upgrade to PostgreSQL 18: its slots follow max_locks_per_transaction.",
                fits ? null : "alter system set max_locks_per_transaction = " + needed,
                (fits
                                ? "The default of 64 slots holds all " + footprint.total() + " locks"
                                : needed + " slots hold all " + footprint.total() + " locks")
                        + " (as groups of 16 by relation OID, so this is an expectation).",
                "A major upgrade.",
                true,
                "assay lab run lock-partitions",
                null);
    }
}
