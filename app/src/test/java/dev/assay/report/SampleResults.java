package dev.assay.report;

import dev.assay.diagnose.Confidence;
import dev.assay.diagnose.Culprit;
import dev.assay.diagnose.Diagnosis;
import dev.assay.diagnose.Figure;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.RefutedCause;
import dev.assay.diagnose.Remedy;
import dev.assay.diagnose.Severity;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.Sample;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.Unavailable;
import dev.assay.lab.Comparison;
import dev.assay.lab.Environment;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Metric;
import dev.assay.lab.RelationLocks;
import dev.assay.lab.Signature;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.Verdict;
import dev.assay.lab.WaitSlice;
import dev.assay.observe.SelfCost;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.WaitEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Results with the figures that two cores gave: partitions behind a hidden day, pruned, and with more fast-path slots. One trial failed, one
 * variant carries a flag, one comparison is inconclusive.
 */
final class SampleResults {

    static final Instant STARTED = Instant.parse("2026-03-14T09:26:53.589Z");
    static final Instant GENERATED = Instant.parse("2026-03-14T09:45:00Z");
    static final String VERSION = "0.1.0";

    static final String HIDDEN = "select count(*) from orders where order_ts >= (select current_day from calendar)";
    static final String LITERAL = "select count(*) from orders where order_ts >= '2025-01-07'";

    private static final int CLIENTS = 50;
    private static final int ROUNDS = 6;
    private static final double[] SCATTER = {0.982, 1.013, 0.994, 1.024, 0.971, 1.006};
    private static final int FAILED_ROUND = 4;
    private static final List<String> ORDER =
            List.of("hidden-16", "literal-16", "sixty-16-slots", "sixty-256-slots", "hidden-18");
    private static final Map<String, double[]> FIGURES = Map.of(
            // tps, p50, p95, p99 (ms), server CPU (us), busy cores, planning, execution (us)
            "hidden-16", new double[] {3410, 13.9, 26.4, 38.2, 563, 1.92, 402, 118},
            "literal-16", new double[] {9050, 5.21, 9.83, 14.6, 211, 1.91, 64.1, 52.7},
            "sixty-16-slots", new double[] {1190, 40.8, 71.5, 96.3, 1420, 1.69, 1130, 340},
            "sixty-256-slots", new double[] {1330, 36.6, 63.2, 88.9, 1455, 1.94, 1120, 338},
            "hidden-18", new double[] {3510, 13.6, 25.1, 35.4, 551, 1.93, 395, 116});

    private SampleResults() {}

    static ExperimentResult experiment() {
        List<Trial> trials = trials();
        return new ExperimentResult(
                "lock-partitions",
                "Partitions behind a day that the planner cannot see",
                "A count over one day locks every partition when the day is hidden from the planner. What does that cost with 16 fast-path"
                        + " slots a backend, and do the 256 slots that PostgreSQL 18 can have take the cost away?",
                STARTED,
                Duration.ofMinutes(17).plusSeconds(12),
                true,
                List.of(),
                new Environment(
                        2, 8_326_381_568L, "Linux 6.1.0-28-amd64, amd64", "21.0.7 (Eclipse Adoptium)", "AMD EPYC 7B13"),
                CLIENTS,
                Duration.ofSeconds(30),
                7_046_029_254_386_353_131L,
                ORDER.stream().map(name -> variant(name, trials)).toList(),
                List.of(pruned(), slots()),
                List.of(
                        new Signature("hidden-16 relation locks", "26", "26", true),
                        new Signature("hidden-16 fast-path locks", "16", "16", true),
                        new Signature("literal-16 relation locks", "4", "4", true),
                        new Signature("sixty-256-slots shared locks", "0", "0", true)),
                trials);
    }

