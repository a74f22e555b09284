package dev.assay.observe.recording;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.SettingRow;
import dev.assay.observe.recording.RecordingFolder.Piece;
import dev.assay.pg.ServerFacts;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A view for every table, whatever files it has, with the columns of {@link RowTable} first, so that recordings of any version of PostgreSQL
 * and of Assay can be asked the same; and views that spare common joins.
 */
final class RecordingViews {

    /** What {@link ActivityRow#active()} says of a row of {@code activity}. */
    static final String ACTIVE = "state IN ('active', 'fastpath function call')"
            + " AND (backend_type IS NULL OR backend_type IN ('client backend', 'parallel worker'))";

    /** Views on top of the tables, by name. */
    static final Map<String, String> HELPFUL =
            Map.of("waits", """
            SELECT sampled_at, coalesce(wait_event, 'CPU') AS wait_event, count(*) AS sessions
            FROM activity
            WHERE %s
            GROUP BY ALL
            """.replace("%s", ACTIVE), "relation_names", """
            SELECT oid, arg_max(schema, sampled_at) AS schema, arg_max(name, sampled_at) AS name,
                   arg_max(kind, sampled_at) AS kind, arg_max(table_oid, sampled_at) AS table_oid
            FROM catalog_relation
            GROUP BY oid
            """, "fast_path", """
            SELECT l.sampled_at, l.pid, l.query_id, l.statement, l.relation, n.schema, n.name, l.mode, l.granted, l.fast_path,
                   (l.relation * 49157) & (%s - 1) AS slot_group
            FROM (SELECT sampled_at, pid, query_id, statement, unnest(locks, recursive := true) FROM relation_locks) l
            LEFT JOIN relation_names n ON n.oid = l.relation
            """);

    /** Their order: a later one may use an earlier one. */
    private static final List<String> ORDER = List.of("waits", "relation_names", "fast_path");

    /** Groups of 16 slots, from the setting's last value: {@code InitializeFastPathLocks}, {@code postinit.c}, 18. */
    private static final String GROUPS_18 = """
            (SELECT greatest(1, least(1024, pow(2, ceil(log2(coalesce(max_by(value::INTEGER, sampled_at), 64))))::BIGINT // 16))
             FROM setting WHERE name = 'max_locks_per_transaction')""";

    private RecordingViews() {}

    /** What is told seldom and holds until it is told again: a part of a recording has all of it up to its end. */
    private static final Set<String> HOLDING =
            Set.of(ColumnName.ofTable(SettingRow.class), ColumnName.ofTable(CatalogRelation.class));

    /**
     * Makes them all.
     *
     * @param from begin of the part that they show
     * @param to its end
     */
    static void create(DuckDb duck, RecordingFolder folder, ServerFacts server, Instant from, Instant to)
            throws SQLException, IOException {
        Map<String, List<Piece>> pieces = folder.pieces();
        PieceReader reader = new PieceReader(duck);
        Map<String, RowTable<?>> known = RecordingTables.all();
        for (RowTable<?> table : known.values()) {
            table(
                    duck,
                    table.name(),
                    none(table),
                    pieces.getOrDefault(table.name(), List.of()),
                    reader,
                    part(table.name(), from, to));
        }
        for (Map.Entry<String, List<Piece>> other : pieces.entrySet()) {
            if (!known.containsKey(other.getKey())) {
                table(duck, other.getKey(), "", other.getValue(), reader, part(other.getKey(), from, to));
            }
        }
        for (String name : ORDER) {
            String groups = server.version().atLeast(18) ? GROUPS_18 : "1";
            String body = HELPFUL.getOrDefault(name, "").replace("%s", groups);
            duck.execute("CREATE VIEW " + name + " AS " + body);
        }
    }

    private static String part(String table, Instant from, Instant to) {
        String begin = HOLDING.contains(table) || from.equals(Instant.MIN)
                ? ""
                : RowTable.SAMPLED_AT + " >= " + timestamp(from);
        String end = to.equals(Instant.MAX) ? "" : RowTable.SAMPLED_AT + " <= " + timestamp(to);
        String both = begin.isEmpty() || end.isEmpty() ? begin + end : begin + " AND " + end;
        return both.isEmpty() ? "" : " WHERE " + both;
    }

    private static String timestamp(Instant at) {
        return "make_timestamp(" + ScalarCodec.epochMicros(at) + ")";
    }

    private static void table(
            DuckDb duck, String name, String none, List<Piece> pieces, PieceReader reader, String part)
            throws SQLException, IOException {
        List<String> parts = new ArrayList<>();
        if (!none.isEmpty()) {
            parts.add(none);
        }
        String files = pieces.stream()
                .filter(piece -> !piece.journal())
                .map(piece -> DuckDb.quoted(piece.path().toAbsolutePath().toString()))
                .collect(Collectors.joining(", "));
        if (!files.isEmpty()) {
            parts.add("SELECT * FROM read_parquet([" + files + "], union_by_name=true)");
        }
        for (Piece piece : pieces) {
            PieceReader.Source source = piece.journal() ? reader.source(piece) : null;
            if (source != null) {
                parts.add("SELECT * FROM " + source.sql());
            }
        }
        if (!parts.isEmpty()) {
            duck.execute("CREATE VIEW " + DuckDb.name(name) + " AS SELECT * FROM ("
                    + String.join(" UNION ALL BY NAME ", parts) + ")" + part);
        }
    }

    /** No row, but all columns. */
    private static String none(RowTable<?> table) {
        return "SELECT NULL::TIMESTAMP AS " + RowTable.SAMPLED_AT
                + table.columns().stream()
                        .map(column -> ", NULL::" + column.sqlType() + " AS " + column.quoted())
                        .collect(Collectors.joining())
                + " WHERE false";
    }
}
