package dev.assay.evidence;

import dev.assay.pg.StatementText;
import org.jspecify.annotations.Nullable;

/**
 * A statement, whatever its literals.
 *
 * @param queryId the server's signed 64-bit query id as text, null where it computes none
 * @param text the statement without literals
 */
public record StatementId(@Nullable String queryId, String text) {

    /** From what the activity view shows. */
    public static StatementId of(@Nullable String queryId, String query) {
        return new StatementId(queryId, StatementText.normalise(query));
    }
}
