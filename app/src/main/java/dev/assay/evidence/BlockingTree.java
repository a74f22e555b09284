package dev.assay.evidence;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who holds up whom at one moment: from the rows of one blocking sample, by session.
 *
 * <p>A root blocks others and waits for no lock itself. Every session that waits stands once in the tree, under one of those it waits for, as
 * near to a root as can be. Sessions that wait for each other in a circle, until the server ends one of them, have no root.
 */
public final class BlockingTree {

    private final List<Root> roots = new ArrayList<>();
    private final Map<Integer, Set<Integer>> rootsOf = new HashMap<>();
    private final Map<Integer, List<Integer>> under = new HashMap<>();
    private final Set<Integer> deadlocked;

    /** Those that each session waits for. */
    private final Map<Integer, Set<Integer>> blockers = new LinkedHashMap<>();

    /** Those that wait for each session. */
    private final Map<Integer, Set<Integer>> victims = new LinkedHashMap<>();

    /**
     * A session that holds up others and waits for none of them.
     *
     * @param pid its process id; {@link BlockingRow#PREPARED} for prepared transactions, all together
     * @param victims sessions that wait for it, directly or through others; one that waits for two roots counts for both
     * @param direct how many of them wait for it directly
     * @param depth how many sessions down the farthest victim is, each by its shortest way: 1 when all wait for it directly
     */
    public record Root(int pid, int victims, int direct, int depth) {}

    private BlockingTree(Collection<BlockingRow> rows) {
        for (BlockingRow row : rows) {
            for (int blocker : row.blockedBy()) {
                if (blocker != row.session()) {
                    blockers.computeIfAbsent(row.session(), pid -> new LinkedHashSet<>())
                            .add(blocker);
                    victims.computeIfAbsent(blocker, pid -> new LinkedHashSet<>())
                            .add(row.session());
                }
            }
        }
        List<Integer> tops = victims.keySet().stream()
                .filter(pid -> !blockers.containsKey(pid))
                .toList();
        tops.forEach(this::descend);
        roots.sort(Comparator.comparingInt(Root::victims).reversed().thenComparing(Root::pid));
        place(tops);
        deadlocked = circles();
    }

    /** The tree of one sample. */
    public static BlockingTree of(Collection<BlockingRow> rows) {
        return new BlockingTree(rows);
    }

    private void descend(int top) {
        Set<Integer> seen = new HashSet<>(Set.of(top));
        List<Integer> level = List.of(top);
        int depth = 0;
        while (!level.isEmpty()) {
            List<Integer> next = new ArrayList<>();
            for (int pid : level) {
                victims.getOrDefault(pid, Set.of()).stream().filter(seen::add).forEach(next::add);
            }
            next.forEach(
                    pid -> rootsOf.computeIfAbsent(pid, none -> new TreeSet<>()).add(top));
            depth += next.isEmpty() ? 0 : 1;
            level = next;
        }
        int direct = victims.getOrDefault(top, Set.of()).size();
        roots.add(new Root(top, seen.size() - 1, direct, depth));
    }

    /** Level by level over all roots at once, so that everybody is placed as near to one as can be. */
    private void place(List<Integer> tops) {
        Set<Integer> placed = new HashSet<>(tops);
        ArrayDeque<Integer> next = new ArrayDeque<>(tops);
        while (!next.isEmpty()) {
            int pid = next.remove();
            for (int victim : victims.getOrDefault(pid, Set.of())) {
                if (placed.add(victim)) {
                    under.computeIfAbsent(pid, none -> new ArrayList<>()).add(victim);
                    next.add(victim);
                }
            }
        }
    }

    /** What is left when those who will get their lock are taken away, and those for whom nobody waits. */
    private Set<Integer> circles() {
        Set<Integer> left = new TreeSet<>(blockers.keySet());
        peel(left, blockers);
        peel(left, victims);
        return left;
    }

    /** Takes away, again and again, who has no neighbour left. */
    private static void peel(Set<Integer> left, Map<Integer, Set<Integer>> neighbours) {
        boolean changed = true;
        while (changed) {
            changed = left.removeIf(
                    pid -> neighbours.getOrDefault(pid, Set.of()).stream().noneMatch(left::contains));
        }
    }

    /** The one with the most victims first. */
    public List<Root> roots() {
        return List.copyOf(roots);
    }

    /** Process ids of the roots that this session waits for, directly or through others; empty when it waits for none. */
    public Set<Integer> rootsOf(int pid) {
        return Set.copyOf(rootsOf.getOrDefault(pid, Set.of()));
    }

    /** Sessions that stand right under this one in the tree, in the order of the sample. */
    public List<Integer> under(int pid) {
        return List.copyOf(under.getOrDefault(pid, List.of()));
    }

    /** Sessions that wait for each other in a circle, or stand between two circles; smallest process id first. */
    public List<Integer> deadlocked() {
        return List.copyOf(deadlocked);
    }
}
