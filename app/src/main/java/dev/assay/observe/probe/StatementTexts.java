package dev.assay.observe.probe;

import dev.assay.evidence.StatementId;
import dev.assay.target.TargetSession;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Texts of statements by query id, literals replaced: the ones used last, so many characters in all. */
final class StatementTexts {

    /** A longer text is cut off. */
    static final int TEXT_CHARS_MAX = 4096;

    private static final int ALL_CHARS_MAX = 8_000_000;

    private final Map<String, StatementId> known = new LinkedHashMap<>(64, 0.75f, true);
    private final int allCharsMax;
    private int chars;

    StatementTexts() {
        this(ALL_CHARS_MAX);
    }

    StatementTexts(int allCharsMax) {
        this.allCharsMax = allCharsMax;
    }

    /** Fetches the texts of those that are not known, in one query, or in none when all are. */
    void learn(TargetSession session, String schema, Set<String> queryIds) {
        Long[] unknown = queryIds.stream()
                .filter(id -> !known.containsKey(id))
                .map(Long::valueOf)
                .toArray(Long[]::new);
        if (unknown.length == 0) {
            return;
        }
        session.query(
                        "select queryid::text, left(query, " + TEXT_CHARS_MAX + ") from " + schema
                                + ".pg_stat_statements(true) where queryid = any (?) and query is not null",
                        row -> StatementId.of(Columns.text(row, 1), Columns.text(row, 2)),
                        (Object) unknown)
                .forEach(this::put);
    }

    private void put(StatementId statement) {
        String id = statement.queryId();
        if (id == null || known.putIfAbsent(id, statement) != null) {
            return;
        }
        chars += statement.text().length();
        Iterator<StatementId> eldest = known.values().iterator();
        while (chars > allCharsMax) {
            chars -= eldest.next().text().length();
            eldest.remove();
        }
    }

    /** The statement with this id; without a text while that is not known. */
    StatementId statement(String queryId) {
        StatementId found = known.get(queryId);
        return found == null ? new StatementId(queryId, "") : found;
    }
}
