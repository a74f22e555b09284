package dev.assay.observe.recording;

import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.episode.LoadPoint;
import dev.assay.observe.recording.RecordingFolder.Piece;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the files of one table, one after the other, as values. Belongs to one thread. */
final class PieceReader {

    /** Texts that come again and again are kept once; beyond this many they are forgotten. */
    private static final int TEXTS_MAX = 20_000;

    private final DuckDb duck;
    private final Map<String, String> texts = new HashMap<>();

    PieceReader(DuckDb duck) {
        this.duck = duck;
    }

    /**
     * What of a table is wanted.
     *
     * @param where a condition on the table's columns, or empty
     * @param atMicros the only samples wanted, by their times; null for all
     */
    record Wanted(
            Instant from,
            Instant to,
            String where,
            @Nullable Set<Long> atMicros) {

        static Wanted all(Instant from, Instant to) {
            return new Wanted(from, to, "", null);
        }

        Wanted where(String condition) {
            return new Wanted(from, to, condition, atMicros);
        }

        Wanted at(Set<Long> times) {
            return new Wanted(from, to, where, times);
        }

        String condition() {
            StringBuilder sql = new StringBuilder(
                    RowTable.SAMPLED_AT + " >= " + time(from) + " AND " + RowTable.SAMPLED_AT + " <= " + time(to));
            if (!where.isEmpty()) {
                sql.append(" AND (").append(where).append(')');
            }
            Set<Long> times = atMicros;
            if (times != null) {
                sql.append(" AND epoch_us(" + RowTable.SAMPLED_AT + ") IN (");
                sql.append(String.join(", ", times.stream().map(String::valueOf).toList()));
                sql.append(')');
            }
            return sql.toString();
        }

        private static String time(Instant instant) {
            return "TIMESTAMP " + DuckDb.quoted(ScalarCodec.instantText(bounded(instant)));
        }

        /** Within what DuckDB can hold. */
        private static Instant bounded(Instant instant) {
            Instant least = Instant.parse("1970-01-01T00:00:00Z");
            Instant most = Instant.parse("9999-12-31T00:00:00Z");
            return instant.isBefore(least) ? least : instant.isAfter(most) ? most : instant;
        }
    }

    /**
     * The wanted samples with rows of one file, in the order they were written.
     *
     * @throws SQLException when the file went away meanwhile, or is no file of this table
     * @throws IllegalArgumentException when its rows cannot be values of this Assay's class
     */
    <R extends Row> List<Sample<R>> read(RowTable<R> table, Piece piece, Wanted wanted)
            throws SQLException, IOException {
        Source source = source(piece);
        if (source == null || (wanted.atMicros() != null && wanted.atMicros().isEmpty())) {
            return List.of();
        }
        StringBuilder sql = new StringBuilder("SELECT epoch_us(" + RowTable.SAMPLED_AT + ")");
        Map<Column, Integer> places = new HashMap<>();
        int place = 1;
        for (Column column : table.columns()) {
            if (source.columns().contains(column.name())) {
                sql.append(", ").append(column.codec().select(column.quoted()));
                places.put(column, ++place);
            }
        }
        sql.append(" FROM ").append(source.sql()).append(" WHERE ").append(wanted.condition());
        List<Sample<R>> samples = new ArrayList<>();
        duck.query(sql.toString(), rows -> collect(table, rows, places, samples));
        return samples;
    }

    private <R extends Row> void collect(
            RowTable<R> table, ResultSet rows, Map<Column, Integer> places, List<Sample<R>> samples)
            throws SQLException {
        long at = Long.MIN_VALUE;
        List<R> sample = new ArrayList<>();
        @Nullable Object[] cells = new @Nullable Object[places.size() + 2];
        while (rows.next()) {
            long time = rows.getLong(1);
            if (time != at && !sample.isEmpty()) {
                samples.add(new Sample<>(ScalarCodec.instant(at), sample));
                sample = new ArrayList<>();
            }
            at = time;
            for (int i = 2; i < cells.length; i++) {
                cells[i] = once(rows.getObject(i));
            }
            sample.add(table.read(column -> {
                Integer place = places.get(column);
                Object cell = place == null ? null : cells[place];
                return cell == null ? null : column.codec().fromSql(cell);
            }));
        }
        if (!sample.isEmpty()) {
            samples.add(new Sample<>(ScalarCodec.instant(at), sample));
        }
    }

