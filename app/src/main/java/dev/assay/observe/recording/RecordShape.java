package dev.assay.observe.recording;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.evidence.StatementId;
import dev.assay.pg.RelationName;
import dev.assay.pg.WaitEvent;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record class as columns, found out by reflection. Most components are one column; a wait event, a statement and a relation's name are
 * two each. Immutable, thread-safe.
 *
 * <table>
 *   <caption>Types</caption>
 *   <tr><th>Java</th><th>column</th></tr>
 *   <tr><td>{@code int}, {@code long}, {@code double}, {@code boolean} and their boxes</td><td>INTEGER, BIGINT, DOUBLE, BOOLEAN</td></tr>
 *   <tr><td>{@code String}, an enum (in lower case), {@code LockMode} (as in pg_locks), {@code ServerVersion}</td><td>VARCHAR</td></tr>
 *   <tr><td>{@code Instant}</td><td>TIMESTAMP, UTC, microseconds</td></tr>
 *   <tr><td>{@code Oid}</td><td>BIGINT</td></tr>
 *   <tr><td>{@code WaitEvent x}</td><td>VARCHAR {@code x}, unified over versions, and {@code x_server}, in the server's own spelling</td></tr>
 *   <tr><td>{@code StatementId x}</td><td>VARCHAR {@code query_id} (for another name than {@code statement}: {@code x_query_id}) and {@code x}</td></tr>
 *   <tr><td>{@code RelationName name}</td><td>VARCHAR {@code schema} and {@code name}</td></tr>
 *   <tr><td>a list, another record</td><td>LIST, STRUCT</td></tr>
 * </table>
 */
final class RecordShape {

    private final Class<?> type;
    private final Constructor<?> constructor;
    private final List<Component> components = new ArrayList<>();
    private final List<Column> columns = new ArrayList<>();

    /** The parts of a component, one a column; null parts are absent. */
    private interface Parts {
        @Nullable
        Object[] of(Object value);

        Object whole(@Nullable Object[] parts);
    }

    private record Component(Method accessor, boolean required, List<Column> columns, Parts parts) {}

