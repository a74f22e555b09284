package dev.assay.observe.probe;

import dev.assay.evidence.BlockingRow;
import dev.assay.pg.LockMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those that hold and those that want one heavyweight lock, and who of them waits for whom, by the server's own rules.
 *
 * <p>{@code pg_blocking_pids} answers for one process and takes all sixteen partition locks of the lock manager for it: with a thousand
 * waiters that is a thousand times. {@code pg_locks} takes them once and tells everything but the order of the queue. That order is made
 * again here: by the time the wait began, except that a session that already holds the object in a mode that conflicts with what a waiter
 * wants goes before that waiter ({@code JoinWaitQueue}, {@code proc.c}; {@code ProcSleep} before 17). Two cases can differ: two sessions that
 * began to wait in the same microsecond, and a queue that the deadlock detector has changed.
 *
 * <p>A session waits for those that hold the lock in a mode that conflicts, and for those that stand before it in the queue and want such a
 * mode; members of one parallel group never wait for each other ({@code pg_blocking_pids}, {@code lockfuncs.c}, 14 to 18).
 */
final class LockQueue {

    private final List<Entry> holders = new ArrayList<>();
    private final List<Entry> queue = new ArrayList<>();

    /**
     * One row of {@code pg_locks}.
     *
     * @param pid {@link BlockingRow#PREPARED} for a prepared transaction
     * @param leader for a parallel worker the session it works for, else null
     * @param since when it began to wait; null when it holds the lock, and for the first instants of a wait
     */
    record Entry(
            int pid,
            @Nullable Integer leader,
            LockMode mode,
            boolean granted,
            @Nullable Instant since) {

        int group() {
            return leader == null ? pid : leader;
        }
    }

    /** One that waits and for whom. */
    record Blocked(Entry waiter, List<Integer> blockedBy, int blockers) {}

    LockQueue(List<Entry> entries) {
        List<Entry> waiters = new ArrayList<>();
        entries.forEach(entry -> (entry.granted() ? holders : waiters).add(entry));
        waiters.sort(Comparator.comparing(Entry::since, Comparator.nullsLast(Comparator.naturalOrder()))
                .thenComparing(Entry::pid));
        waiters.forEach(this::join);
    }

    private void join(Entry waiter) {
        Set<LockMode> held = EnumSet.noneOf(LockMode.class);
        holders.stream().filter(holder -> holder.group() == waiter.group()).forEach(holder -> held.add(holder.mode()));
        int place = 0;
        while (place < queue.size() && !goesBefore(waiter, held, queue.get(place))) {
            place++;
        }
        queue.add(place, waiter);
    }

    private static boolean goesBefore(Entry waiter, Set<LockMode> held, Entry other) {
        return other.group() != waiter.group() && held.stream().anyMatch(other.mode()::conflictsWith);
    }

    /** Everybody who waits, from the front of the queue. */
    List<Blocked> blocked() {
        Map<LockMode, Set<Integer>> against = new EnumMap<>(LockMode.class);
        for (LockMode mode : LockMode.values()) {
            Set<Integer> groups = new LinkedHashSet<>();
            holders.stream()
                    .filter(holder -> holder.mode().conflictsWith(mode))
                    .forEach(holder -> groups.add(holder.group()));
            against.put(mode, groups);
        }
        List<Blocked> blocked = new ArrayList<>();
        for (Entry waiter : queue) {
            Set<Integer> groups = against.getOrDefault(waiter.mode(), Set.of());
            List<Integer> first = groups.stream()
                    .filter(group -> group != waiter.group())
                    .limit(BlockingRow.BLOCKERS_MAX)
                    .toList();
            blocked.add(new Blocked(waiter, first, groups.size() - (groups.contains(waiter.group()) ? 1 : 0)));
            against.forEach((mode, ahead) -> {
                if (mode.conflictsWith(waiter.mode())) {
                    ahead.add(waiter.group());
                }
            });
        }
        return blocked;
    }
}
