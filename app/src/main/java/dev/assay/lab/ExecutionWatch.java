package dev.assay.lab;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.lab.script.EvaluationException;
import dev.assay.lab.script.Script;
import dev.assay.lab.script.ScriptException;
import dev.assay.observe.CatalogReader;
import dev.assay.pg.FastPathSlots;
import dev.assay.pg.Oid;
import dev.assay.target.TargetSession;
import dev.assay.wire.WireSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks at single executions of a script on a server without load: locks held, answers given, time to plan and to execute. */
final class ExecutionWatch {

    private static final String LOCKS = """
            select relation::bigint, mode, fastpath from pg_locks
            where pid = ? and locktype = 'relation' and granted
            order by fastpath desc, relation, mode
            """;

    private static final Pattern TIME = Pattern.compile("(Planning|Execution) Time: ([0-9.]+) ms");
    private static final int TIMED_EXECUTIONS = 15;

    private ExecutionWatch() {}

    /** One lock as the view shows it. */
    private record Seen(Oid relation, String mode, boolean fastpath) {}

    /** Whether the same draws always send the same SQL, so that single executions can be looked at from outside. */
    static boolean predictable(Script script) {
        try {
            script.expand(0);
            return true;
        } catch (ScriptException | EvaluationException e) {
            return false;
        }
    }

    /**
     * The relation locks that one execution holds just before it commits, seen by a second session. The script has run once before, so that
     * catalog look-ups of a new session do not show.
     */
    static RelationLocks locks(Bench bench, Script script, long seed) {
        TargetSession watch = bench.watch();
        try (WireSession session = bench.connect()) {
            runAndRollBack(session, script, seed);
            session.execute("begin");
            script.expand(seed).forEach(session::execute);
            List<Seen> seen = watch.query(
                    LOCKS,
                    row -> new Seen(
                            new Oid(row.getLong(1)), Objects.requireNonNull(row.getString(2)), row.getBoolean(3)),
                    session.backendPid());
            session.execute("rollback");
            CatalogSnapshot catalog =
                    CatalogReader.read(watch, seen.stream().map(Seen::relation).toList());
            List<RelationLocks.Lock> locks = seen.stream()
                    .map(lock -> new RelationLocks.Lock(
                            catalog.nameOf(lock.relation()),
                            catalog.relation(lock.relation())
                                    .map(CatalogRelation::kind)
                                    .map(CatalogRelation.Kind::words)
                                    .orElse("unknown"),
                            lock.mode(),
                            lock.fastpath()))
                    .toList();
            FastPathSlots slots = slots(watch);
            return new RelationLocks(slots.total(), slots.groups(), locks);
        }
    }

    private static FastPathSlots slots(TargetSession watch) {
        int setting = watch.query("select current_setting('max_locks_per_transaction')::int", row -> row.getInt(1))
                .get(0);
        return FastPathSlots.of(watch.server().version(), setting);
    }

    private static void runAndRollBack(WireSession session, Script script, long seed) {
        session.execute("begin");
        script.expand(seed).forEach(session::execute);
        session.execute("rollback");
    }

    /** The rows of the last statement for each of these draws; what the executions write is rolled back. */
    static List<List<List<@Nullable String>>> answers(Bench bench, Script script, long[] seeds) {
        List<List<List<@Nullable String>>> answers = new ArrayList<>();
        try (WireSession session = bench.connect()) {
            for (long seed : seeds) {
                session.execute("begin");
                List<List<@Nullable String>> rows = List.of();
                for (String statement : script.expand(seed)) {
                    rows = session.query(statement);
                }
                answers.add(rows);
                session.execute("rollback");
            }
        }
        return answers;
    }

    /**
     * Time to plan and to execute one execution's statements, as the server itself measures it, with nobody else at work.
     *
     * @param planningMicros one value per execution
     * @param executionMicros one value per execution
     */
    record Unloaded(List<Double> planningMicros, List<Double> executionMicros) {}

    /** Times fifteen executions by EXPLAIN (ANALYZE); what they write is rolled back. */
    static Unloaded unloaded(Bench bench, Script script, long seed) {
        List<Double> planning = new ArrayList<>();
        List<Double> execution = new ArrayList<>();
        try (WireSession session = bench.connect()) {
            runAndRollBack(session, script, seed);
            for (int i = 0; i < TIMED_EXECUTIONS; i++) {
                double[] micros = new double[2];
                session.execute("begin");
                for (String statement : script.expand(seed + i)) {
                    addTimes(session.query("explain (analyze, timing off, summary on) " + statement), micros);
                }
                session.execute("rollback");
                planning.add(micros[0]);
                execution.add(micros[1]);
            }
        }
        return new Unloaded(planning, execution);
    }

    private static void addTimes(List<List<@Nullable String>> plan, double[] micros) {
        for (List<@Nullable String> row : plan) {
            String line = row.get(0);
            Matcher time = TIME.matcher(line == null ? "" : line);
            if (time.find()) {
                micros[time.group(1).equals("Planning") ? 0 : 1] += 1000 * Double.parseDouble(time.group(2));
            }
        }
    }
}
