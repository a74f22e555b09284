package dev.assay.evidence.episode;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import java.time.Instant;

/**
 * What one look at activity says of the load.
 *
 * @param active sessions that are active
 * @param waiting those of them that wait for something
 * @param blocked those of them that wait for a heavyweight lock: for somebody else's transaction
 */
public record LoadPoint(Instant at, int active, int waiting, int blocked) {

    /** The point of one look. */
    public static LoadPoint of(Sample<ActivityRow> look) {
        int active = 0;
        int waiting = 0;
        int blocked = 0;
        for (ActivityRow session : look.rows()) {
            if (session.active()) {
                active++;
                waiting += session.waitEvent() == null ? 0 : 1;
                blocked += session.timeGoesTo().isHeavyweightLock() ? 1 : 0;
            }
        }
        return new LoadPoint(look.at(), active, waiting, blocked);
    }
}
