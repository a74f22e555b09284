package dev.assay.observe;

import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The server's processes of sessions that were closed because no answer came. Some go on for long, as a process that waits for a lightweight
 * lock sees neither a request to cancel nor that its client has left: a lane does not log in anew while another one still sees its last one.
 * Thread-safe.
 */
final class Abandoned {

    /** What was last looked at longer ago is not known. */
    private static final Duration KNOWN_FOR = Duration.ofSeconds(10);

    private final Set<Integer> pids = ConcurrentHashMap.newKeySet();
    private volatile long seenNanos;
    private volatile boolean seen;

    void add(int pid) {
        pids.add(pid);
        seen = false;
    }

    void forget(int pid) {
        pids.remove(pid);
    }

    /** Whether some may still be there. */
    boolean any() {
        return !pids.isEmpty();
    }

    /** Asks the server which of them are still there; when it does not say, nothing is known of them any more. */
    void look(TargetSession session, SampleClock clock) {
        Long[] asked = pids.stream().map(Integer::longValue).toArray(Long[]::new);
        try {
            List<Integer> there = session.query(
                    "select pid from pg_stat_get_activity(null) where pid = any(?::int[]) and application_name = '"
                            + TargetSession.APPLICATION_NAME + "'",
                    row -> row.getInt(1),
                    (Object) asked);
            List<Integer> gone = new ArrayList<>();
            for (Long pid : asked) {
                if (!there.contains(pid.intValue())) {
                    gone.add(pid.intValue());
                }
            }
            gone.forEach(pids::remove);
            seenNanos = clock.nanos();
            seen = true;
        } catch (TargetException e) {
            seen = false; // the next look of the lane meets the same failure and deals with it
        }
    }

    /** What is known of a process. */
    enum State {
        THERE,
        GONE,
        UNKNOWN
    }

    State state(int pid, SampleClock clock) {
        if (!pids.contains(pid)) {
            return State.GONE;
        }
        return seen && clock.nanos() - seenNanos < KNOWN_FOR.toNanos() ? State.THERE : State.UNKNOWN;
    }
}
