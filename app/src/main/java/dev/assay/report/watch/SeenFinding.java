package dev.assay.report.watch;

import dev.assay.diagnose.Finding;
import java.time.Duration;
import java.time.Instant;

/**
 * A finding and when it held.
 *
 * @param finding as it was judged last
 * @param firstSeen when it was first judged to hold
 * @param lastSeen when it last did
 * @param holds whether it does by the newest judgement
 */
public record SeenFinding(Finding finding, Instant firstSeen, Instant lastSeen, boolean holds) {

    /** How long a finding is marked as new. */
    static final Duration NEW_FOR = Duration.ofSeconds(30);

    boolean isNew(Instant now) {
        return holds && Duration.between(firstSeen, now).compareTo(NEW_FOR) < 0;
    }
}
