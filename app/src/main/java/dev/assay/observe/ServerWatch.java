package dev.assay.observe;

import dev.assay.evidence.ObserverRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells from what the server says of itself that another one answers than before: one that was started anew, at this place or behind the same
 * address, or a standby that has become the primary. Either way its counters do not go on from the earlier ones. Thread-safe.
 */
final class ServerWatch {

    /** Guarded by this. */
    private @Nullable Instant startedAt;

    private boolean inRecovery;
    private volatile int changes;

    /** What changed since the last word of the server. */
    synchronized List<ObserverRow> said(Instant serverStartedAt, boolean serverInRecovery) {
        Instant before = startedAt;
        List<ObserverRow> news = new ArrayList<>();
        if (before != null && !serverStartedAt.equals(before)) {
            String who = serverStartedAt.isAfter(before) ? "the server was started" : "another server answers, started";
            news.add(new ObserverRow(
                    ObserverRow.Kind.RESTARTED, who + " at " + serverStartedAt + "; the one before at " + before));
        }
        if (before != null && inRecovery && !serverInRecovery) {
            news.add(new ObserverRow(ObserverRow.Kind.PROMOTED, "the server is not in recovery any more"));
        }
        startedAt = serverStartedAt;
        inRecovery = serverInRecovery;
        if (!news.isEmpty()) {
            changes = changes + 1; // written under the lock only
        }
        return news;
    }

    /** How many times something changed: what the server refused before it may give now. */
    int changes() {
        return changes;
    }
}
