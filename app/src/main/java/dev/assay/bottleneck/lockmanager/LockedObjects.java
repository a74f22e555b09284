package dev.assay.bottleneck.lockmanager;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogRelation.Kind;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.LockFootprint;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.pg.Oid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The relations of a footprint, sorted into what a person can act on: partitioned tables with the partitions that were locked, and tables
 * with many locked indexes.
 *
 * @param partitioned by locks, most first
 * @param tables the distinct relations that are not indexes
 * @param indexes how many distinct relations are indexes
 * @param indexedMost the table with most locked indexes; null when none has many
 */
record LockedObjects(
        List<Partitioned> partitioned,
        Set<Oid> tables,
        int indexes,
        @Nullable Indexed indexedMost) {

    /** From this many locked indexes of one table on, they are worth a look. */
    private static final int MANY_INDEXES = 5;

    LockedObjects {
        partitioned = List.copyOf(partitioned);
        tables = Set.copyOf(tables);
    }

    /**
     * A partitioned table of which several partitions are locked.
     *
     * @param locks how many of the footprint's locks are on it, its partitions and all their indexes
     */
    record Partitioned(CatalogRelation table, List<CatalogRelation> partitions, int locks) {}

    /**
     * A table with many locked indexes.
     *
     * @param table for a partition the partitioned table, whose indexes are what can be dropped
     * @param indexes of the table, or of one partition
     */
    record Indexed(CatalogRelation table, int indexes) {
        boolean partitions() {
            return table.kind() == Kind.PARTITIONED_TABLE;
        }
    }

    static LockedObjects of(LockFootprint footprint, CatalogSnapshot catalog) {
        Set<Oid> distinct = new HashSet<>();
        Set<Oid> tables = new HashSet<>();
        Map<Oid, List<CatalogRelation>> partitions = new LinkedHashMap<>();
        Map<Oid, Integer> indexesOf = new LinkedHashMap<>();
        Map<Oid, Integer> locksUnder = new LinkedHashMap<>();
        int indexes = 0;
        for (RelationLocksRow.Lock lock : footprint.locks()) {
            CatalogRelation relation = catalog.relation(lock.relation()).orElse(null);
            boolean first = distinct.add(lock.relation());
            if (relation == null || !relation.kind().isIndex()) {
                tables.add(lock.relation());
            }
            if (relation == null) {
                continue;
            }
            locksUnder.merge(root(relation, catalog), 1, Integer::sum);
            Oid table = relation.table();
            if (relation.kind().isIndex()) {
                indexes += first ? 1 : 0;
                if (first && table != null) {
                    indexesOf.merge(table, 1, Integer::sum);
                }
            } else if (first && relation.partitionOf() != null && relation.kind() != Kind.PARTITIONED_TABLE) {
                partitions
                        .computeIfAbsent(root(relation, catalog), key -> new ArrayList<>())
                        .add(relation);
            }
        }
        return new LockedObjects(
                severalPartitions(partitions, locksUnder, catalog), tables, indexes, mostIndexes(indexesOf, catalog));
    }

    private static List<Partitioned> severalPartitions(
            Map<Oid, List<CatalogRelation>> partitions, Map<Oid, Integer> locksUnder, CatalogSnapshot catalog) {
        List<Partitioned> found = new ArrayList<>();
        partitions.forEach((root, children) -> {
            CatalogRelation table = catalog.relation(root).orElse(null);
            if (table != null && children.size() > 1) {
                found.add(new Partitioned(
                        table,
                        children.stream()
                                .sorted(Comparator.comparing(CatalogRelation::name))
                                .toList(),
                        locksUnder.getOrDefault(root, 0)));
            }
        });
        found.sort(Comparator.comparingInt(Partitioned::locks).reversed());
        return found;
    }

    private static @Nullable Indexed mostIndexes(Map<Oid, Integer> indexesOf, CatalogSnapshot catalog) {
        Map.Entry<Oid, Integer> most = indexesOf.entrySet().stream()
                .filter(entry -> entry.getValue() >= MANY_INDEXES)
                .max(Map.Entry.comparingByValue())
                .orElse(null);
        return most == null
                ? null
                : catalog.relation(most.getKey())
                        .map(table -> catalog.relation(root(table, catalog)).orElse(table))
                        .map(table -> new Indexed(table, most.getValue()))
                        .orElse(null);
    }

    /** The topmost partitioned table above a table, partition or index, or the table itself. */
    private static Oid root(CatalogRelation relation, CatalogSnapshot catalog) {
        Oid at = relation.table() != null ? relation.table() : relation.oid();
        Set<Oid> seen = new HashSet<>();
        while (seen.add(at)) {
            Oid parent = catalog.relation(at).map(CatalogRelation::partitionOf).orElse(null);
            if (parent == null) {
                break;
            }
            at = parent;
        }
        return at;
    }
}
