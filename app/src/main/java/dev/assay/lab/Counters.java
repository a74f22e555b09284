package dev.assay.lab;

import dev.assay.wire.WireSession;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The server's own counters at one moment; two of them tell what was done in between.
 *
 * <p>WAL is counted by its end, which is exact on every version, and by {@code pg_stat_wal} (14 and later) for records and full-page images;
 * buffers and temporary files by {@code pg_stat_database}, lookups of transaction status by {@code pg_stat_slru} (13 and later). Backends
 * report what they counted once a second at most ({@code PGSTAT_MIN_INTERVAL} in {@code pgstat.c}), so whoever reads must have made them
 * report before, or lives with a second's work in the wrong place.
 *
 * @param values by name of the metric; a counter that the version lacks is missing
 */
record Counters(Map<String, Double> values) {

    static final String WAL_BYTES = "wal_bytes";
    static final String WAL_RECORDS = "wal_records";
    static final String WAL_IMAGES = "wal_full_page_images";
    static final String BUFFERS_HIT = "buffers_hit";
    static final String BUFFERS_READ = "buffers_read";
    static final String TEMP_BYTES = "temp_bytes";

    /** Spelled as 17 and later do. */
    static final List<String> SLRUS = List.of("subtransaction", "transaction", "multixact_offset", "multixact_member");

    /** As 13 to 16 spell them ({@code slru_names} in {@code pgstat_slru.c}). */
    private static final Map<String, String> OLDER = Map.of(
            "Subtrans",
            "subtransaction",
            "Xact",
            "transaction",
            "MultiXactOffset",
            "multixact_offset",
            "MultiXactMember",
            "multixact_member");

    private static final int WAL_SINCE = 14;
    private static final int SLRU_SINCE = 13;

    private static final String DATABASE = """
            select pg_current_wal_insert_lsn() - '0/0', blks_hit, blks_read, temp_bytes
            from pg_stat_database where datname = current_database()
            """;
    private static final String WAL = "select wal_records, wal_fpi from pg_stat_wal";
    private static final String SLRU = "select name, blks_hit, blks_read from pg_stat_slru";

    Counters {
        values = Map.copyOf(values);
    }

    static String slruHit(String cache) {
        return "slru_" + cache + "_hit";
    }

    static String slruRead(String cache) {
        return "slru_" + cache + "_read";
    }

    /**
     * Reads them.
     *
     * @param major of the server's version
     */
    static Counters read(WireSession session, int major) {
        Map<String, Double> values = new LinkedHashMap<>();
        List<@Nullable String> database = session.query(DATABASE).get(0);
        values.put(WAL_BYTES, number(database, 0));
        values.put(BUFFERS_HIT, number(database, 1));
        values.put(BUFFERS_READ, number(database, 2));
        values.put(TEMP_BYTES, number(database, 3));
        if (major >= WAL_SINCE) {
            List<@Nullable String> wal = session.query(WAL).get(0);
            values.put(WAL_RECORDS, number(wal, 0));
            values.put(WAL_IMAGES, number(wal, 1));
        }
        if (major >= SLRU_SINCE) {
            for (List<@Nullable String> row : session.query(SLRU)) {
                String name = Objects.requireNonNull(row.get(0));
                String cache = OLDER.getOrDefault(name, name);
                if (SLRUS.contains(cache)) {
                    values.put(slruHit(cache), number(row, 1));
                    values.put(slruRead(cache), number(row, 2));
                }
            }
        }
        return new Counters(values);
    }

    private static double number(List<@Nullable String> row, int column) {
        return Double.parseDouble(Objects.requireNonNull(row.get(column)));
    }

    /** What was counted since an earlier reading, by name; a counter that went back was reset and is left out. */
    Map<String, Double> since(Counters earlier) {
        Map<String, Double> counted = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            Double before = earlier.values.get(name);
            if (before != null && value >= before) {
                counted.put(name, value - before);
            }
        });
        return counted;
    }
}
