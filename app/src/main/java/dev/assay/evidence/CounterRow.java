package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of counters that only grow until the server resets them. A component that is null does not exist on that version.
 *
 * <p>Two rows with the same {@link #key} in samples that follow each other give an increase, unless the counters were reset in between:
 * then a counter is smaller, {@link #statsReset} is later, or the server was started anew ({@link ServerRow#startedAt}).
 */
public interface CounterRow extends Row {

    /** What is counted, unique within one sample; empty where the sample has one row only. */
    String key();

    /** When the server last reset these counters; null where it does not tell. */
    @Nullable
    Instant statsReset();
}
