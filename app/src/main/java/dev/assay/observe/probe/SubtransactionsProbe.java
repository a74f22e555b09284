package dev.assay.observe.probe;

import dev.assay.evidence.SubtransactionsRow;
import java.time.Duration;

/**
 * Backends that have subtransactions with a transaction id, once a second; 16 and later.
 *
 * <p>The functions take the number of an entry in the backend status array, which is neither the pid nor a number from 1 to n, hence the list
 * of entries first. Every role may see this of all backends.
 */
final class SubtransactionsProbe {

    private static final String SQL = """
            select pg_stat_get_backend_pid(i.id), s.subxact_count, s.subxact_overflowed
            from pg_stat_get_backend_idset() i(id), lateral pg_stat_get_backend_subxact(i.id) s
            where s.subxact_count > 0 or s.subxact_overflowed
            """;

    static final Probe<SubtransactionsRow> PROBE = new SqlProbe<>(
            "subtransactions",
            SubtransactionsRow.class,
            Pace.every(Duration.ofSeconds(1)),
            SqlProbe.Query.since(16, SQL),
            (row, context) -> new SubtransactionsRow(row.getInt(1), row.getInt(2), row.getBoolean(3)));

    private SubtransactionsProbe() {}
}
