package dev.assay.observe.probe;

import dev.assay.evidence.BlockingRow;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which heavyweight lock and who holds it up, once a second while the look at activity sees such waits.
 *
 * <p>One read of {@code pg_locks}, of which the server hands out only the locks that somebody waits for; who waits for whom is worked out
 * here ({@link LockQueue}): 42 ms with a thousand waiters for one row, where {@code pg_blocking_pids} for each took 350 ms. Locks of all databases, functions only. Groups of parallel workers come from the activity function; a role that
 * may not see them takes a worker for a session of its own.
 */
final class BlockingProbe {

    private static final String SQL = """
            with l as materialized (
                select locktype, coalesce(database, 0) as database, coalesce(relation, 0) as relation, coalesce(page, -1) as page,
                       coalesce(tuple, -1) as tuple, coalesce(virtualxid, '') as virtualxid,
                       coalesce(transactionid, '0') as transactionid, coalesce(classid, 0) as classid, coalesce(objid, 0) as objid,
                       coalesce(objsubid, -1) as objsubid, coalesce(pid, 0) as pid, mode, granted, waitstart
                from pg_lock_status() where mode <> 'SIReadLock'),
            wanted as (
                select distinct locktype, database, relation, page, tuple, virtualxid, transactionid, classid, objid, objsubid
                from l where not granted),
            workers as materialized (select pid, leader_pid from pg_stat_get_activity(null) where leader_pid is not null)
            select l.locktype, l.database::bigint, l.relation::bigint, l.page, l.tuple, l.virtualxid, l.transactionid::text,
                   l.classid::bigint, l.objid::bigint, l.objsubid, l.pid, workers.leader_pid, l.mode, l.granted, l.waitstart,
                   (select datid::bigint from pg_stat_get_activity(pg_backend_pid()))
            from l
            join wanted using (locktype, database, relation, page, tuple, virtualxid, transactionid, classid, objid, objsubid)
            left join workers on workers.pid = l.pid
            """;

    static final Probe<BlockingRow> PROBE = new SqlProbe<>(
            "blocking",
            BlockingRow.class,
            Pace.every(Duration.ofSeconds(1)).in(Pace.Lane.PATIENT).whenCheap().whenLocksAreWaitedFor(),
            SqlProbe.Query.since(14, SQL),
            (session, sql, context) -> rows(session.query(sql, BlockingProbe::read), context));

    private BlockingProbe() {}

    /**
     * What a lock is on; 0, -1 or empty where that kind of lock has no such part.
     *
     * @param observed the database that the session looks from
     */
    private record Tag(
            String type,
            long database,
            long relation,
            int page,
            int tuple,
            String virtualTransaction,
            String transaction,
            long catalog,
            long object,
            int part,
            long observed) {

        /** The relation, where the observer's catalog can name it. */
        @Nullable
        Oid named() {
            return relation != 0 && (database == 0 || database == observed) ? new Oid(relation) : null;
        }

        String words() {
            return switch (type) {
                case "relation" -> "relation " + relation;
                case "extend" -> "extension of relation " + relation;
                case "page" -> "page " + page + " of relation " + relation;
                case "tuple" -> "tuple (" + page + "," + tuple + ") of relation " + relation;
                case "transactionid" -> "transaction " + transaction;
                case "virtualxid" -> "virtual transaction " + virtualTransaction;
                // objsubid tells a single 64-bit key (1) from a pair of 32-bit ones (2)
                case "advisory" ->
                    part == 1
                            ? "advisory lock " + (catalog << 32 | object)
                            : "advisory lock (" + (int) catalog + ", " + (int) object + ")";
                case "object" -> "object " + object + " of catalog " + catalog;
                case "frozenid" -> "frozen transaction id of the database";
                default -> type + " lock " + (transaction.equals("0") ? object : transaction);
            };
        }
    }

    private record Lock(Tag tag, LockQueue.Entry entry) {}

    private static Lock read(ResultSet row) throws SQLException {
        Tag tag = new Tag(
                Columns.text(row, 1),
                row.getLong(2),
                row.getLong(3),
                row.getInt(4),
                row.getInt(5),
                Columns.text(row, 6),
                Columns.text(row, 7),
                row.getLong(8),
                row.getLong(9),
                row.getInt(10),
                row.getLong(16));
        return new Lock(
                tag,
                new LockQueue.Entry(
                        row.getInt(11),
                        Columns.intOrNull(row, 12),
                        LockMode.fromView(Columns.text(row, 13)),
                        row.getBoolean(14),
                        Columns.instantOrNull(row, 15)));
    }

    private static List<BlockingRow> rows(List<Lock> locks, ProbeContext context) {
        Map<Tag, List<LockQueue.Entry>> byTag = new LinkedHashMap<>();
        locks.forEach(lock ->
                byTag.computeIfAbsent(lock.tag(), tag -> new ArrayList<>()).add(lock.entry()));
        List<BlockingRow> rows = new ArrayList<>();
        byTag.forEach((tag, entries) -> {
            String database = context.names().database(tag.database());
            for (LockQueue.Blocked blocked : new LockQueue(entries).blocked()) {
                rows.add(new BlockingRow(
                        blocked.waiter().pid(),
                        blocked.waiter().leader(),
                        blocked.blockedBy(),
                        blocked.blockers(),
                        tag.type(),
                        tag.named(),
                        tag.words(),
                        database,
                        blocked.waiter().mode(),
                        blocked.waiter().since()));
            }
        });
        return rows;
    }
}
