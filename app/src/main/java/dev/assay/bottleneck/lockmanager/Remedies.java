package dev.assay.bottleneck.lockmanager;

import dev.assay.diagnose.RefutedCause;
import dev.assay.diagnose.Remedy;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.LockFootprint;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.pg.FastPathSlots;
import dev.assay.pg.Oid;
import dev.assay.pg.ServerVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What to do about a statement that has no fast-path slot left, in the order to try; and what would be in vain on this version or for this
 * statement.
 */
final class Remedies {

    private static final int GROUPS_MAX = 1024;
    private static final Pattern PARAMETER = Pattern.compile("\\$\\d");

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
            LockedObjects.Partitioned partitioned = objects.partitioned().get(0);
            Optional<PartitionKey> key =
                    Optional.ofNullable(partitioned.table().partitionKey()).flatMap(PartitionKey::parse);
            remedies.add(looksGeneric(key) ? customPlan(partitioned) : prune(partitioned, key));
        }
        if (footprint.whole() && genericPlanFits() && objects.indexes() > 0) {
            remedies.add(reuseGenericPlan());
        }
        LockedObjects.Indexed indexed = objects.indexedMost();
        if (indexed != null) {
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
            int tables = objects.tables().size();
            refuted.add(new RefutedCause(
                    "remedy: a prepared statement with a generic plan",
                    "a reused generic plan still locks " + tablesInWords() + ", more than "
                            + (tables > slots.total()
                                    ? slots.total() + " slots"
                                    : "the " + FastPathSlots.PER_GROUP + " slots of a group (" + slots.groups()
                                            + " groups by relation OID)")));
        }
        return refuted;
    }

    private String tablesInWords() {
        int tables = objects.tables().size();
        String words = objects.partitioned().isEmpty() ? " tables" : " tables and partitions";
        return tables == 1 ? "1 table" : tables + words;
    }

    /** A reused generic plan locks tables and partitions, no indexes. */
    private boolean genericPlanFits() {
        return slots.hold(objects.tables());
    }

    /**
     * Whether these are the locks of a generic plan that is reused: every partition, no index, and a parameter where the key's value would be.
     * The plan prunes at run time, after it has locked.
     */
    private boolean looksGeneric(Optional<PartitionKey> key) {
        return objects.indexes() == 0
                && PARAMETER.matcher(footprint.statement().text()).find()
                && key.isPresent()
                && !key.get().needed().isEmpty()
                && key.get().namedBy(footprint);
    }

    private Remedy customPlan(LockedObjects.Partitioned partitioned) {
        return new Remedy(
                "custom-plan",
                "Let the prepared statement on "
                        + partitioned.table().name().sql()
                        + " be planned with its values. No index is locked, so this looks like a generic plan that is reused: it locks"
                        + " every partition first and prunes at run time.",
                "set plan_cache_mode = force_custom_plan",
                "Only the partitions that hold the rows are planned and locked.",
                "Every execution is planned, which costs CPU and locks the indexes of the partitions that are left; set it for this"
                        + " statement or role only.",
                false,
                "assay lab run FILE with the literal in one variant",
                null);
    }

    private Remedy prune(LockedObjects.Partitioned partitioned, Optional<PartitionKey> key) {
        CatalogRelation table = partitioned.table();
        List<String> columns = key.map(PartitionKey::needed).orElse(List.of());
        String named = String.join(" and ", columns);
        String why;
        if (columns.isEmpty()) {
            why = "The statement must compare that very expression with a value.";
        } else if (key.get().namedBy(footprint)) {
            why = "The statement names " + named
                    + ", but the planner sees no value to prune by: a sub-select, CTE, join or function hides it, or it is not compared.";
        } else {
            why = "The statement says nothing of " + named + ".";
        }
        String sql = key.flatMap(PartitionKey::condition)
                .map(condition -> String.format(
                        Locale.ROOT,
                        "-- give the planner the value itself, as a literal or a bound parameter of a custom plan:%n"
                                + "select ... from %s where %s",
                        table.name().sql(),
                        condition))
                .orElse(null);
        return new Remedy(
                "prune",
                "Let the planner prune " + table.name().sql() + " (partitioned by "
                        + (table.partitionKey() == null ? "its partition key" : table.partitionKey()) + "). " + why,
                sql,
                "Only the partitions that hold the rows are planned and locked; the other "
                        + (partitioned.partitions().size() - 1) + " cost nothing.",
                "The statement must be changed in the application; a value computed elsewhere needs a second round trip.",
                false,
                "assay lab run lock-partitions",
                null);
    }

    private Remedy reuseGenericPlan() {
        return new Remedy(
                "generic-plan",
                "Run it as a server-side prepared statement and let the generic plan be reused.",
                "set plan_cache_mode = force_generic_plan",
                "A reused generic plan locks " + tablesInWords() + " but none of the " + objects.indexes()
                        + " indexes, and is not planned again.",
                "A generic plan cannot use the values; the execution that builds it takes every lock once. Not measured here.",
                false,
                "assay lab run FILE with protocol: prepared",
                null);
    }

    private Remedy dropIndexes(LockedObjects.Indexed indexed) {
        return new Remedy(
                "drop-indexes",
                "Drop indexes of " + indexed.table().name().sql() + " that nothing uses: each costs every plan a lock"
                        + (indexed.partitions() ? " in every partition." : "."),
                "select indexrelid::regclass, idx_scan, pg_size_pretty(pg_relation_size(indexrelid)) from pg_stat_user_indexes"
                        + (indexed.partitions()
                                ? " where relid in (select relid from pg_partition_tree('" + literal(indexed) + "'))"
                                : " where relid = '" + literal(indexed) + "'::regclass")
                        + " order by idx_scan",
                "One lock less per index and plan" + (indexed.partitions() ? " in every partition." : "."),
                "An index that serves a rare report or a standby looks unused here; keep unique and primary ones.",
                false,
                "assay lab run FILE with the index dropped in one variant",
                null);
    }

    private static String literal(LockedObjects.Indexed indexed) {
        return indexed.table().name().sql().replace("'", "''");
    }

    /** Relations whose locks may sit in a slot; a second mode on one of them shares its slot. */
    private List<Oid> slotted() {
        return footprint.locks().stream()
                .filter(lock -> lock.mode().fastPathEligible())
                .map(RelationLocksRow.Lock::relation)
                .distinct()
                .toList();
    }

    private Remedy raiseSetting() {
        int setting = settingThatFits();
        return new Remedy(
                "raise-max-locks-per-transaction",
                "Raise max_locks_per_transaction to " + (footprint.whole() ? "" : "at least ") + setting
                        + ": on 18 and newer it sets the number of fast-path slots.",
                "alter system set max_locks_per_transaction = " + setting,
                (footprint.whole()
                                ? "All " + slotted().size()
                                        + " relations find a slot; no wait for LWLock:LockManager is left from this statement. "
                                : "The " + slotted().size()
                                        + " relations that were seen find a slot; a whole execution may lock more. ")
                        + "The work of planning so many relations stays.",
                "The shared lock table holds that many locks for every connection, so it takes more shared memory. "
                        + "A standby must have at least the primary's value: raise it there first.",
                true,
                "assay lab run lock-partitions",
                null);
    }

    /** The smallest power of two at which no group of slots overflows, by the OIDs of these relations. */
    private int settingThatFits() {
        List<Oid> relations = slotted();
        int groups = Math.min(GROUPS_MAX, slots.groups() * 2);
        while (groups < GROUPS_MAX && !new FastPathSlots(groups).hold(relations)) {
            groups *= 2;
        }
        return groups * FastPathSlots.PER_GROUP;
    }

    private String allLocks() {
        return footprint.whole()
                ? "all " + footprint.total() + " locks"
                : "the " + footprint.total() + " locks that were seen, of perhaps more,";
    }

    private Remedy upgrade() {
        FastPathSlots defaults = FastPathSlots.of(new ServerVersion(18, 0), 64);
        int relations = slotted().size();
        int needed = FastPathSlots.settingFor(relations);
        boolean fits = relations <= defaults.total();
        return new Remedy(
                "upgrade-18",
                "Upgrade to PostgreSQL 18: its slots follow max_locks_per_transaction.",
                fits ? null : "-- on 18, once upgraded:\nalter system set max_locks_per_transaction = " + needed,
                (fits
                                ? "The default of 64 slots holds " + allLocks()
                                : needed + " slots, which it sets, hold " + allLocks())
                        + " (as groups of 16 by relation OID, so this is an expectation).",
                "A major upgrade.",
                true,
                "assay lab run lock-partitions",
                null);
    }
}
