package dev.assay.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who stood at the root of the waits for heavyweight locks, and when.
 *
 * <p>The root is found by going from each process that waits to the first that it waits for, until one does not wait itself. Where they wait
 * in a circle, as in a deadlock, its smallest process id stands for it.
 */
public final class Blockers {

    /** Looks at activity and at blocking are not taken at once; what was seen further away than this may have changed. */
    private static final Duration NEAR = Duration.ofSeconds(2);

    private final NavigableMap<Instant, Map<Integer, BlockingRow>> looks = new TreeMap<>();

    private Blockers() {}

    /** From the samples of the probe of blocking. */
    public static Blockers of(List<Sample<BlockingRow>> samples) {
        Blockers blockers = new Blockers();
        for (Sample<BlockingRow> sample : samples) {
            Map<Integer, BlockingRow> waits = new HashMap<>();
            sample.rows().forEach(row -> waits.putIfAbsent(row.pid(), row));
            blockers.looks.put(sample.at(), waits);
        }
        return blockers;
    }

    /** Splits the active sessions' time by the process id at the root of their wait; null for a session that waits for no lock. */
    public Dimension<Integer> dimension() {
        return new Dimension<>(
                "blocker",
                (at, session) -> session.timeGoesTo().isHeavyweightLock()
                        ? rootOf(at, session.leaderPid() == null ? session.pid() : session.leaderPid())
                        : null);
    }

    /**
     * The process id at the root of this one's wait, {@link BlockingRow#PREPARED} for a prepared transaction; null when nothing is known of it
     * near that time.
     */
    public @Nullable Integer rootOf(Instant at, int pid) {
        Map<Integer, BlockingRow> waits = near(at);
        BlockingRow wait = waits.get(pid);
        return wait == null || wait.blockedBy().isEmpty() ? null : root(pid, waits);
    }

    private static int root(int pid, Map<Integer, BlockingRow> waits) {
        Set<Integer> passed = new HashSet<>();
        int at = pid;
        while (passed.add(at)) {
            BlockingRow wait = waits.get(at);
            if (wait == null || wait.blockedBy().isEmpty()) {
                return at;
            }
            at = wait.blockedBy().get(0);
        }
        int smallest = at;
        for (int next = next(at, waits); next != at; next = next(next, waits)) {
            smallest = Math.min(smallest, next);
        }
        return smallest;
    }

    private static int next(int pid, Map<Integer, BlockingRow> waits) {
        BlockingRow wait = waits.get(pid);
        return wait == null ? pid : wait.blockedBy().get(0);
    }

    private Map<Integer, BlockingRow> near(Instant at) {
        Map.Entry<Instant, Map<Integer, BlockingRow>> before = looks.floorEntry(at);
        Map.Entry<Instant, Map<Integer, BlockingRow>> after = looks.ceilingEntry(at);
        Duration since = before == null ? null : Duration.between(before.getKey(), at);
        Duration until = after == null ? null : Duration.between(at, after.getKey());
        boolean earlier = since != null && (until == null || since.compareTo(until) <= 0);
        Map.Entry<Instant, Map<Integer, BlockingRow>> nearest = earlier ? before : after;
        Duration distance = earlier ? since : until;
        return nearest == null || distance == null || distance.compareTo(NEAR) > 0 ? Map.of() : nearest.getValue();
    }

    /** For each root its victims in one look: all that wait for it, directly or behind others. */
    public static Map<Integer, Set<Integer>> victims(Sample<BlockingRow> look) {
        Map<Integer, BlockingRow> waits = new HashMap<>();
        look.rows().forEach(row -> waits.putIfAbsent(row.pid(), row));
        Map<Integer, Set<Integer>> victims = new HashMap<>();
        waits.forEach((pid, wait) -> {
            if (!wait.blockedBy().isEmpty()) {
                victims.computeIfAbsent(root(pid, waits), root -> new HashSet<>())
                        .add(pid);
            }
        });
        return victims;
    }
}
