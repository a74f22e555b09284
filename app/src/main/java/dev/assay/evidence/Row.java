package dev.assay.evidence;

import dev.assay.pg.Oid;
import java.util.Set;

/**
 * One row that a probe returned; the class names the probe. A row is a record whose components are numbers, texts, truths, times, or the
 * values of {@code dev.assay.pg}, so that it can be recorded and read back by their names.
 */
public interface Row {

    /**
     * Relations of the observed database that the row speaks of by OID alone, so that a catalog snapshot can name them. Rows that carry the
     * names themselves speak of none.
     */
    default Set<Oid> speaksOf() {
        return Set.of();
    }
}
