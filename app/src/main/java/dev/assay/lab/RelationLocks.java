package dev.assay.lab;

import java.util.List;

/**
 * The relation locks that one execution of a variant's script holds before it commits, as a second session saw them.
 *
 * @param slots fast-path slots of a backend on this server
 * @param groups groups of 16 that those slots come in
 * @param locks one per relation and mode
 */
public record RelationLocks(int slots, int groups, List<Lock> locks) {

    public RelationLocks {
        locks = List.copyOf(locks);
    }

    /**
     * One lock.
     *
     * @param relation name as SQL takes it
     * @param kind {@code table}, {@code partitioned table}, {@code index}, ...
     * @param mode as {@code pg_locks} shows it
     */
    public record Lock(String relation, String kind, String mode, boolean fastpath) {}

    public int total() {
        return locks.size();
    }

    public int fastpathCount() {
        return (int) locks.stream().filter(Lock::fastpath).count();
    }

    /** Through the shared lock table. */
    public int slowCount() {
        return total() - fastpathCount();
    }
}
