package dev.assay.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.observe.recording.QueryColumn;
import dev.assay.observe.recording.QuerySink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a question in SQL; as JSON it is a document of kind {@code query}. Not thread-safe. */
public final class Answer implements QuerySink {

    /** The value of {@code kind}. */
    public static final String KIND = "query";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int CELL_WIDTH_MAX = 60;

    private final int rowsMax;
    private final List<QueryColumn> columns = new ArrayList<>();
    private final List<List<@Nullable Object>> rows = new ArrayList<>();
    private long rowCount;

    /**
     * Empty.
     *
     * @param rowsMax how many rows are kept; the others are counted
     */
    public Answer(int rowsMax) {
        this.rowsMax = rowsMax;
    }

    @Override
    public void columns(List<QueryColumn> all) {
        columns.addAll(all);
    }

    @Override
    public void row(List<@Nullable Object> values) {
        rowCount++;
        if (rows.size() < rowsMax) {
            rows.add(values);
        }
    }

    /** The document as text, indented, with a line feed at the end. */
    public String json(String assayVersion, Instant generatedAt, String sql) {
        ObjectNode document = JsonShapes.envelope(KIND, assayVersion, generatedAt, rowCount > rows.size(), List.of());
        document.put("sql", sql);
        ArrayNode heads = document.putArray("columns");
        columns.forEach(column -> heads.addObject().put("name", column.name()).put("type", column.type()));
        document.put("row_count", rowCount);
        ArrayNode lines = document.putArray("rows");
        for (List<@Nullable Object> row : rows) {
            ArrayNode line = lines.addArray();
            row.forEach(value -> line.add(MAPPER.<JsonNode>valueToTree(value)));
        }
        return JsonShapes.text(document);
    }

    /** A table, and how many rows there are. */
    List<String> lines(int width, Ink ink) {
        TextTable table = new TextTable();
        columns.forEach(column -> {
            if (column.isNumber()) {
                table.right(column.name());
            } else {
                table.left(column.name());
            }
        });
        for (List<@Nullable Object> row : rows) {
            table.row(row.stream().map(Answer::cell).toList());
        }
        List<String> lines = new ArrayList<>(table.lines(width, 0, ink));
        lines.add(ink.faint(
                rowCount > rows.size()
                        ? "first " + rows.size() + " of " + rowCount + " rows; --csv gives all"
                        : rowCount == 1 ? "1 row" : rowCount + " rows"));
        return lines;
    }

    private static String cell(@Nullable Object value) {
        return value == null ? Numbers.UNKNOWN : Ink.oneLine(text(value), CELL_WIDTH_MAX);
    }

    /** As people and spreadsheets read it. */
    static String text(Object value) {
        return value instanceof List || value instanceof Map
                ? MAPPER.valueToTree(value).toString()
                : value.toString();
    }
}
