package dev.assay.observe.probe;

import dev.assay.evidence.RelationLocksRow;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Relation locks of this database by backend, once a second at most.
 *
 * <p>Reading {@code pg_locks} takes every partition lock of the lock manager and each backend's own lock in turn (46 ms at 100 sessions with
 * 120 locks each), hence the slow cadence, and hence one row a backend: names are looked up once, from the catalog snapshot. The statement
 * comes in the same query, so that locks and statement belong together. Predicate locks of serializable transactions are no locks of this
 * kind and are left out. A prepared transaction has no backend and makes a row of its own. Like the look at activity it reads functions
 * only, no catalog that somebody may have locked. It is asked in the patient lane: while the server checks a long queue for deadlocks it holds
 * those partition locks, and a read has been seen to wait for half a minute, uninterruptible.
 */
final class RelationLocksProbe {

    private static final String TEMPLATE = """
            select coalesce(l.pid, 0), a.query, %s, l.relations, l.modes, l.granted, l.fastpath
            from (select pid, array_agg(relation::bigint) as relations, array_agg(mode) as modes,
                         array_agg(granted) as granted, array_agg(fastpath) as fastpath
                  from pg_locks
                  where locktype = 'relation' and mode <> 'SIReadLock' and pid is distinct from pg_backend_pid()
                    and database = (select datid from pg_stat_get_activity(pg_backend_pid()))
                  group by pid, case when pid is null then virtualtransaction end) l
            left join pg_stat_get_activity(null) a on a.pid = l.pid
            where (l.pid is null or a.pid is not null) and coalesce(a.application_name, '') <> 'assay'
            """;

    static final Probe<RelationLocksRow> PROBE = new SqlProbe<>(
            "relation locks",
            RelationLocksRow.class,
            Pace.every(Duration.ofSeconds(1)).in(Pace.Lane.PATIENT).whenCheap(),
            List.of(
                    new SqlProbe.Query(10, 13, TEMPLATE.formatted("null::text")),
                    new SqlProbe.Query(14, SqlProbe.Query.NEWEST, TEMPLATE.formatted("nullif(a.query_id, 0)::text"))),
            RelationLocksProbe::read);

    private RelationLocksProbe() {}

    private static RelationLocksRow read(ResultSet row, ProbeContext context) throws SQLException {
        Long[] relations = (Long[]) row.getArray(4).getArray();
        String[] modes = (String[]) row.getArray(5).getArray();
        Boolean[] granted = (Boolean[]) row.getArray(6).getArray();
        Boolean[] fastPath = (Boolean[]) row.getArray(7).getArray();
        List<RelationLocksRow.Lock> locks = new ArrayList<>(relations.length);
        for (int i = 0; i < relations.length; i++) {
            locks.add(new RelationLocksRow.Lock(
                    new Oid(relations[i]), LockMode.fromView(modes[i]), granted[i], fastPath[i]));
        }
        return new RelationLocksRow(row.getInt(1), context.statement(row.getString(3), row.getString(2)), locks);
    }
}
