package dev.assay.evidence;

import dev.assay.pg.Oid;
import java.util.Map;
import java.util.Optional;

/**
 * The catalog objects that the samples of a window speak of, as they were at its end. An object that is missing was dropped in between or
 * belongs to another database.
 */
public record CatalogSnapshot(Map<Oid, CatalogRelation> relations) {

    public CatalogSnapshot {
        relations = Map.copyOf(relations);
    }

    public static CatalogSnapshot empty() {
        return new CatalogSnapshot(Map.of());
    }

    public Optional<CatalogRelation> relation(Oid oid) {
        return Optional.ofNullable(relations.get(oid));
    }

    /** A name to show: the relation's, or its OID when the snapshot does not hold it. */
    public String nameOf(Oid oid) {
        return relation(oid).map(relation -> relation.name().sql()).orElse("relation " + oid);
    }
}
