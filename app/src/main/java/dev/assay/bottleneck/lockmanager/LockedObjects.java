package dev.assay.bottleneck.lockmanager;

import dev.assay.evidence.CatalogRelation;
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

/**
 * The relations of a footprint, sorted into what a person can act on: partitioned tables with the partitions that were locked, and tables
 * with their locked indexes.
 *
 * @param partitioned by partitions locked, most first
 * @param tables how many distinct relations are not indexes
 * @param indexes how many distinct relations are indexes
 * @param indexedMost the plain table (no partition) with most locked indexes, and how many; null when no table has two
 */
record LockedObjects(
        List<Partitioned> partitioned,
        int tables,
        int indexes,
        @org.jspecify.annotations.Nullable Indexed indexedMost) {

    /**
     * A partitioned table of which several partitions are locked.
     *
     * @param locks how many of the footprint's locks are on it, its partitions and all their indexes
     */
    record Partitioned(CatalogRelation table, List<CatalogRelation> partitions, int locks) {}

    /** A table and how many of its indexes are locked. */
    record Indexed(CatalogRelation table, int indexes) {}

    static LockedObjects of(LockFootprint footprint, CatalogSnapshot catalog) {
        Set<Oid> distinct = new HashSet<>();
        Map<Oid, List<CatalogRelation>> partitions = new LinkedHashMap<>();
        Map<Oid, Integer> indexesOf = new LinkedHashMap<>();
        Map<Oid, Integer> locksUnder = new LinkedHashMap<>();
        int indexes = 0;
        for (RelationLocksRow.Lock lock : footprint.locks()) {
            CatalogRelation relation = catalog.relation(lock.relation()).orElse(null);
            boolean first = distinct.add(lock.relation());
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
            } else if (first && relation.partitionOf() != null) {
                partitions
                        .computeIfAbsent(root(relation, catalog), key -> new ArrayList<>())
                        .add(relation);
            }
        }
        List<Partitioned> found = new ArrayList<>();
        partitions.forEach((root, children) -> catalog.relation(root)
                .ifPresent(table -> found.add(new Partitioned(
                        table,
                        children.stream()
                                .sorted(Comparator.comparing(CatalogRelation::name))
                                .toList(),
                        locksUnder.getOrDefault(root, 0)))));
        found.sort(Comparator.comparingInt(Partitioned::locks).reversed());
        Indexed most = indexesOf.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .max(Map.Entry.comparingByValue())
                .flatMap(entry -> catalog.relation(entry.getKey()).map(table -> new Indexed(table, entry.getValue())))
                .orElse(null);
        return new LockedObjects(found, distinct.size() - indexes, indexes, most);
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
