package dev.assay.pg;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;

/**
 * How many relation locks a backend can take without touching the shared lock table.
 *
 * <p>Up to 17 every backend has 16 slots, whatever the settings ({@code FP_LOCK_SLOTS_PER_BACKEND}, {@code src/include/storage/proc.h}).
 * Since 18 they come in groups of 16 and the number of groups follows {@code max_locks_per_transaction}
 * ({@code InitializeFastPathLocks}, {@code src/backend/utils/init/postinit.c}): the next power of two of the setting divided by 16, at
 * least 1 and at most 1024. A relation belongs to one group by its OID; a group that is full overflows although others are free. The
 * figures were read off servers of 13 to 18.
 *
 * @param groups how many groups of 16 slots, a power of two
 */
public record FastPathSlots(int groups) {

    public static final int PER_GROUP = 16;
    private static final int GROUPS_MAX = 1024;
    private static final long GROUP_HASH = 49157;

    public FastPathSlots {
        if (groups < 1 || groups > GROUPS_MAX || Integer.bitCount(groups) != 1) {
            throw new IllegalArgumentException("fast-path groups must be a power of two from 1 to 1024: " + groups);
        }
    }

    /**
     * The slots of a server.
     *
     * @param maxLocksPerTransaction the server's setting of that name, at least 10 on a real server
     */
    public static FastPathSlots of(ServerVersion version, int maxLocksPerTransaction) {
        if (maxLocksPerTransaction < 1) {
            throw new IllegalArgumentException("max_locks_per_transaction must be positive: " + maxLocksPerTransaction);
        }
        if (!version.atLeast(18)) {
            return new FastPathSlots(1);
        }
        int slots = Integer.highestOneBit(Math.max(1, maxLocksPerTransaction - 1)) * 2;
        return new FastPathSlots(Math.max(1, Math.min(GROUPS_MAX, slots / PER_GROUP)));
    }

    /**
     * The smallest value of {@code max_locks_per_transaction} on 18 and newer that gives at least {@code slots} slots; the power of two
     * itself, as the server rounds up to it anyway.
     */
    public static int settingFor(int slots) {
        int wanted = Integer.highestOneBit(Math.max(1, Math.max(PER_GROUP, slots) - 1)) * 2;
        return Math.min(GROUPS_MAX * PER_GROUP, wanted);
    }

    /** Slots of one backend over all groups. */
    public int total() {
        return groups * PER_GROUP;
    }

    /** How many slots of each group these relations need; a relation that stands twice needs one. */
    public int[] takenByGroup(Collection<Oid> relations) {
        int[] taken = new int[groups];
        new HashSet<>(relations).forEach(relation -> taken[groupOf(relation)]++);
        return taken;
    }

    /** Whether these relations find a slot each when a backend locks all of them. */
    public boolean hold(Collection<Oid> relations) {
        return Arrays.stream(takenByGroup(relations)).allMatch(taken -> taken <= PER_GROUP);
    }

    /** The group, from 0, that a relation's lock must use. */
    public int groupOf(Oid relation) {
        return (int) ((relation.value() * GROUP_HASH) & (groups - 1));
    }
}
