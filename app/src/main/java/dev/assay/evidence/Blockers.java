package dev.assay.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who stood at the root of the waits for heavyweight locks ({@link BlockingTree}), and when. */
public final class Blockers {

    /** Looks at activity and at blocking are not taken at once; what was seen further away than this may have changed. */
    private static final Duration NEAR = Duration.ofSeconds(2);

    private final NavigableMap<Instant, BlockingTree> looks = new TreeMap<>();

    private Blockers() {}

    /** From the samples of the probe of blocking. */
    public static Blockers of(List<Sample<BlockingRow>> samples) {
        Blockers blockers = new Blockers();
        samples.forEach(sample -> blockers.looks.put(sample.at(), BlockingTree.of(sample.rows())));
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
     * The process id at the root of this session's wait, of several the one with most victims; {@link BlockingRow#PREPARED} for a prepared
     * transaction; null when nothing is known of it near that time.
     */
    public @Nullable Integer rootOf(Instant at, int session) {
        return near(at).map(tree -> root(tree, session)).orElse(null);
    }

    /** Of sessions that wait for each other in a circle the smallest process id stands for all. */
    private static @Nullable Integer root(BlockingTree tree, int session) {
        Set<Integer> roots = tree.rootsOf(session);
        for (BlockingTree.Root root : tree.roots()) {
            if (roots.contains(root.pid())) {
                return root.pid();
            }
        }
        return tree.deadlocked().contains(session) ? tree.deadlocked().get(0) : null;
    }

    private Optional<BlockingTree> near(Instant at) {
        Map.Entry<Instant, BlockingTree> before = looks.floorEntry(at);
        Map.Entry<Instant, BlockingTree> after = looks.ceilingEntry(at);
        Duration since = before == null ? NEAR.plusNanos(1) : Duration.between(before.getKey(), at);
        Duration until = after == null ? NEAR.plusNanos(1) : Duration.between(at, after.getKey());
        boolean earlier = since.compareTo(until) <= 0;
        Map.Entry<Instant, BlockingTree> nearest = earlier ? before : after;
        return nearest == null || (earlier ? since : until).compareTo(NEAR) > 0
                ? Optional.empty()
                : Optional.of(nearest.getValue());
    }

    /** For each root its victims in one look: the sessions that wait for it, directly or behind others. */
    public static Map<Integer, Set<Integer>> victims(Sample<BlockingRow> look) {
        BlockingTree tree = BlockingTree.of(look.rows());
        Map<Integer, Set<Integer>> victims = new HashMap<>();
        for (BlockingRow row : look.rows()) {
            Integer root = root(tree, row.session());
            if (root != null) {
                victims.computeIfAbsent(root, any -> new HashSet<>()).add(row.session());
            }
        }
        return victims;
    }
}
