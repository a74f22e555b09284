package dev.assay.observe.recording;

import dev.assay.evidence.Row;
import dev.assay.evidence.StatementId;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.pg.WaitEvent;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random values of any class of rows: edges of every type, nulls where they may be. */
final class GeneratedRows {

    private static final int ATTEMPTS_MAX = 1000;
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "select count(*) from \"Orders\" where note = ? -- \\ / \t",
            "line\nfeed and ,\"end\":true}\n and {\"sampled_at\":\"x\"}",
            "Käse \u2028 \uD83D\uDC18 \u00A0 nul-free",
            "null",
            "NaN");
    private static final List<WaitEvent> WAITS = List.of(
            new WaitEvent("LWLock", "LockManager"),
            new WaitEvent("LWLock", "lock_manager"),
            new WaitEvent("IO", "WALSync"),
            new WaitEvent("IO", "WalSync"),
            new WaitEvent("Lock", "transactionid"),
            new WaitEvent("Extension", "My Own:Event"),
            WaitEvent.CPU);

    private final Random random;

    GeneratedRows(long seed) {
        random = new Random(seed);
    }

    /** Up to so many rows. */
    <R extends Row> List<R> rows(Class<R> row, int most) {
        List<R> rows = new ArrayList<>();
        int count = random.nextInt(most + 1);
        for (int i = 0; i < count; i++) {
            rows.add(row.cast(record(row)));
        }
        return rows;
    }

    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Object[] values = new Object[components.length];
            for (int i = 0; i < values.length; i++) {
                boolean nullable = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
                values[i] = nullable && random.nextInt(3) == 0 ? null : value(components[i].getGenericType());
            }
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return constructor.newInstance(values);
            } catch (InvocationTargetException e) {
                // a row that checks itself refused the values
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
        throw new AssertionError("no value of " + type + " in " + ATTEMPTS_MAX + " attempts");
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType list) {
            List<Object> values = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                values.add(value(list.getActualTypeArguments()[0]));
            }
            return values;
        }
        Class<?> one = (Class<?>) type;
        if (one == int.class || one == Integer.class) {
            return pick(0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, random.nextInt());
        }
        if (one == long.class || one == Long.class) {
            return pick(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53, random.nextLong());
        }
        if (one == double.class || one == Double.class) {
            // no -0.0: DuckDB takes it for 0.0 when it makes a dictionary
            return pick(0.0, 0.1, 1e-300, Double.MAX_VALUE, Double.MIN_VALUE, Double.NaN, random.nextGaussian());
        }
        if (one == boolean.class || one == Boolean.class) {
            return random.nextBoolean();
        }
        if (one == String.class) {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }
        if (one == Instant.class) {
            return Instant.EPOCH.plus(random.nextLong(4_000_000_000_000_000L), ChronoUnit.MICROS);
        }
        if (one == Oid.class) {
            return pick(new Oid(1), new Oid(0xFFFF_FFFFL), new Oid(1 + random.nextInt(1 << 30)));
        }
        if (one == WaitEvent.class) {
            return WAITS.get(random.nextInt(WAITS.size()));
        }
        if (one == StatementId.class) {
            return new StatementId(random.nextBoolean() ? "-8123456789012345678" : null, (String) value(String.class));
        }
        if (one == RelationName.class) {
            return new RelationName("Schema \"s\"", "t" + value(String.class));
        }
        if (one.isEnum()) {
            return pick(one.getEnumConstants());
        }
        return record(one);
    }

    private Object pick(Object... values) {
        return values[random.nextInt(values.length)];
    }
}
