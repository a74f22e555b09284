package dev.assay.observe.probe;

import dev.assay.evidence.DatabaseAgeRow;
import java.time.Duration;

/** How far each database is from having to be frozen, once a minute: it can be had from the catalog only, which may be locked. */
final class DatabaseAgesProbe {

    static final Probe<DatabaseAgeRow> PROBE = new SqlProbe<>(
            "database ages",
            DatabaseAgeRow.class,
            Pace.every(Duration.ofMinutes(1)).in(Pace.Lane.PATIENT),
            SqlProbe.Query.since(10, "select datname, age(datfrozenxid), mxid_age(datminmxid) from pg_database"),
            (row, context) -> new DatabaseAgeRow(Columns.text(row, 1), row.getInt(2), row.getInt(3)));

    private DatabaseAgesProbe() {}
}
