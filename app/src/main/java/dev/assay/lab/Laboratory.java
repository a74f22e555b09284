package dev.assay.lab;

import dev.assay.diagnose.Diagnosis;
import dev.assay.diagnose.Diagnostician;
import dev.assay.diagnose.Finding;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.Unavailable;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.Script;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireException;
import dev.assay.wire.WireSession;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs experiments: starts the systems under test, looks at single executions, runs the interleaved trials, compares and judges.
 *
 * <p>All servers run from beginning to end; between its trials a server has no work. Everything that was started is ended before
 * {@link #run} returns, and by the servers' own shutdown hook when the JVM is ended.
 */
public final class Laboratory {

    /** How many draws of the scripts' variables two variants must answer alike. */
    private static final int ANSWERS = 20;

    /** Within this time the load client's code has been compiled. */
    private static final Duration COMPILED = Duration.ofSeconds(2);

    /** The HTTP client's is more. */
    private static final Duration HTTP_COMPILED = Duration.ofSeconds(10);

    private final Diagnostician diagnostician;
    private final LabListener listener;
    private final @Nullable Path serverFolder;

    /**
     * @param serverFolder where the servers' folders are made; null for the usual place
     */
    public Laboratory(Diagnostician diagnostician, LabListener listener, @Nullable Path serverFolder) {
        this.diagnostician = diagnostician;
        this.listener = listener;
        this.serverFolder = serverFolder;
    }

    /**
     * Runs an experiment to its end; trials that fail are reported and do not stop it.
     *
     * @param seed of the order of trials and the draws of the scripts
     * @throws LabException when schema or script do not work on the server
     * @return the result; of what was measured so far when the thread was interrupted after a trial had ended, and then its interrupt status is
     *     set. All servers are gone
     * @throws InterruptedException when the thread is interrupted before that; all servers are gone
     */
    public LabRun run(Experiment experiment, long seed) throws InterruptedException {
        LabRun run = runToItsEnd(experiment, seed);
        if (run.interrupted()) {
            Thread.currentThread().interrupt();
        }
        return run;
    }

    private LabRun runToItsEnd(Experiment experiment, long seed) throws InterruptedException {
        Instant startedAt = Instant.now();
        long startNanos = System.nanoTime();
        Map<String, Bench> benches = new LinkedHashMap<>();
        try {
            for (Experiment.SystemUnderTest system : experiment.systems().values()) {
                benches.put(
                        system.name(),
                        Bench.start(system, keepsData(experiment, system), seed, serverFolder, listener::step));
            }
            Map<String, VariantSummary> summaries = new LinkedHashMap<>();
            for (Experiment.Variant variant : experiment.variants()) {
                Bench bench = benches.get(variant.system());
                if (bench == null) {
                    throw new IllegalArgumentException("variant " + variant.name() + " has no system");
                }
                summaries.put(variant.name(), new VariantSummary(variant, bench));
            }
            inspect(experiment, summaries, seed);
            warmUp(experiment, summaries);
            boolean interrupted = !runTrials(experiment, summaries, seed);
            listener.step("judging");
            Outcome outcome = judge(experiment, summaries, interrupted);
            return new LabRun(
                    result(
                            experiment,
                            outcome,
                            summaries,
                            seed,
                            startedAt,
                            Duration.ofNanos(System.nanoTime() - startNanos)),
                    outcome.evidence(),
                    interrupted);
        } catch (WireException | ErrorResponseException e) {
            throw new LabException(
                    "a server failed outside of the trials: " + Bench.operatingFailure(e),
                    "Check settings and script: enough max_connections for the clients, nothing that ends the server.",
                    e);
        } finally {
            closeAll(benches);
        }
    }

    private static boolean keepsData(Experiment experiment, Experiment.SystemUnderTest system) {
        return experiment.variants().stream()
                .anyMatch(variant -> variant.fresh() && variant.system().equals(system.name()));
    }

    private static void closeAll(Map<String, Bench> benches) {
        RuntimeException first = null;
        for (Bench bench : benches.values()) {
            try {
                bench.close();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Locks, times and answers of single executions, before there is any load. */
    private void inspect(Experiment experiment, Map<String, VariantSummary> summaries, long seed) {
        for (VariantSummary summary : summaries.values()) {
            if (summary.variant().scripts().isEmpty()) {
                continue;
            }
            listener.step("watching one execution of " + summary.variant().name());
            List<WeightedScript> scripts = Bench.scripts(summary.variant());
            if (scripts.stream().allMatch(script -> ExecutionWatch.predictable(script.script()))) {
                inspect(summary, scripts, seed);
            } else {
                summary.flag(
                        "single executions were not looked at: what the script sends depends on more than its draws");
            }
        }
        long[] seeds = new Random(seed).longs(ANSWERS).toArray();
        for (Experiment.Pair pair : experiment.comparisons()) {
            if (pair.sameAnswer()) {
                VariantSummary candidate = find(summaries, pair.candidate());
                if (!answers(find(summaries, pair.baseline()), seeds).equals(answers(candidate, seeds))) {
                    candidate.answersDiffer();
                }
            }
        }
    }

    private static void inspect(VariantSummary summary, List<WeightedScript> scripts, long seed) {
        for (int i = 0; i < scripts.size(); i++) {
            Script script = scripts.get(i).script();
            try {
                RelationLocks locks = ExecutionWatch.locks(summary.bench(), script, seed);
                if (scripts.size() == 1) {
                    summary.locks(locks);
                }
            } catch (ErrorResponseException e) {
                throw new LabException(
                        "the script of variant '" + summary.variant().name() + "' fails on PostgreSQL "
                                + summary.bench().server().version() + ": " + e.getMessage(),
                        "The script begins at line "
                                + summary.variant().scripts().get(i).line() + ": "
                                + Bench.brief(script.expand(seed).get(0)),
                        e);
            }
        }
        if (scripts.size() > 1) {
            return;
        }
        try {
            summary.unloaded(
                    ExecutionWatch.unloaded(summary.bench(), scripts.get(0).script(), seed));
        } catch (ErrorResponseException e) {
            summary.flag("planning and execution without load not measured: " + e.getMessage());
        }
    }

    private static List<?> answers(VariantSummary summary, long[] seeds) {
        return Bench.scripts(summary.variant()).stream()
                .map(script -> ExecutionWatch.answers(summary.bench(), script.script(), seeds))
                .toList();
    }

    private static VariantSummary find(Map<String, VariantSummary> summaries, String name) {
        VariantSummary found = summaries.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no variant " + name);
        }
        return found;
    }

    /** Opens every connection and runs once, so that no trial pays for cold code, cold catalogs or connecting. */
    private void warmUp(Experiment experiment, Map<String, VariantSummary> summaries) throws InterruptedException {
        Experiment.Load load = experiment.load();
        for (VariantSummary summary : summaries.values()) {
            if (summary.variant().isTask()) {
                continue;
            }
            listener.step("warming up " + summary.variant().name());
            Duration most = summary.variant().scripts().isEmpty() ? HTTP_COMPILED : COMPILED;
            Duration once = load.measured().compareTo(most) < 0 ? load.measured() : most;
            try (LoadSource source = summary.bench().source(summary.variant())) {
                source.run(Duration.ZERO, once);
            }
        }
    }

    /** Whether all of them were run; false when the thread was interrupted after the first. */
    private boolean runTrials(Experiment experiment, Map<String, VariantSummary> summaries, long seed)
            throws InterruptedException {
        Experiment.Load load = experiment.load();
        List<TrialOrder.Slot> slots = TrialOrder.of(List.copyOf(summaries.keySet()), load.trials(), seed);
        List<Experiment.Variant> variants = experiment.variants();
        long timed = variants.stream().filter(variant -> !variant.isTask()).count() * load.trials();
        boolean longer = variants.stream()
                .anyMatch(variant -> variant.fresh()
                        || variant.scripts().isEmpty()
                        || load.warmupMax().compareTo(load.warmup()) > 0);
        listener.trialsBegin(slots.size(), load.warmup().plus(load.measured()).multipliedBy(timed), longer);
        for (TrialOrder.Slot slot : slots) {
            VariantSummary summary = find(summaries, slot.variant());
            listener.trialBegins(summary.variant(), slot.order(), slots.size());
            TrialRun run;
            try {
                run = TrialRun.run(summary.bench(), summary.variant(), slot);
            } catch (InterruptedException e) {
                if (slot.order() == slots.get(0).order()) {
                    throw e;
                }
                return false;
            }
            summary.add(run);
            listener.trialDone(run.trial(), summary.variant(), slot.order(), slots.size());
        }
        return true;
    }

    /** What came out, before it is put together. */
    private record Outcome(
            List<VariantResult> variants, List<Comparison> comparisons, Map<String, Evidence> evidence) {}

    /**
     * @param memoryOnly whether the servers may be gone
     */
    private Outcome judge(Experiment experiment, Map<String, VariantSummary> summaries, boolean memoryOnly) {
        Map<String, Evidence> evidence = new HashMap<>();
        Map<String, Diagnosis> diagnoses = new HashMap<>();
        Map<String, ComparisonBuilder.Side> sides = new HashMap<>();
        Map<String, List<VariantResult.Check>> checks = new HashMap<>();
        for (VariantSummary summary : summaries.values()) {
            if (memoryOnly) {
                continue;
            }
            String name = summary.variant().name();
            summary.evidence().ifPresent(found -> {
                evidence.put(name, found);
                diagnoses.put(name, diagnostician.judge(found));
            });
            checks.put(name, checks(summary));
        }
        Map<String, VariantResult> results = new LinkedHashMap<>();
        summaries.forEach((name, summary) -> {
            VariantResult result = summary.result(diagnoses.get(name), checks.getOrDefault(name, List.of()));
            results.put(name, result);
            sides.put(
                    name,
                    new ComparisonBuilder.Side(
                            name,
                            result.waits(),
                            summary.cpu(),
                            unloaded(result),
                            result.answersSame(),
                            result.checks()));
        });
        List<Trial> trials = summaries.values().stream()
                .flatMap(summary -> summary.trials().stream())
                .toList();
        List<Comparison> comparisons = new ArrayList<>();
        for (Experiment.Pair pair : experiment.comparisons()) {
            ComparisonBuilder.Side baseline = sides.get(pair.baseline());
            ComparisonBuilder.Side candidate = sides.get(pair.candidate());
            if (baseline != null && candidate != null) {
                Comparison comparison = ComparisonBuilder.build(
                        pair, trials, baseline, candidate, Runtime.getRuntime().availableProcessors());
                comparisons.add(comparison);
                results.computeIfPresent(pair.baseline(), (name, result) -> withGain(result, pair, comparison));
            }
        }
        return new Outcome(List.copyOf(results.values()), comparisons, evidence);
    }

    private static ComparisonBuilder.@Nullable Unloaded unloaded(VariantResult result) {
        return result.metric(MetricNames.PLANNING_UNLOADED)
                .flatMap(planning -> result.metric(MetricNames.EXECUTION_UNLOADED)
                        .map(execution -> new ComparisonBuilder.Unloaded(planning.median(), execution.median())))
                .orElse(null);
    }

    /** Writes what the pair measured into the remedy that it tests. */
    private static VariantResult withGain(VariantResult result, Experiment.Pair pair, Comparison comparison) {
        Diagnosis diagnosis = result.diagnosis();
        if (pair.proves() == null || diagnosis == null || Double.isNaN(comparison.ratio())) {
            return result;
        }
        String gain = String.format(
                Locale.ROOT,
                "%s x %.2f [%.2f, %.2f] at %.0f %%, %d rounds: %s",
                comparison.metric().replace('_', ' '),
                comparison.ratio(),
                comparison.low(),
                comparison.high(),
                100 * comparison.level(),
                comparison.rounds(),
                comparison.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        List<Finding> findings = diagnosis.findings().stream()
                .map(finding -> finding.withRemedies(finding.remedies().stream()
                        .map(remedy -> remedy.id().equals(pair.proves()) ? remedy.withMeasured(gain) : remedy)
                        .toList()))
                .toList();
        return result.withDiagnosis(new Diagnosis(findings, diagnosis.silent(), diagnosis.unavailable()));
    }

    private static List<VariantResult.Check> checks(VariantSummary summary) {
        List<VariantResult.Check> checks = new ArrayList<>();
        summary.variant().checks().forEach((name, sql) -> checks.add(check(summary.bench(), name, sql)));
        return checks;
    }

    private static VariantResult.Check check(Bench bench, String name, String sql) {
        try (WireSession session = bench.connect()) {
            List<List<@Nullable String>> rows = session.query(sql);
            String seen = rows.isEmpty() || rows.get(0).isEmpty()
                    ? "no row"
                    : String.valueOf(rows.get(0).get(0));
            return new VariantResult.Check(name, seen.equals("t"), seen.equals("t") ? "true" : "answered " + seen);
        } catch (RuntimeException e) {
            String failure = Bench.operatingFailure(e);
            if (failure == null) {
                throw e;
            }
            return new VariantResult.Check(name, false, failure);
        }
    }

    private static ExperimentResult result(
            Experiment experiment,
            Outcome outcome,
            Map<String, VariantSummary> summaries,
            long seed,
            Instant startedAt,
            Duration took) {
        List<Trial> trials = summaries.values().stream()
                .flatMap(summary -> summary.trials().stream())
                .sorted(Comparator.comparingInt(Trial::order))
                .toList();
        int planned = experiment.load().trials() * experiment.variants().size();
        List<Unavailable> missing = trials.size() == planned
                ? List.of()
                : List.of(new Unavailable(
                        planned - trials.size() + " of " + planned + " trials, checks and diagnosis",
                        "the run was interrupted"));
        return new ExperimentResult(
                experiment.name(),
                experiment.title(),
                experiment.question(),
                startedAt,
                took,
                !missing.isEmpty() || trials.stream().anyMatch(trial -> !trial.ok()),
                missing,
                Environment.here(),
                experiment.load().clients(),
                experiment.load().measured(),
                seed,
                outcome.variants(),
                outcome.comparisons(),
                Signatures.of(experiment, outcome.variants()),
                trials);
    }
}
