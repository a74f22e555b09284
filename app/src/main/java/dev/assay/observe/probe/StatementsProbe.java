package dev.assay.observe.probe;

import dev.assay.evidence.StatementId;
import dev.assay.evidence.StatementRow;
import dev.assay.target.TargetSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counters of every statement that ran since the look before, once a minute, where {@code pg_stat_statements} is there.
 *
 * <p>The function is asked without texts: with them the server reads its whole file of texts, tens of megabytes. Texts are fetched only when
 * there are statements whose text is not known yet ({@link StatementTexts}). Columns are read by their names, as the extension may be older
 * than the server. Entries that the role may not see have no query id and are left out.
 */
final class StatementsProbe {

    /** Once a minute times sixty: everything once an hour. */
    private static final int LOOKS_PER_FULL = 60;

    static final Probe<StatementRow> PROBE = new SqlProbe<>(
            "statements",
            StatementRow.class,
            Pace.every(Duration.ofMinutes(1)).in(Pace.Lane.PATIENT).whenCheap(),
            SqlProbe.Query.since(10, StatementStatistics.SQL),
            (session, sql, context) -> ask(session, StatementStatistics.find(session, sql), context));

    private StatementsProbe() {}

    /** What is kept between looks. */
    private record Memory(ChangedRows changes, StatementTexts texts) {}

    private static List<StatementRow> ask(TargetSession session, StatementStatistics found, ProbeContext context) {
        Memory memory = context.memory(
                "statements", Memory.class, () -> new Memory(new ChangedRows(LOOKS_PER_FULL), new StatementTexts()));
        Instant reset = found.state(session).get(0).statsReset();
        List<StatementRow> changed = new ArrayList<>();
        Set<String> columns = new HashSet<>();
        memory.changes().begin();
        session.scan(
                "select * from " + found.schema() + ".pg_stat_statements(false) where queryid is not null",
                ChangedRows.BATCH,
                row -> {
                    if (columns.isEmpty()) {
                        columns.addAll(names(row));
                    }
                    if (isNew(row, columns, memory.changes())) {
                        changed.add(read(new Answer(row, columns), reset, context));
                    }
                });
        memory.changes().end();
        Set<String> ids = new LinkedHashSet<>();
        changed.forEach(row -> ids.add(row.queryId()));
        memory.texts().learn(session, found.schema(), ids);
        return changed.stream()
                .map(row -> row.named(memory.texts().statement(row.queryId())))
                .toList();
    }

    private static Set<String> names(ResultSet row) throws SQLException {
        Set<String> names = new HashSet<>();
        for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
            names.add(row.getMetaData().getColumnName(column).toLowerCase(Locale.ROOT));
        }
        return names;
    }

    private static boolean isNew(ResultSet row, Set<String> columns, ChangedRows changes) throws SQLException {
        Answer answer = new Answer(row, columns);
        long key = ChangedRows.print(
                row.getLong("userid"),
                row.getLong("dbid"),
                row.getLong("queryid"),
                answer.truth("toplevel", true) ? 1 : 0);
        long print = ChangedRows.print(
                row.getLong("calls"),
                answer.count("plans"),
                Double.doubleToLongBits(answer.millis("total_exec_time", "total_time")));
        return changes.changed(key, print);
    }

    /** One row, read by names that may be missing. */
    private record Answer(ResultSet row, Set<String> columns) {

        long count(String name) throws SQLException {
            return columns.contains(name) ? row.getLong(name) : 0;
        }

        @Nullable
        Long countOrNull(String name) throws SQLException {
            return columns.contains(name) ? Long.valueOf(row.getBigDecimal(name).longValue()) : null;
        }

        /** The first of these columns that is there; 0 when none is. */
        double millis(String... names) throws SQLException {
            for (String name : names) {
                if (columns.contains(name)) {
                    return row.getDouble(name);
                }
            }
            return 0;
        }

        boolean truth(String name, boolean otherwise) throws SQLException {
            return columns.contains(name) ? row.getBoolean(name) : otherwise;
        }

        @Nullable
        Double jitMillis() throws SQLException {
            return columns.contains("jit_generation_time")
                    ? Double.valueOf(millis("jit_generation_time")
                            + millis("jit_inlining_time")
                            + millis("jit_optimization_time")
                            + millis("jit_emission_time"))
                    : null;
        }
    }

    private static StatementRow read(Answer answer, @Nullable Instant reset, ProbeContext context) throws SQLException {
        ResultSet row = answer.row();
        String queryId = Long.toString(row.getLong("queryid"));
        return new StatementRow(
                queryId,
                new StatementId(queryId, ""),
                context.names().role(row.getLong("userid")),
                context.names().database(row.getLong("dbid")),
                answer.truth("toplevel", true),
                row.getLong("calls"),
                answer.count("plans"),
                answer.millis("total_plan_time"),
                answer.millis("total_exec_time", "total_time"),
                answer.millis("min_exec_time", "min_time"),
                answer.millis("max_exec_time", "max_time"),
                row.getLong("rows"),
                row.getLong("shared_blks_hit"),
                row.getLong("shared_blks_read"),
                row.getLong("shared_blks_dirtied"),
                row.getLong("shared_blks_written"),
                row.getLong("local_blks_read"),
                row.getLong("local_blks_written"),
                row.getLong("temp_blks_read"),
                row.getLong("temp_blks_written"),
                answer.millis("shared_blk_read_time", "blk_read_time"),
                answer.millis("shared_blk_write_time", "blk_write_time"),
                answer.countOrNull("wal_records"),
                answer.countOrNull("wal_fpi"),
                answer.countOrNull("wal_bytes"),
                answer.jitMillis(),
                answer.columns().contains("stats_since")
                        ? row.getTimestamp("stats_since").toInstant()
                        : reset);
    }
}