    private static List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            List<String> order = new ArrayList<>(ORDER);
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (int place = 0; place < order.size(); place++) {
                String name = order.get(place);
                boolean failed = name.equals("sixty-256-slots") && round == FAILED_ROUND;
                trials.add(new Trial(
                        round,
                        trials.size() + 1,
                        name,
                        failed ? "3 of 50 clients lost their connection: FATAL: terminating connection (57P01)" : null,
                        failed ? Map.of() : values(name, round)));
            }
        }
        return trials;
    }

    private static Map<String, Double> values(String name, int round) {
        double factor = SCATTER[(round + ORDER.indexOf(name)) % SCATTER.length];
        double[] figures = FIGURES.get(name);
        Map<String, Double> values = new LinkedHashMap<>();
        List<String> names = metricNames();
        for (int i = 0; i < names.size(); i++) {
            boolean slowdown = i >= 1 && i <= 4;
            values.put(names.get(i), figures[i] * (slowdown ? 2 - factor : i == 0 ? factor : 1 + (factor - 1) / 4));
        }
        return values;
    }

    private static List<String> metricNames() {
        return List.of(
                "transactions_per_second",
                "latency_p50",
                "latency_p95",
                "latency_p99",
                "server_cpu_per_transaction",
                "busy_cores",
                "planning_unloaded",
                "execution_unloaded");
    }

    private static List<Metric> metrics(String variant, List<Trial> trials) {
        List<String> units = List.of("1/s", "ms", "ms", "ms", "us", "cores", "us", "us");
        List<Metric> metrics = new ArrayList<>();
        for (String name : metricNames()) {
            double[] seen = trials.stream()
                    .filter(trial -> trial.variant().equals(variant) && trial.ok())
                    .mapToDouble(trial -> trial.values().get(name))
                    .sorted()
                    .toArray();
            int n = seen.length;
            double median = n % 2 == 1 ? seen[n / 2] : (seen[n / 2 - 1] + seen[n / 2]) / 2;
            metrics.add(new Metric(
                    name,
                    units.get(metricNames().indexOf(name)),
                    median,
                    seen[0],
                    seen[n - 1],
                    1 - 2 * Math.pow(0.5, n),
                    n));
        }
        return metrics;
    }

    private static VariantResult variant(String name, List<Trial> trials) {
        boolean sixteen = name.endsWith("-16");
        boolean sixty = name.startsWith("sixty");
        return new VariantResult(
                name,
                switch (name) {
                    case "hidden-16" -> "12 partitions, the day hidden in a subquery";
                    case "literal-16" -> "12 partitions, the day as a literal";
                    case "sixty-16-slots" -> "60 partitions, day hidden, 16 slots";
                    case "sixty-256-slots" -> "60 partitions, day hidden, 256 slots";
                    default -> "12 partitions, the day hidden in a subquery";
                },
                sixteen ? "16.14" : "18.4",
                switch (name) {
                    case "sixty-16-slots" -> Map.of("max_locks_per_transaction", "16");
                    case "sixty-256-slots" -> Map.of("max_locks_per_transaction", "256");
                    default -> Map.of();
                },
                name.equals("literal-16") ? LITERAL : HIDDEN,
                true,
                metrics(name, trials),
                waits(name),
                locks(name),
                sixty ? List.of() : List.of(new VariantResult.Check("all orders are there", true, "1,200,000 rows")),
                name.equals("literal-16")
                        ? List.of(
                                "in 1 of 6 trials the client's timer was up to 12 ms late; its share of the CPU was 11 %")
                        : List.of(),
                diagnosis(name));
    }

    private static List<WaitSlice> waits(String name) {
        double total = CLIENTS * 1e6 / FIGURES.get(name)[0];
        return switch (name) {
            case "hidden-16" ->
                slices(
                        total,
                        "CPU",
                        0.741,
                        "LWLock:LockManager",
                        0.196,
                        "Client:ClientRead",
                        0.021,
                        "IPC:ProcArrayGroupUpdate",
                        0.002,
                        "LWLock:BufferMapping",
                        0.001);
            case "literal-16" -> slices(total, "CPU", 0.861, "Client:ClientRead", 0.044, "LWLock:BufferMapping", 0.003);
            case "sixty-16-slots" ->
                slices(total, "LWLock:LockManager", 0.802, "CPU", 0.181, "Client:ClientRead", 0.006);
            case "sixty-256-slots" -> slices(total, "CPU", 0.972, "Client:ClientRead", 0.008);
            default -> slices(total, "CPU", 0.938, "Client:ClientRead", 0.022, "LWLock:BufferMapping", 0.002);
        };
    }

    private static List<WaitSlice> slices(double totalMicros, Object... eventsAndShares) {
        List<WaitSlice> slices = new ArrayList<>();
        double left = 1;
        for (int i = 0; i < eventsAndShares.length; i += 2) {
            double share = (Double) eventsAndShares[i + 1];
            left -= share;
            slices.add(new WaitSlice(
                    (String) eventsAndShares[i],
                    share,
                    share * totalMicros,
                    Math.round(share * ROUNDS * 30 * 10 * CLIENTS)));
        }
        slices.add(new WaitSlice(WaitSlice.OUTSIDE, left, left * totalMicros, 0));
        return slices;
    }

    private static RelationLocks locks(String name) {
        int partitions = name.startsWith("sixty") ? 60 : name.equals("literal-16") ? 1 : 12;
        int slots = name.equals("sixty-256-slots") ? 256 : name.equals("hidden-18") ? 64 : 16;
        List<String> relations = new ArrayList<>(List.of("orders", "orders_pkey"));
        IntStream.rangeClosed(1, partitions).forEach(i -> {
            relations.add(partition(i));
            relations.add(partition(i) + "_pkey");
        });
        List<RelationLocks.Lock> locks = new ArrayList<>();
        for (int i = 0; i < relations.size(); i++) {
            String relation = relations.get(i);
            boolean index = relation.endsWith("_pkey");
            String kind = index ? "index" : "table";
            locks.add(new RelationLocks.Lock(
                    relation, i < 2 ? "partitioned " + kind : kind, "AccessShareLock", i < slots));
        }
        return new RelationLocks(slots, slots / 16, locks);
    }

    private static String partition(int number) {
        return String.format("orders_p%02d", number);
    }

    private static Diagnosis diagnosis(String name) {
        return switch (name) {
            case "hidden-16" ->
                new Diagnosis(
                        List.of(overflow(
                                "3fd1c0a2",
                                26,
                                12,
                                16,
                                0.196,
                                "2.65 times the throughput [2.56–2.75], 99 % interval," + " 6 rounds")),
                        List.of(),
                        List.of());
            case "sixty-16-slots" ->
                new Diagnosis(List.of(overflow("b9e07715", 122, 60, 16, 0.802, null)), List.of(), List.of());
            case "literal-16" ->
                silent("no statement was seen with more than 4 relation locks, and a backend has 16 slots");
            case "sixty-256-slots" ->
                silent("the fullest statement held 122 relation locks, all of them in the backend's 256 slots");
            default -> silent("the fullest statement held 26 relation locks, all of them in the backend's 64 slots");
        };
    }

    private static Diagnosis silent(String because) {
        return new Diagnosis(
                List.of(), List.of(new Diagnosis.Silence("lockmanager.slot-overflow", because)), List.of());
    }

    static Finding overflow(String fingerprint, int locks, int partitions, int slots, double share, String measured) {
        int shared = locks - slots;
        List<Culprit> culprits = new ArrayList<>();
        culprits.add(new Culprit("statement", HIDDEN, "holds " + locks + " relation locks; " + slots + " fit"));
        for (int i = slots / 2; i <= partitions; i++) {
            culprits.add(new Culprit("table", partition(i), "locked in the shared lock table"));
            culprits.add(new Culprit("index", partition(i) + "_pkey", "locked in the shared lock table"));
        }
        return new Finding(
                "lockmanager.slot-overflow",
                fingerprint,
                "One statement takes " + locks + " relation locks, a backend has " + slots + " fast-path slots",
                Severity.ofShare(share),
                Confidence.MEASURED,
                "Sessions wait for LWLock:LockManager while they run a statement that locks " + locks
                        + " relations. The first " + slots
                        + " locks go to the backend's own slots; the other " + shared
                        + " go to the shared lock table, which 16 locks guard for all sessions.",
                share,
                List.of(
                        new Figure("lock_manager_share", share, "share", 8820, "pg_stat_get_activity"),
                        new Figure("relation_locks", locks, "locks", 412, "pg_locks"),
                        new Figure("shared_locks", shared, "locks", 412, "pg_locks"),
                        new Figure("backends_with_overflow", 0.94, "share", 412, "pg_locks")),
                culprits,
                List.of(
                        new Remedy(
                                "prune",
                                "Give the planner the day as a constant, so that it locks the one partition that is needed.",
                                "select count(*) from orders\n where order_ts >= '2025-01-07'  -- not from a subquery",
                                "4 relation locks instead of " + locks + "; planning gets cheaper as well",
                                "the text differs by day, so the statement cannot be prepared once.",
                                false,
                                "assay lab run lock-partitions",
                                measured),
                        new Remedy(
                                "slots",
                                "On PostgreSQL 18 raise max_locks_per_transaction.",
                                "ALTER SYSTEM SET max_locks_per_transaction = 128;",
                                "all locks find a slot",
                                "more shared memory for the lock table.",
                                true,
                                "assay lab run lock-partitions",
                                null)),
                List.of(
                        new RefutedCause("hot row", "0 of 8,820 samples wait for Lock:transactionid or Lock:tuple"),
                        new RefutedCause("connection storm", "no backend is younger than the trial"),
                        new RefutedCause(
                                "DDL that evicts slots", "no lock of Share mode or above was seen in 412 samples")),
                null);
    }

    private static Comparison pruned() {
        return comparison(
                "Does a day that the planner can see help?",
                "hidden-16",
                "literal-16",
                new double[] {2.654, 2.561, 2.751},
                6,
                Verdict.BETTER,
                0,
                new Comparison.ThroughputSplit(563, 211, 1.92, 1.91, 1.005),
                List.of(
                        "literal-16 does 2.65 times the transactions of hidden-16.",
                        "Nearly all of it is CPU work that a pruned plan does not do; the waits for LWLock:LockManager, 20 % of the"
                                + " time, go as well."));
    }

    private static Comparison slots() {
        return comparison(
                "Do 256 slots help where nothing else differs?",
                "sixty-16-slots",
                "sixty-256-slots",
                new double[] {1.122, 0.978, 1.287},
                5,
                Verdict.INCONCLUSIVE,
                7,
                new Comparison.ThroughputSplit(1420, 1455, 1.69, 1.94, -0.21),
                List.of(
                        "The waits for LWLock:LockManager are gone; on 2 cores the sessions then wait for a core instead."));
    }

    private static Comparison comparison(
            String question,
            String baseline,
            String candidate,
            double[] ratio,
            int rounds,
            Verdict verdict,
            int furtherTrials,
            Comparison.ThroughputSplit split,
            List<String> reading) {
        return new Comparison(
                question,
                baseline,
                candidate,
                "transactions_per_second",
                ratio[0],
                ratio[1],
                ratio[2],
                0.99,
                rounds,
                0.05,
                verdict,
                furtherTrials,
                changes(waits(baseline), waits(candidate)),
                split,
                reading);
    }

    private static List<Comparison.TimeChange> changes(List<WaitSlice> before, List<WaitSlice> after) {
        Map<String, double[]> times = new LinkedHashMap<>();
        before.forEach(slice ->
                times.computeIfAbsent(slice.waitEvent(), key -> new double[2])[0] = slice.microsPerTransaction());
        after.forEach(slice ->
                times.computeIfAbsent(slice.waitEvent(), key -> new double[2])[1] = slice.microsPerTransaction());
        double whole =
                times.values().stream().mapToDouble(pair -> pair[1] - pair[0]).sum();
        List<Comparison.TimeChange> changes = new ArrayList<>();
        times.forEach((event, pair) ->
                changes.add(new Comparison.TimeChange(event, pair[0], pair[1], (pair[1] - pair[0]) / whole)));
        changes.sort((a, b) -> Double.compare(Math.abs(b.changeMicros()), Math.abs(a.changeMicros())));
        return changes;
    }

    /** A production server with the same trouble, seen for ten seconds. */
    static DiagnoseReport diagnose() {
        List<Sample<ActivityRow>> samples = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            List<ActivityRow> rows = new ArrayList<>();
            IntStream.range(0, 9).forEach(pid -> rows.add(session(pid, null)));
            IntStream.range(9, 13).forEach(pid -> rows.add(session(pid, WaitEvent.LOCK_MANAGER)));
            rows.add(session(13, WaitEvent.parse("IO:DataFileRead")));
            samples.add(new Sample<>(STARTED.plusMillis(100L * i), rows));
        }
        Evidence evidence = Evidence.of(new ServerFacts(
                        ServerVersion.parse("16.14"), "PostgreSQL 16.14 on x86_64-pc-linux-gnu, 64-bit", "shop"))
                .add(ActivityRow.class, samples)
                .between(STARTED, STARTED.plusSeconds(10));
        Diagnosis diagnosis = new Diagnosis(
                List.of(overflow("3fd1c0a2", 26, 12, 16, 4 / 14.0, null)),
                List.of(new Diagnosis.Silence("connections.storm", "no backend is younger than 10 s")),
                List.of(new Unavailable("pg_stat_statements", "relation \"pg_stat_statements\" does not exist")));
        return new DiagnoseReport(
                evidence,
                diagnosis,
                new SelfCost(Duration.ofSeconds(10), Duration.ofMillis(184), Duration.ofNanos(97_300_000), 121, 1687),
                false);
    }

    private static ActivityRow session(int pid, WaitEvent waitEvent) {
        return new ActivityRow(
                1000 + pid,
                "app",
                "shop",
                "web",
                "active",
                waitEvent,
                new StatementId("-5817361184432516183", HIDDEN),
                STARTED.minusSeconds(3600),
                STARTED);
    }

    /** The experiment with names that try to become markup. */
    static ExperimentResult hostile() {
        ExperimentResult result = experiment();
        String script = "</script><script>alert(1)</script>";
        String quotes = "\" onload=\"x'";
        List<VariantResult> variants = new ArrayList<>(result.variants());
        VariantResult first = variants.get(0);
        variants.set(
                0,
                new VariantResult(
                        "<img src=x onerror=\"document.documentElement.setAttribute('data-harmed','1')\">",
                        script + quotes,
                        first.serverVersion(),
                        Map.of(quotes, "<!-- " + script + " -->"),
                        "select '" + script + "', $${{title}}$$",
                        first.answersSame(),
                        first.metrics(),
                        List.of(
                                new WaitSlice("<img src=x>" + quotes, 0.9, 13_000, 5),
                                new WaitSlice(WaitSlice.OUTSIDE, 0.1, 1_400, 0)),
                        new RelationLocks(16, 1, List.of(new RelationLocks.Lock("\"<b>&\"", "table", "<i>", true))),
                        List.of(new VariantResult.Check(script, false, quotes)),
                        List.of(script),
                        first.diagnosis()));
        return withVariants(result, variants);
    }

    static ExperimentResult withVariants(ExperimentResult result, List<VariantResult> variants) {
        return new ExperimentResult(
                result.experiment(),
                result.title(),
                result.question(),
                result.startedAt(),
                result.took(),
                result.partial(),
                result.unavailable(),
                result.environment(),
                result.clients(),
                result.trialLength(),
                result.seed(),
                variants,
                result.comparisons(),
                result.signatures(),
                result.trials());
    }
}
