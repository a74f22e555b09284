package dev.assay.observe;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.StatementId;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.pg.WaitEvent;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Rows of any type, with values as a busy server has them: some hundred texts and objects, numbers that differ. */
final class RandomRows {

    private static final int TEXTS = 500;
    private static final int LIST = 8;

    private final Random random;
    private final List<String> texts = new ArrayList<>();

    RandomRows(long seed) {
        random = new Random(seed);
        for (int i = 0; i < TEXTS; i++) {
            texts.add("select balance, changed from account_" + i + " where id = ? and "
                    + "branch = ? and ".repeat(random.nextInt(20)) + "kind = ?");
        }
    }

    <R extends Row> List<R> rows(Class<R> type, int count, Instant now) {
        List<R> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(type.cast(make(type, now)));
        }
        return rows;
    }

    private Object make(Class<?> type, Instant now) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(components[i].getGenericType(), now);
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }

    private Object value(Type generic, Instant now) {
        if (generic instanceof ParameterizedType list) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < LIST; i++) {
                values.add(value(list.getActualTypeArguments()[0], now));
            }
            return values;
        }
        Class<?> type = (Class<?>) generic;
        if (type == int.class || type == Integer.class) {
            return LIST + random.nextInt(100_000); // a count is not smaller than the list that it counts
        } else if (type == long.class || type == Long.class) {
            return random.nextLong(10_000_000_000L);
        } else if (type == double.class || type == Double.class) {
            return random.nextDouble() * 1000;
        } else if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            return "word_" + random.nextInt(200);
        } else if (type == Instant.class) {
            return now.minusMillis(random.nextInt(100_000));
        } else if (type == Oid.class) {
            return new Oid(16_384 + random.nextInt(2000));
        } else if (type == RelationName.class) {
            return new RelationName("public", "table_" + random.nextInt(2000));
        } else if (type == StatementId.class) {
            int which = random.nextInt(TEXTS);
            return new StatementId(Integer.toString(which), texts.get(which));
        } else if (type == WaitEvent.class) {
            return random.nextBoolean() ? WaitEvent.CPU : WaitEvent.parse("LWLock:WALWrite");
        } else if (type == LockMode.class) {
            return LockMode.ACCESS_SHARE;
        } else if (type == RelationLocksRow.Lock.class || type == CatalogRelation.class) {
            return make(type, now);
        } else if (type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        }
        throw new IllegalStateException("no value of " + type);
    }
}
