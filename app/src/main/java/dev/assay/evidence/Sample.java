package dev.assay.evidence;

import java.time.Instant;
import java.util.List;

/**
 * One result of one probe.
 *
 * @param at when the result was complete, by the observer's clock
 */
public record Sample<R extends Row>(Instant at, List<R> rows) {

    public Sample {
        rows = List.copyOf(rows);
    }
}
