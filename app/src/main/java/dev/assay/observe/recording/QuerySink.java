package dev.assay.observe.recording;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes an answer as it comes. */
public interface QuerySink {

    /** The columns, once, before the first row. */
    void columns(List<QueryColumn> columns);

    /** One row: numbers, texts, truths, lists and maps of these, and null. Times are texts: ISO, UTC. */
    void row(List<@Nullable Object> values);
}
