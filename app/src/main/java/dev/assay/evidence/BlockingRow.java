package dev.assay.evidence;

import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One process that waits for a heavyweight lock at one moment, from {@code pg_locks}.
 *
 * @param pid the process that waits
 * @param leaderPid for a parallel worker the session it works for, else null; also null where the role may not see it
 * @param blockedBy whom it waits for, without doubles, at most {@link #BLOCKERS_MAX}: first those that hold the lock in a mode that
 *     conflicts, then those that stand before it in the queue and want such a mode, from the front. A parallel worker is told as the session
 *     it works for; {@link #PREPARED} is a prepared transaction
 * @param blockers how many there are in all
 * @param lockType {@code relation}, {@code tuple}, {@code transactionid}, {@code virtualxid}, {@code advisory}, {@code extend}, ...
 * @param relation the table or index that the lock is on or belongs to, of the database that is observed; else null
 * @param object the lock's key for people: {@code relation 16384}, {@code tuple (0,1) of relation 16384}, {@code transaction 731}; advisory
 *     keys as {@code advisory lock 42} or {@code advisory lock (1, 2)}
 * @param database whose lock it is, its name or OID; null for locks of the whole server
 * @param mode what it wants
 * @param waitingSince when it began to wait; null for the first instants of a wait
 */
public record BlockingRow(
        int pid,
        @Nullable Integer leaderPid,
        List<Integer> blockedBy,
        int blockers,
        String lockType,
        @Nullable Oid relation,
        String object,
        @Nullable String database,
        LockMode mode,
        @Nullable Instant waitingSince)
        implements Row {

    /** The most blockers that one row names. */
    public static final int BLOCKERS_MAX = 50;

    /** Stands for the process id of a prepared transaction, which has none. */
    public static final int PREPARED = 0;

    public BlockingRow {
        blockedBy = List.copyOf(blockedBy);
        if (blockers < blockedBy.size()) {
            throw new IllegalArgumentException(blockers + " blockers, but " + blockedBy.size() + " named");
        }
    }

    /** The session that waits, itself or in a parallel worker. */
    public int session() {
        return leaderPid == null ? pid : leaderPid;
    }

    @Override
    public Set<Oid> speaksOf() {
        return relation == null ? Set.of() : Set.of(relation);
    }
}
