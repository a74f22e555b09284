package dev.assay.lab;

import dev.assay.diagnose.Diagnosis;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.Evidence;
import dev.assay.lab.load.LoadResult;
import dev.assay.observe.CatalogReader;
import dev.assay.observe.Observation;
import dev.assay.pg.Oid;
import dev.assay.target.TargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Gathers a variant's trials and turns them into its result. Used by one thread. */
final class VariantSummary {

    private static final double QUEUE_SHARE_TOLD = 0.2;
    private static final double GARBAGE_COLLECTION_SHARE_MAX = 0.02;

    /** Serialization failure and deadlock: what another try may cure. */
    private static final Set<String> RETRIED = Set.of("40001", "40P01");

    private final Experiment.Variant variant;
    private final Bench bench;
    private final Experiment.Load load;
    private final List<TrialRun> runs = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();
    private boolean answersSame = true;
    private @Nullable RelationLocks locks;
    private ExecutionWatch.@Nullable Unloaded unloaded;

    VariantSummary(Experiment.Variant variant, Bench bench) {
        this.variant = variant;
        this.bench = bench;
        this.load = variant.load();
    }

    Experiment.Variant variant() {
        return variant;
    }

    Bench bench() {
        return bench;
    }

    void add(TrialRun run) {
        runs.add(run);
    }

    void flag(String text) {
        flags.add(text);
    }

    void answersDiffer() {
        answersSame = false;
    }

    void locks(RelationLocks seen) {
        locks = seen;
    }

    @Nullable
    RelationLocks locks() {
        return locks;
    }

    void unloaded(ExecutionWatch.Unloaded seen) {
        unloaded = seen;
    }

    List<Trial> trials() {
        return runs.stream().map(TrialRun::trial).toList();
    }

    private List<TrialRun> successful() {
        return runs.stream().filter(run -> run.trial().ok()).toList();
    }

    /** All samples of the successful trials; empty when there is none. */
    Optional<Evidence> evidence() {
        List<Observation> observations = successful().stream()
                .flatMap(run -> Optional.ofNullable(run.observation()).stream())
                .toList();
        if (observations.isEmpty()) {
            return Optional.empty();
        }
        Set<Oid> relations = new LinkedHashSet<>();
        observations.forEach(observation -> relations.addAll(observation.relations()));
        CatalogSnapshot catalog;
        Evidence.Builder builder;
        try {
            builder = Evidence.of(bench.watch().server());
            catalog = CatalogReader.read(bench.watch(), relations);
        } catch (TargetException e) {
            return Optional.empty();
        }
        observations.forEach(observation -> observation.addTo(builder));
        return Optional.of(builder.catalog(catalog)
                .between(
                        observations.get(0).from(),
                        observations.get(observations.size() - 1).to()));
    }

    VariantResult result(@Nullable Diagnosis diagnosis, List<VariantResult.Check> checks) {
        flagClient();
        flagQueue();
        flags.addAll(bench.limits());
        return new VariantResult(
                variant.name(),
                variant.title(),
                bench.server().version().toString(),
                bench.system().settings(),
                variant.workload().statement(),
                answersSame,
                metrics(),
                waits(),
                locks,
                checks,
                flags,
                diagnosis);
    }

    /** The figures of the load, and those of single executions without load. */
    private List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        for (Map.Entry<String, String> unit : MetricNames.UNITS.entrySet()) {
            List<Double> values = successful().stream()
                    .flatMap(run -> Optional.ofNullable(run.trial().values().get(unit.getKey())).stream())
                    .toList();
            if (!values.isEmpty()) {
                metrics.add(TrialStatistics.metric(unit.getKey(), unit.getValue(), values));
            }
        }
        ExecutionWatch.Unloaded seen = unloaded;
        if (seen != null) {
            metrics.add(TrialStatistics.metric(MetricNames.PLANNING_UNLOADED, "us", seen.planningMicros()));
            metrics.add(TrialStatistics.metric(MetricNames.EXECUTION_UNLOADED, "us", seen.executionMicros()));
        }
        return metrics;
    }

    /** Where the time of a transaction, or of one execution of a task, goes. */
    List<WaitSlice> waits() {
        return split().slices();
    }

    /** CPU figures over all trials; null when no trial has them. */
    ComparisonBuilder.@Nullable ServerCpu cpu() {
        return split().cpu();
    }

    private TimeSplit split() {
        return new TimeSplit(variant, successful());
    }

    /** A finding's share of database time is the activity view's; where much of the time is invisible to that view, this must be said. */
    private void flagQueue() {
        waits().stream()
                .filter(slice -> slice.waitEvent().equals(WaitSlice.QUEUE) && slice.share() >= QUEUE_SHARE_TOLD)
                .forEach(slice -> flag(String.format(
                        Locale.ROOT,
                        "every core was taken: sessions waited for one during %.0f %% of a transaction's time. The activity view shows most"
                                + " of them as idle, so shares of database time in findings leave them out",
                        100 * slice.share())));
    }

    private void flagClient() {
        int saturated = 0;
        int collecting = 0;
        long givenUp = 0;
        Map<String, Long> failed = new TreeMap<>();
        for (TrialRun run : runs) {
            LoadResult result = run.load();
            if (result == null) {
                continue;
            }
            saturated += result.clientSaturated() ? 1 : 0;
            Duration window = Duration.ofNanos(result.measuredNanos());
            collecting += result.gcMillis() > GARBAGE_COLLECTION_SHARE_MAX * window.toMillis() ? 1 : 0;
            givenUp += result.counts().serializationFailures() + result.counts().deadlocks();
            result.statementsFailed().forEach((state, count) -> {
                if (load.maxTries() == 1 || !RETRIED.contains(state)) {
                    failed.merge(state, count, Long::sum);
                }
            });
        }
        if (load.maxTries() != 1 && givenUp > 0) {
            flag(givenUp + " transactions were given up after " + load.maxTries() + " tries");
        }
        if (saturated > 0) {
            flag("the load client used its whole core in " + saturated + " of " + runs.size()
                    + " trials: it may have been the limit");
        }
        if (collecting > 0) {
            flag("the load client collected garbage for more than 2 % of " + collecting + " of " + runs.size()
                    + " trials");
        }
        boolean http = variant.workload() instanceof Workload.Service;
        failed.forEach((state, count) -> flag(
                http
                        ? count + " requests were answered with " + state
                        : count + " statements failed with SQLSTATE " + state));
        long moving = runs.stream().filter(TrialRun::notStable).count();
        if (moving > 0) {
            flag("not_stable: throughput still moved after the longest warm-up of "
                    + load.warmupMax().toMillis() / 1000.0 + " s in " + moving + " of " + runs.size() + " trials");
        }
        long lost = runs.stream().filter(run -> !run.trial().ok()).count();
        if (lost > 0) {
            flag(lost + " of " + runs.size() + " trials failed and do not count");
        }
    }
}
