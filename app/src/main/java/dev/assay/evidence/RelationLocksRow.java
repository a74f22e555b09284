package dev.assay.evidence;

import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The relation locks of one backend at one moment, from {@code pg_locks}, with the statement it ran then.
 *
 * @param pid the backend's process id; {@link BlockingRow#PREPARED} for a prepared transaction, one row each
 * @param statement null where there is none or the role may not see it
 * @param locks in the order of the view
 */
public record RelationLocksRow(int pid, @Nullable StatementId statement, List<Lock> locks) implements Row {

    public RelationLocksRow {
        locks = List.copyOf(locks);
    }

    @Override
    public Set<Oid> speaksOf() {
        Set<Oid> relations = new LinkedHashSet<>();
        locks.forEach(lock -> relations.add(lock.relation()));
        return relations;
    }

    /**
     * One row of {@code pg_locks}.
     *
     * @param relation the table or index, of the database that is observed
     * @param fastPath whether the lock sits in one of the backend's own slots
     */
    public record Lock(Oid relation, LockMode mode, boolean granted, boolean fastPath) {}
}
