package dev.assay.observe.recording;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.Row;
import dev.assay.observe.CatalogReader;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.SqlProbe;
import dev.assay.pg.Oid;
import dev.assay.sys.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds out the names of relations that samples speak of by OID alone, in the patient lane, a few at a time. They are asked again after two
 * hours, as a table may be renamed, and as old files are dropped. Thread-safe.
 */
public final class CatalogKeeper {

    /** Where the names go. */
    static final String TABLE = ColumnName.ofTable(CatalogRelation.class);

    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final Duration AGAIN = Retention.NAMES_LONGER.dividedBy(2);
    private static final int ASKED_MAX = 500;
    private static final int KNOWN_MAX = 100_000;

    private final Clock clock;
    private final Set<Oid> wanted = new LinkedHashSet<>(); // guarded by this
    private final Set<Oid> known = new HashSet<>(); // guarded by this
    private long againNanos; // guarded by this

    public CatalogKeeper(Clock clock) {
        this.clock = clock;
        this.againNanos = clock.nanos() + AGAIN.toNanos();
    }

    /** The samples speak of these. */
    public synchronized void note(List<? extends Row> rows) {
        if (clock.nanos() - againNanos >= 0 || known.size() > KNOWN_MAX) {
            known.clear();
            againNanos = clock.nanos() + AGAIN.toNanos();
        }
        for (Row row : rows) {
            for (Oid relation : row.speaksOf()) {
                if (!known.contains(relation) && wanted.size() < KNOWN_MAX) {
                    wanted.add(relation);
                }
            }
        }
    }

    /** Asks for the names that are wanted; without any it asks nothing. */
    public Probe<CatalogRelation> probe() {
        return new SqlProbe<>(
                "catalog",
                CatalogRelation.class,
                Pace.every(EVERY).in(Pace.Lane.PATIENT),
                SqlProbe.Query.since(10, CatalogReader.SQL),
                (session, sql, context) -> {
                    List<Oid> asked = next();
                    List<CatalogRelation> found = List.copyOf(
                            CatalogReader.read(session, asked).relations().values());
                    done(asked);
                    return found;
                });
    }

    private synchronized List<Oid> next() {
        return new ArrayList<>(wanted.stream().limit(ASKED_MAX).toList());
    }

    /** Those that were not found are gone or belong to another database: asking again would not help. */
    private synchronized void done(List<Oid> asked) {
        asked.forEach(wanted::remove);
        known.addAll(asked);
    }
}