    private RecordShape(Class<?> type) {
        this.type = type;
        Set<String> names = new HashSet<>();
        RecordComponent[] all = type.getRecordComponents();
        for (RecordComponent component : all) {
            names.add(ColumnName.of(component.getName(), component.getType()));
        }
        Class<?>[] types = new Class<?>[all.length];
        for (int i = 0; i < all.length; i++) {
            types[i] = all[i].getType();
            Component component = component(all[i], names);
            components.add(component);
            columns.addAll(component.columns());
        }
        try {
            constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " is no record", e);
        }
    }

    /**
     * The shape of a record class.
     *
     * @throws IllegalArgumentException when a component has a type that cannot be recorded
     */
    static RecordShape of(Class<?> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is not a record and cannot be recorded");
        }
        return new RecordShape(type);
    }

    private static Component component(RecordComponent component, Set<String> names) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        boolean required = component.getType().isPrimitive()
                || !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        String name = ColumnName.of(component.getName(), component.getType());
        Codec text = codec(String.class);
        if (component.getType() == WaitEvent.class) {
            // older recordings may lack one of the two, never both
            return new Component(
                    accessor,
                    required,
                    List.of(new Column(name, text, false), new Column(name + "_server", text, required)),
                    new WaitParts());
        }
        if (component.getType() == StatementId.class) {
            String id = name.equals("statement") && !names.contains("query_id") ? "query_id" : name + "_query_id";
            return new Component(
                    accessor,
                    required,
                    List.of(new Column(id, text, false), new Column(name, text, required)),
                    new StatementParts());
        }
        if (component.getType() == RelationName.class) {
            String schema = name.endsWith("name") ? name.replaceFirst("name$", "schema") : name + "_schema";
            return new Component(
                    accessor,
                    required,
                    List.of(new Column(schema, text, required), new Column(name, text, required)),
                    new RelationParts());
        }
        Column only = new Column(name, codec(component.getGenericType()), required);
        return new Component(accessor, required, List.of(only), new OnePart());
    }

    private static Codec codec(Type type) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            return NestedCodec.list(codec(generic.getActualTypeArguments()[0]));
        }
        if (type instanceof Class<?> one) {
            Optional<Codec> scalar = ScalarCodec.of(one);
            if (scalar.isPresent()) {
                return scalar.get();
            }
            if (one.isRecord()) {
                return NestedCodec.struct(of(one));
            }
        }
        throw new IllegalArgumentException("values of " + type.getTypeName() + " cannot be recorded");
    }

    /** In the order of the components. */
    List<Column> columns() {
        return columns;
    }

    /** Writes the fields of one value into the object that is open. */
    void write(JsonGenerator json, Object record) throws IOException {
        for (Component component : components) {
            Object value = valueOf(component, record);
            if (value == null) {
                continue;
            }
            @Nullable Object[] parts = component.parts().of(value);
            for (int i = 0; i < parts.length; i++) {
                Object part = parts[i];
                if (part != null) {
                    Column column = component.columns().get(i);
                    json.writeFieldName(column.name());
                    column.codec().write(json, part);
                }
            }
        }
    }

    private @Nullable Object valueOf(Component component, Object record) {
        try {
            return component.accessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + component.accessor(), e);
        }
    }

    /**
     * Makes one value.
     *
     * @param cells the value of a column, null where there is none
     * @throws IllegalArgumentException when a value that must be there is missing, or the record refuses what there is
     */
    Object read(Function<Column, @Nullable Object> cells) {
        @Nullable Object[] values = new @Nullable Object[components.size()];
        for (int i = 0; i < values.length; i++) {
            Component component = components.get(i);
            @Nullable Object[] parts = new @Nullable Object[component.columns().size()];
            boolean any = false;
            for (int part = 0; part < parts.length; part++) {
                parts[part] = cells.apply(component.columns().get(part));
                any |= parts[part] != null;
            }
            values[i] = any ? component.parts().whole(parts) : null;
            if (!any && component.required()) {
                throw new IllegalArgumentException(
                        "no value of " + component.columns().get(0).name() + " for a " + type.getSimpleName());
            }
        }
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause() == null ? e : e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type, e);
        }
    }

    private static Object present(@Nullable Object part, String what) {
        if (part == null) {
            throw new IllegalArgumentException("no value of " + what);
        }
        return part;
    }

    private static final class OnePart implements Parts {
        @Override
        public @Nullable Object[] of(Object value) {
            return new Object[] {value};
        }

        @Override
        public Object whole(@Nullable Object[] parts) {
            return present(parts[0], "a column");
        }
    }

    private static final class WaitParts implements Parts {
        @Override
        public @Nullable Object[] of(Object value) {
            WaitEvent event = (WaitEvent) value;
            return new Object[] {event.unified().toString(), event.toString()};
        }

        @Override
        public Object whole(@Nullable Object[] parts) {
            Object own = parts[1];
            return WaitEvent.parse((String) present(own == null ? parts[0] : own, "a wait event"));
        }
    }

    private static final class StatementParts implements Parts {
        @Override
        public @Nullable Object[] of(Object value) {
            StatementId statement = (StatementId) value;
            return new @Nullable Object[] {statement.queryId(), statement.text()};
        }

        @Override
        public Object whole(@Nullable Object[] parts) {
            return new StatementId((String) parts[0], (String) present(parts[1], "a statement"));
        }
    }

    private static final class RelationParts implements Parts {
        @Override
        public @Nullable Object[] of(Object value) {
            RelationName relation = (RelationName) value;
            return new Object[] {relation.schema(), relation.name()};
        }

        @Override
        public Object whole(@Nullable Object[] parts) {
            return new RelationName((String) present(parts[0], "a schema"), (String) present(parts[1], "a name"));
        }
    }
}
