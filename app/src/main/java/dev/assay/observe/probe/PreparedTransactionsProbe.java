package dev.assay.observe.probe;

import dev.assay.evidence.PreparedTransactionRow;
import java.time.Duration;

/** Transactions that wait for their second phase, every ten seconds; the function below the view {@code pg_prepared_xacts}. */
final class PreparedTransactionsProbe {

    static final Probe<PreparedTransactionRow> PROBE = new SqlProbe<>(
            "prepared transactions",
            PreparedTransactionRow.class,
            Pace.every(Duration.ofSeconds(10)),
            SqlProbe.Query.since(
                    10,
                    "select gid, prepared, age(transaction), ownerid::bigint, dbid::bigint from pg_prepared_xact() order by prepared, gid"),
            (row, context) -> new PreparedTransactionRow(
                    Columns.text(row, 1),
                    Columns.instant(row, 2),
                    row.getInt(3),
                    context.names().role(row.getLong(4)),
                    context.names().database(row.getLong(5))));

    private PreparedTransactionsProbe() {}
}
