package dev.assay.evidence;

import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A relation of the catalog snapshot.
 *
 * @param kind what it is
 * @param table for an index the table it belongs to, else null
 * @param partitionOf for a partition (table or index) its direct parent, else null
 * @param partitionKey for a partitioned table its strategy and columns, {@code (expression)} for what is none, for example
 *     {@code RANGE (order_ts)}, else null
 */
public record CatalogRelation(
        Oid oid,
        RelationName name,
        Kind kind,
        @Nullable Oid table,
        @Nullable Oid partitionOf,
        @Nullable String partitionKey)
        implements Row {

    /** {@code pg_class.relkind} in words. */
    public enum Kind {
        TABLE('r'),
        PARTITIONED_TABLE('p'),
        INDEX('i'),
        PARTITIONED_INDEX('I'),
        TOAST_TABLE('t'),
        MATERIALIZED_VIEW('m'),
        SEQUENCE('S'),
        VIEW('v'),
        FOREIGN_TABLE('f'),
        COMPOSITE_TYPE('c');

        private final char relkind;

        Kind(char relkind) {
            this.relkind = relkind;
        }

        /**
         * The kind of that letter.
         *
         * @throws IllegalArgumentException for a letter that no known version uses
         */
        public static Kind of(char relkind) {
            for (Kind kind : values()) {
                if (kind.relkind == relkind) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown pg_class.relkind: '" + relkind + "'");
        }

        public boolean isIndex() {
            return this == INDEX || this == PARTITIONED_INDEX;
        }

        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
