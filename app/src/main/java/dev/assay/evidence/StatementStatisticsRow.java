package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of {@code pg_stat_statements} itself.
 *
 * @param extensionVersion for example {@code 1.11}; may be older than the server, after {@code pg_upgrade}
 * @param entriesMax {@code pg_stat_statements.max}
 * @param evictions how often the least executed entries were thrown away as there were more; null before 1.9
 * @param statsReset when all entries were last reset; null before 1.9
 */
public record StatementStatisticsRow(
        String extensionVersion,
        long entriesMax,
        @Nullable Long evictions,
        @Nullable Instant statsReset) implements CounterRow {

    @Override
    public String key() {
        return "";
    }
}
