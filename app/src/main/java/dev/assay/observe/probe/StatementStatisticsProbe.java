package dev.assay.observe.probe;

import dev.assay.evidence.StatementStatisticsRow;
import java.time.Duration;

/** The state of {@code pg_stat_statements} itself, once a minute: how many entries were thrown away, and when all were. */
final class StatementStatisticsProbe {

    static final Probe<StatementStatisticsRow> PROBE = new SqlProbe<>(
            "statement statistics",
            StatementStatisticsRow.class,
            Pace.every(Duration.ofMinutes(1)).in(Pace.Lane.PATIENT),
            SqlProbe.Query.since(10, StatementStatistics.SQL),
            (session, sql, context) -> StatementStatistics.find(session, sql).state(session));

    private StatementStatisticsProbe() {}
}