    private @Nullable Object once(@Nullable Object cell) {
        if (!(cell instanceof String text)) {
            return cell;
        }
        if (texts.size() > TEXTS_MAX) {
            texts.clear();
        }
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    /**
     * What each wanted look of a file of {@code activity} says of the load, in the order of time; as {@link LoadPoint#of} would say, counted by
     * the database.
     */
    List<LoadPoint> load(Piece piece, Wanted wanted) throws SQLException, IOException {
        Source source = source(piece);
        List<LoadPoint> points = new ArrayList<>();
        if (source != null) {
            String active = " FILTER (WHERE " + RecordingViews.ACTIVE;
            String sql = "SELECT epoch_us(" + RowTable.SAMPLED_AT + "), count(*)" + active + "), count(*)" + active
                    + " AND wait_event IS NOT NULL), count(*)" + active + " AND wait_event LIKE 'Lock:%') FROM "
                    + source.sql() + " WHERE " + wanted.condition() + " GROUP BY 1 ORDER BY 1";
            duck.query(sql, rows -> {
                while (rows.next()) {
                    points.add(new LoadPoint(
                            ScalarCodec.instant(rows.getLong(1)), rows.getInt(2), rows.getInt(3), rows.getInt(4)));
                }
            });
        }
        return points;
    }

    /** Earliest and latest time in a file; null when it holds none. */
    Instant @Nullable [] span(Piece piece) throws SQLException, IOException {
        Source source = source(piece);
        List<Instant> span = new ArrayList<>();
        if (source != null) {
            UnaryOperator<String> time = end -> "epoch_us(" + end + "(" + RowTable.SAMPLED_AT + "))";
            duck.query("SELECT " + time.apply("min") + ", " + time.apply("max") + " FROM " + source.sql(), rows -> {
                if (rows.next() && rows.getObject(1) != null) {
                    span.add(ScalarCodec.instant(rows.getLong(1)));
                    span.add(ScalarCodec.instant(rows.getLong(2)));
                }
            });
        }
        return span.isEmpty() ? null : span.toArray(new Instant[0]);
    }

    /** Times in microseconds, and rows, of the samples of a table that a file of the table of samples tells. */
    void times(Piece piece, String table, Wanted wanted, Map<Long, Integer> found) throws SQLException, IOException {
        Source source = source(piece);
        if (source != null) {
            String sql = "SELECT epoch_us(" + RowTable.SAMPLED_AT + "), row_count FROM " + source.sql()
                    + " WHERE table_name = " + DuckDb.quoted(table) + " AND " + wanted.condition();
            duck.query(sql, rows -> {
                while (rows.next()) {
                    found.put(rows.getLong(1), rows.getInt(2));
                }
            });
        }
    }

    /** Where a file's rows come from, as a table of SQL, with the columns there are. */
    record Source(String sql, Set<String> columns) {}

    /** Null for a journal without a complete sample. */
    @Nullable
    Source source(Piece piece) throws SQLException, IOException {
        if (piece.journal()) {
            JournalScan scan = JournalScan.of(piece.path());
            return scan.lastSample() == null
                    ? null
                    : new Source(
                            Roller.source(piece.path(), scan), scan.columns().keySet());
        }
        String sql =
                "read_parquet(" + DuckDb.quoted(piece.path().toAbsolutePath().toString()) + ")";
        Set<String> columns = new HashSet<>();
        duck.query("SELECT * FROM " + sql + " LIMIT 0", rows -> {
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                columns.add(rows.getMetaData().getColumnName(i));
            }
        });
        return new Source(sql, columns);
    }
}
