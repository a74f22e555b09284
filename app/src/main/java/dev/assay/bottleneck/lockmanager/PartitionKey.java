package dev.assay.bottleneck.lockmanager;

import dev.assay.evidence.LockFootprint;
import dev.assay.pg.RelationName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A partition key as the catalog snapshot tells it: a strategy and, in parentheses, columns and expressions, a name quoted unless it is plain
 * lower case, an expression with parentheses of its own. What {@code pg_get_partkeydef} writes is understood as well, with the collations
 * and operator classes that may follow a column.
 *
 * <pre>
 * RANGE (order_ts)   RANGE (region, order_ts)   LIST ((expression))   LIST (lower(name))   HASH ("Customer Id")
 * RANGE (name COLLATE "C" text_pattern_ops)
 * </pre>
 *
 * <p>Only plain columns are understood; from the first expression on the rest is left out.
 *
 * @param text the key as the server writes it
 * @param hash whether rows are spread by hash, so that only equality on all columns prunes
 * @param columns leading plain columns, unquoted; empty when the key begins with an expression
 * @param whole whether the columns are the whole key
 */
record PartitionKey(String text, boolean hash, List<String> columns, boolean whole) {

    private static final Pattern DEFINITION = Pattern.compile("(\\w+) \\((.*)\\)");
    private static final Pattern COLUMN = Pattern.compile("(?:([a-z_][a-z0-9_]*)|\"((?:[^\"]|\"\")+)\")"
            + "(?: COLLATE (?:[\\w.]|\"(?:[^\"]|\"\")+\")+)?(?: (?:[\\w.]|\"(?:[^\"]|\"\")+\")+)?(?:, |$)");

    PartitionKey {
        columns = List.copyOf(columns);
    }

    /** Empty when the text is no key. */
    static Optional<PartitionKey> parse(String text) {
        Matcher definition = DEFINITION.matcher(text);
        if (!definition.matches()) {
            return Optional.empty();
        }
        String list = definition.group(2);
        List<String> columns = new ArrayList<>();
        Matcher column = COLUMN.matcher(list);
        int at = 0;
        while (at < list.length() && column.find(at) && column.start() == at) {
            columns.add(
                    column.group(1) != null ? column.group(1) : column.group(2).replace("\"\"", "\""));
            at = column.end();
        }
        return Optional.of(new PartitionKey(text, definition.group(1).equals("HASH"), columns, at == list.length()));
    }

    /** The columns that a statement must compare with a value to be pruned; empty when that cannot be told. */
    List<String> needed() {
        if (hash) {
            return whole ? columns : List.of();
        }
        return columns.isEmpty() ? List.of() : columns.subList(0, 1);
    }

    /** Whether the statement's text names all columns that it must compare. */
    boolean namedBy(LockFootprint footprint) {
        String statement = footprint.statement().text();
        return needed().stream()
                .allMatch(column -> Pattern.compile(
                                "(?i)(?<![\\w$])" + Pattern.quote(column.replace("\"", "\"\"")) + "(?![\\w$])")
                        .matcher(statement)
                        .find());
    }

    /** A condition that lets the planner prune; empty when it cannot be told. */
    Optional<String> condition() {
        List<String> quoted = needed().stream().map(RelationName::quoted).toList();
        if (quoted.isEmpty()) {
            return Optional.empty();
        }
        if (text.startsWith("RANGE")) {
            return Optional.of(
                    String.format(Locale.ROOT, "%s >= '<from>' and %s < '<to>'", quoted.get(0), quoted.get(0)));
        }
        return Optional.of(String.join(
                " and ", quoted.stream().map(column -> column + " = '<value>'").toList()));
    }
}
