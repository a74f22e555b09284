package dev.assay.observe.probe;

import dev.assay.evidence.SlruRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** The caches over transaction status files, every five seconds. */
final class SlruProbe {

    private static final String SQL = """
            select name, blks_zeroed, blks_hit, blks_read, blks_written, blks_exists, flushes, truncates, stats_reset
            from pg_stat_get_slru()
            """;

    static final Probe<SlruRow> PROBE = new SqlProbe<>(
            "slru",
            SlruRow.class,
            Pace.every(Duration.ofSeconds(5)).in(Pace.Lane.PATIENT),
            SqlProbe.Query.since(13, SQL),
            SlruProbe::read);

    private SlruProbe() {}

    private static SlruRow read(ResultSet row, ProbeContext context) throws SQLException {
        String serverName = Columns.text(row, 1);
        return new SlruRow(
                unified(serverName),
                serverName,
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8),
                Columns.instantOrNull(row, 9));
    }

    /** The spelling of 17 and later for that of 13 to 16 ({@code slru_names} in {@code pgstat_slru.c}). */
    private static String unified(String serverName) {
        return switch (serverName) {
            case "Subtrans" -> "subtransaction";
            case "Xact" -> "transaction";
            case "MultiXactOffset" -> "multixact_offset";
            case "MultiXactMember" -> "multixact_member";
            case "CommitTs" -> "commit_timestamp";
            case "Notify" -> "notify";
            case "Serial" -> "serializable";
            default -> serverName;
        };
    }
}
