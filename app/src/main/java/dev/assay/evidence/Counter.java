package dev.assay.evidence;

import org.jspecify.annotations.Nullable;

/**
 * One of the counters of a row.
 *
 * @param name for people and documents, snake_case with the unit last where it has one
 * @param value its reading; null where that version has none
 */
public record Counter<R extends CounterRow>(String name, Reading<R> value) {

    /** Reads it off a row. */
    @FunctionalInterface
    public interface Reading<R> {
        @Nullable
        Number of(R row);
    }
}
