package dev.assay.observe.recording;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.evidence.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The table of one class of rows: {@code sampled_at}, when the sample was complete, and the columns of {@link RecordShape}. Immutable,
 * thread-safe.
 */
final class RowTable<R extends Row> {

    /** The column that every table begins with. */
    static final String SAMPLED_AT = "sampled_at";

    private static final String ROWS = "dev.assay.evidence.";
    private static final Map<Class<?>, RowTable<?>> KNOWN = new ConcurrentHashMap<>();

    private final Class<R> row;
    private final String name;
    private final RecordShape shape;

    private RowTable(Class<R> row) {
        this.row = row;
        this.name = ColumnName.ofTable(row);
        this.shape = RecordShape.of(row);
    }

    /**
     * The table of a class of rows.
     *
     * @throws IllegalArgumentException when a component has a type that cannot be recorded
     */
    @SuppressWarnings("unchecked")
    static <R extends Row> RowTable<R> of(Class<R> row) {
        return (RowTable<R>) KNOWN.computeIfAbsent(row, key -> new RowTable<>(row));
    }

    /** The table of that name, when this Assay has a class for its rows. */
    static Optional<RowTable<?>> named(String table) {
        if (table.equals(ColumnName.ofTable(SampleRow.class))) {
            return Optional.of(of(SampleRow.class));
        }
        for (String simple : classNames(table)) {
            try {
                Class<?> found = Class.forName(ROWS + simple);
                if (found.isRecord() && Row.class.isAssignableFrom(found)) {
                    return Optional.of(of(found.asSubclass(Row.class)));
                }
            } catch (ClassNotFoundException | NoClassDefFoundError e) {
                // a table of another release
            }
        }
        return Optional.empty();
    }

    private static List<String> classNames(String table) {
        StringBuilder camel = new StringBuilder();
        for (String word : table.split("_", -1)) {
            if (word.isEmpty()) {
                return List.of();
            }
            camel.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        List<String> names = new ArrayList<>(List.of(camel + "Row", camel.toString()));
        ColumnName.shorter(table).ifPresent(one -> names.addAll(0, classNames(one)));
        return names;
    }

    Class<R> row() {
        return row;
    }

    String name() {
        return name;
    }

    /** All but {@link #SAMPLED_AT}. */
    List<Column> columns() {
        return shape.columns();
    }

    void write(JsonGenerator json, Object value) throws IOException {
        shape.write(json, value);
    }

    /** See {@link RecordShape#read}. */
    R read(Function<Column, @Nullable Object> cells) {
        return row.cast(shape.read(cells));
    }
}
