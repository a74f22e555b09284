package dev.assay.observe.recording;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One question in SQL to a recording. The SQL may read the recording and nothing else: only {@code SELECT} and what DuckDB makes one of
 * ({@code FROM}, {@code DESCRIBE}, {@code SUMMARIZE}, {@code SHOW TABLES}) is let through, as DuckDB's own parser sees it, and files outside
 * the folder, the network, extensions and settings are out of reach.
 */
final class RecordingQuery {

    private static final int THREADS_MAX = 4;
    private static final int MEMORY_MEGABYTES = 1024;
    private static final int ATTEMPTS_MAX = 5;

    private final RecordingFolder folder;
    private final Recording recording;

    private final Instant from;
    private final Instant to;

    RecordingQuery(Recording recording, Instant from, Instant to) {
        this.recording = recording;
        this.from = from;
        this.to = to;
        this.folder = recording.folder();
    }

    void run(String sql, QuerySink sink) {
        boolean[] begun = {false};
        for (int attempt = 1; ; attempt++) {
            try (DuckDb duck =
                    DuckDb.open(Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors()), MEMORY_MEGABYTES)) {
                RecordingViews.create(duck, folder, recording.server(), from, to);
                lock(duck);
                onlySelects(duck, sql);
                duck.query(sql, rows -> answer(rows, sink, begun));
                return;
            } catch (SQLException e) {
                if (begun[0] || attempt == ATTEMPTS_MAX || !goneMeanwhile(e)) {
                    throw failed(e);
                }
            } catch (IOException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw new RecordingException(
                            "cannot read " + folder.path() + ": " + RecordingFolder.why(e), "Can you read it?", e);
                }
            }
        }
    }

    /** A file that was rolled or dropped between the making of the views and the reading. */
    private static boolean goneMeanwhile(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("No files found that match") || message.contains("No such file or directory");
    }

    private void lock(DuckDb duck) throws SQLException, IOException {
        String path = folder.path().toAbsolutePath() + "/";
        duck.execute("SET allowed_directories = [" + DuckDb.quoted(path) + "]");
        duck.execute("SET enable_external_access = false");
        duck.execute("SET lock_configuration = true");
    }

    /** DuckDB can write down selects only, so what it writes down is one. */
    private void onlySelects(DuckDb duck, String sql) throws SQLException {
        String[] refused = {""};
        duck.query(
                "SELECT j->>'error', j->>'error_type', j->>'error_message' FROM (SELECT json_serialize_sql("
                        + DuckDb.quoted(sql) + ") AS j)",
                rows -> {
                    if (!rows.next()) {
                        refused[0] = "it is empty";
                    } else if (!"false".equals(rows.getString(1))) {
                        refused[0] = "parser".equals(rows.getString(2))
                                ? String.valueOf(rows.getString(3))
                                : "only SELECT can be asked of a recording";
                    }
                });
        if (!refused[0].isEmpty()) {
            throw new RecordingException("the query cannot be run: " + refused[0], hint(), null);
        }
    }

    private RecordingException failed(SQLException e) {
        String why = DuckDb.firstLine(e);
        return new RecordingException("the query failed: " + why, hint(), e);
    }

    private String hint() {
        List<String> names =
                recording.tables().stream().map(Recording.Table::name).toList();
        return "Tables with samples: " + String.join(", ", names) + "; views: "
                + String.join(
                        ", ", RecordingViews.HELPFUL.keySet().stream().sorted().toList())
                + ". 'DESCRIBE activity' shows columns.";
    }

    private static void answer(ResultSet rows, QuerySink sink, boolean[] begun) throws SQLException {
        ResultSetMetaData about = rows.getMetaData();
        List<QueryColumn> columns = new ArrayList<>();
        for (int i = 1; i <= about.getColumnCount(); i++) {
            columns.add(new QueryColumn(about.getColumnName(i), about.getColumnTypeName(i)));
        }
        boolean more = rows.next();
        begun[0] = true;
        sink.columns(columns);
        while (more) {
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 1; i <= columns.size(); i++) {
                values.add(value(rows, i, columns.get(i - 1).type()));
            }
            sink.row(values);
            more = rows.next();
        }
    }

    private static @Nullable Object value(ResultSet rows, int place, String type) throws SQLException {
        if (type.equals("TIMESTAMP")) {
            LocalDateTime time = rows.getObject(place, LocalDateTime.class);
            return time == null ? null : time.toInstant(ZoneOffset.UTC).toString();
        }
        return plain(rows.getObject(place));
    }

    private static @Nullable Object plain(@Nullable Object value) throws SQLException {
        if (value == null || value instanceof Boolean || value instanceof String) {
            return value;
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            return Double.isFinite(number) ? (Object) number : String.valueOf(number);
        }
        if (value instanceof BigDecimal || value instanceof BigInteger || value instanceof Number) {
            return value;
        }
        if (value instanceof Timestamp time) {
            return time.toLocalDateTime().toInstant(ZoneOffset.UTC).toString();
        }
        if (value instanceof OffsetDateTime time) {
            return time.toInstant().toString();
        }
        if (value instanceof Array array) {
            List<@Nullable Object> list = new ArrayList<>();
            for (Object one : (Object[]) array.getArray()) {
                list.add(plain(one));
            }
            return list;
        }
        if (value instanceof Struct struct) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            for (Map.Entry<?, ?> field : fields(struct).entrySet()) {
                fields.put(String.valueOf(field.getKey()), plain(field.getValue()));
            }
            return fields;
        }
        return value.toString();
    }

    /** JDBC gives a struct's values only; the driver's class, which has a loader of its own, gives the names as well. */
    private static Map<?, ?> fields(Struct struct) throws SQLException {
        try {
            return (Map<?, ?>) struct.getClass().getMethod("getMap").invoke(struct);
        } catch (InvocationTargetException e) {
            throw new SQLException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new SQLException("this driver names no fields", e);
        }
    }
}
