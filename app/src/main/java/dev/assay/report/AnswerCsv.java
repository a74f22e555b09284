package dev.assay.report;

import dev.assay.observe.recording.QueryColumn;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Comma-separated values as RFC 4180 has them, but with line feeds. A null is empty, an empty text is {@code ""}. */
public final class AnswerCsv {

    private AnswerCsv() {}

    /** The names of the columns. */
    public static String head(List<QueryColumn> columns) {
        return columns.stream().map(column -> quoted(column.name())).collect(Collectors.joining(",")) + "\n";
    }

    /** One row. */
    public static String line(List<@Nullable Object> values) {
        return values.stream()
                        .map(value -> value == null ? "" : quoted(Answer.text(value)))
                        .collect(Collectors.joining(","))
                + "\n";
    }

    private static String quoted(String text) {
        boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
