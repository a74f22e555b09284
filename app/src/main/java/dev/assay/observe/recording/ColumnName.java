package dev.assay.observe.recording;

import dev.assay.pg.Oid;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Names of tables and columns: those of the classes in snake case, but none that SQL wants in quotes. */
final class ColumnName {

    /** DuckDB's reserved words ({@code duckdb_keywords()}); a test compares. */
    static final Set<String> RESERVED = Set.of(
            "all",
            "analyse",
            "analyze",
            "and",
            "any",
            "array",
            "as",
            "asc",
            "asymmetric",
            "both",
            "case",
            "cast",
            "check",
            "collate",
            "column",
            "constraint",
            "create",
            "default",
            "deferrable",
            "desc",
            "describe",
            "distinct",
            "do",
            "else",
            "end",
            "except",
            "false",
            "fetch",
            "for",
            "foreign",
            "from",
            "group",
            "having",
            "in",
            "initially",
            "intersect",
            "into",
            "lambda",
            "lateral",
            "leading",
            "limit",
            "not",
            "null",
            "offset",
            "on",
            "only",
            "or",
            "order",
            "pivot",
            "pivot_longer",
            "pivot_wider",
            "placing",
            "primary",
            "qualify",
            "references",
            "returning",
            "select",
            "show",
            "some",
            "summarize",
            "symmetric",
            "table",
            "then",
            "to",
            "trailing",
            "true",
            "union",
            "unique",
            "unpivot",
            "using",
            "variadic",
            "when",
            "where",
            "window",
            "with");

    private static final Map<String, String> LONGER = Map.of("table", "table_statistics", "index", "index_statistics");

    private ColumnName() {}

    /** {@code RelationLocksRow} is {@code relation_locks}. */
    static String ofTable(Class<?> row) {
        String name = snake(row.getSimpleName().replaceFirst("Row$", ""));
        return LONGER.getOrDefault(name, name);
    }

    /** The shorter name, where {@link #ofTable} made this one of it. */
    static Optional<String> shorter(String table) {
        return LONGER.entrySet().stream()
                .filter(entry -> entry.getValue().equals(table))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** {@code queryStart} is {@code query_start}; a truth or an OID whose name is reserved is {@code is_unique}, {@code table_oid}. */
    static String of(String component, Class<?> type) {
        String name = snake(component);
        if (!RESERVED.contains(name)) {
            return name;
        }
        if (type == boolean.class || type == Boolean.class) {
            return "is_" + name;
        }
        return name + (type == Oid.class ? "_oid" : "_value");
    }

    private static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
