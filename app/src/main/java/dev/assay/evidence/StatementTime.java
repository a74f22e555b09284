package dev.assay.evidence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where one statement's time went: what sessions spent on it by the looks at activity, and what the server counted of it.
 *
 * @param load its part of the active session time
 * @param calls what {@code pg_stat_statements} counted; null without the extension or the statement's query id
 */
public record StatementTime(
        Load.Slice<StatementId> load, @Nullable Calls calls) {

    /** The counters that {@link #of} reads. */
    public static final List<Counter<StatementRow>> COUNTERS = List.of(
            new Counter<>("calls", StatementRow::calls),
            new Counter<>("execution_millis", StatementRow::executionMillis));

    /**
     * What the server counted, over all roles and databases.
     *
     * @param calls how often it was executed; of executions that ended in the window
     * @param executionMillis their time
     * @param lowerBound whether there may have been more
     * @param intervals how many intervals between looks stand behind it
     */
    public record Calls(double calls, double executionMillis, boolean lowerBound, int intervals) {

        /** NaN when none ended. */
        public double meanMillis() {
            return calls > 0 ? executionMillis / calls : Double.NaN;
        }
    }

    /**
     * The statements of a load, in its order.
     *
     * @param statements samples of the probe of statements, for their keys
     * @param rates how {@link #COUNTERS} grew
     */
    public static List<StatementTime> of(
            Load<StatementId> load, List<Sample<StatementRow>> statements, Rates<StatementRow> rates) {
        Map<String, String> idByKey = new HashMap<>();
        statements.forEach(sample -> sample.rows().forEach(row -> idByKey.put(row.key(), row.queryId())));
        Map<String, Calls> byId = new HashMap<>();
        for (String key : rates.keys()) {
            Rate calls = Objects.requireNonNull(rates.rate(key, "calls"), key);
            Rate millis = Objects.requireNonNull(rates.rate(key, "execution_millis"), key);
            Calls one = new Calls(
                    calls.increase(), millis.increase(), calls.lowerBound() || millis.lowerBound(), calls.intervals());
            byId.merge(Objects.requireNonNull(idByKey.get(key), key), one, StatementTime::sum);
        }
        List<StatementTime> times = new ArrayList<>();
        for (Load.Slice<StatementId> slice : load.slices()) {
            StatementId statement = slice.key();
            String queryId = statement == null ? null : statement.queryId();
            times.add(new StatementTime(slice, queryId == null ? null : byId.get(queryId)));
        }
        return times;
    }

    private static Calls sum(Calls one, Calls other) {
        return new Calls(
                one.calls + other.calls,
                one.executionMillis + other.executionMillis,
                one.lowerBound || other.lowerBound,
                Math.max(one.intervals, other.intervals));
    }
}
