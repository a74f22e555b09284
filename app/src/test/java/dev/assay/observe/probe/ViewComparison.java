package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.Row;
import dev.assay.server.TestDatabase;
import dev.assay.target.TargetSession;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a probe gives with what a plain session reads from a view, component by component.
 *
 * <p>Counters move, so the view is read before and after the look: a number must lie between the two, everything else must be what both say.
 */
final class ViewComparison {

    private ViewComparison() {}

    /**
     * Compares one look.
     *
     * @param key what tells the rows of one look apart
     * @param sql gives the key and then one column for each component of the row, in the record's order; times as microseconds since 1970
     * @return the rows by their key
     */
    static <R extends Row> Map<String, R> compare(
            Connection view, TargetSession session, Probe<R> probe, Function<R, String> key, String sql)
            throws SQLException, ReflectiveOperationException {
        Map<String, List<String>> before = read(view, sql);
        Map<String, R> seen = new LinkedHashMap<>();
        for (R row : Looks.at(session, probe)) {
            assertThat(seen.put(key.apply(row), row)).as("%s stands twice", row).isNull();
        }
        Map<String, List<String>> after = read(view, sql);
        assertThat(seen.keySet()).containsAll(before.keySet());
        assertThat(after.keySet()).containsAll(seen.keySet()).isNotEmpty();
        for (Map.Entry<String, R> row : seen.entrySet()) {
            List<String> high = after.get(row.getKey());
            compare(row.getValue(), before.getOrDefault(row.getKey(), high), high, before.containsKey(row.getKey()));
        }
        return seen;
    }

    private static Map<String, List<String>> read(Connection view, String sql) throws SQLException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (List<String> row : TestDatabase.rows(view, sql)) {
            assertThat(rows.put(row.get(0), row.subList(1, row.size()))).isNull();
        }
        return rows;
    }

    private static void compare(Row row, List<String> low, List<String> high, boolean known)
            throws ReflectiveOperationException {
        RecordComponent[] components = row.getClass().getRecordComponents();
        assertThat(high).as("columns for %s", row.getClass()).hasSize(components.length);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            Object seen = components[i].getAccessor().invoke(row);
            if (!matches(seen, low.get(i), high.get(i), known)) {
                wrong.add(
                        components[i].getName() + ": " + seen + ", the view has " + low.get(i) + " to " + high.get(i));
            }
        }
        assertThat(wrong).as("%s", row).isEmpty();
    }

    private static boolean matches(@Nullable Object seen, @Nullable String low, @Nullable String high, boolean known) {
        if (seen == null || low == null || high == null) {
            return seen == null && low == null && high == null;
        }
        if (seen instanceof Number number) {
            BigDecimal value = new BigDecimal(number.toString());
            boolean enough = !known || value.compareTo(new BigDecimal(low)) >= 0;
            return enough && value.compareTo(new BigDecimal(high)) <= 0;
        }
        String text = seen instanceof Instant time
                ? Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, time))
                : seen.toString();
        return text.equals(low) && text.equals(high);
    }

    /** SQL for a time as microseconds since 1970. */
    static String micros(String column) {
        return "(extract(epoch from " + column + ") * 1000000)::bigint";
    }
}
