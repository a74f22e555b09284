package dev.assay.pg;

import java.util.regex.Pattern;

/**
 * A relation by schema and name, unquoted; {@link #sql} quotes where SQL needs it.
 *
 * @param schema for example {@code public}
 * @param name for example {@code orders_2025_01}
 */
public record RelationName(String schema, String name) implements Comparable<RelationName> {

    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_$]*");

    public RelationName {
        if (schema.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "a relation needs a schema and a name: '" + schema + "', '" + name + "'");
        }
    }

    /** An identifier as SQL takes it: in double quotes unless it is plain lower case. A plain keyword is not recognised as such. */
    public static String quoted(String identifier) {
        return PLAIN.matcher(identifier).matches() ? identifier : '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** The name as SQL takes it, without the schema where that is {@code public}. */
    public String sql() {
        return schema.equals("public") ? quoted(name) : quoted(schema) + "." + quoted(name);
    }

    @Override
    public int compareTo(RelationName other) {
        int bySchema = schema.compareTo(other.schema);
        return bySchema != 0 ? bySchema : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return sql();
    }
}
