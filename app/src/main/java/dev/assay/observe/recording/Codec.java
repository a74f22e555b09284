package dev.assay.observe.recording;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** How the values of one type sit in one column. Values are never null here. Immutable, thread-safe. */
interface Codec {

    /** The column's type, as DuckDB names it. */
    String sqlType();

    void write(JsonGenerator json, Object value) throws IOException;

    /** The expression that {@link #fromSql} reads, for a column by its quoted name. */
    default String select(String quoted) {
        return quoted;
    }

    /** From what the driver gives for {@link #select}. */
    Object fromSql(Object value);

    /** From the element of a list or the field of a struct. */
    Object fromJson(JsonNode node);
}
