package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that was prepared and is neither committed nor rolled back, from {@code pg_prepared_xact()}.
 *
 * @param gid the name that it was given
 * @param preparedAt when it was prepared
 * @param xidAge age of its transaction id, in transactions: it holds the horizon at least that far back
 * @param owner who prepared it
 * @param database where
 */
public record PreparedTransactionRow(
        String gid,
        Instant preparedAt,
        int xidAge,
        @Nullable String owner,
        @Nullable String database) implements Row {}
