package dev.assay.lab;

import dev.assay.lab.load.LoadResult;
import dev.assay.observe.Observation;
import dev.assay.observe.Sampler;
import dev.assay.observe.probe.Probes;
import dev.assay.sys.CpuReading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A trial under load: background loads, warm-up, then the load, the sampler and the meter of CPU time over the same window. Counters are read
 * before and after the run that holds the window and divided by all of its transactions, as no backend reports more often than once a second.
 */
final class LoadTrial {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final Duration STABILITY_WINDOW = Duration.ofSeconds(1);

    /** Clients that begin at the same moment need some transactions to spread out. */
    private static final Duration SETTLE = Duration.ofMillis(200);

    private final Bench bench;
    private final Experiment.Variant variant;
    private final Experiment.Load load;
    private final TrialOrder.Slot slot;

    private LoadTrial(Bench bench, Experiment.Variant variant, TrialOrder.Slot slot) {
        this.bench = bench;
        this.variant = variant;
        this.load = variant.load();
        this.slot = slot;
    }

    static TrialRun measure(Bench bench, Experiment.Variant variant, TrialOrder.Slot slot) throws InterruptedException {
        LoadTrial trial = new LoadTrial(bench, variant, slot);
        try (BackgroundRun beside = BackgroundRun.start(bench, variant, bench.seed());
                LoadSource source = bench.source(variant)) {
            Experiment.Load load = variant.load();
            boolean fixed = load.warmupMax().compareTo(load.warmup()) <= 0;
            boolean stable = fixed || trial.warmUp(source);
            return trial.window(source, fixed ? load.warmup() : SETTLE, beside, !stable);
        }
    }

    /** Runs windows until throughput is stable; false when the longest warm-up has passed before. */
    private boolean warmUp(LoadSource source) throws InterruptedException {
        List<Long> windows = new ArrayList<>();
        long begun = System.nanoTime();
        while (true) {
            LoadResult window = source.run(Duration.ZERO, STABILITY_WINDOW);
            windows.add(window.transactions());
            long passed = System.nanoTime() - begun;
            if (passed >= load.warmup().toNanos() && Stability.stable(windows)) {
                return true;
            }
            boolean broken = window.connectionsLost() > 0 || window.clientsAborted() > 0;
            if (broken || passed >= load.warmupMax().toNanos()) {
                return false;
            }
        }
    }

    private TrialRun window(LoadSource source, Duration warmup, BackgroundRun beside, boolean notStable)
            throws InterruptedException {
        ScheduledExecutorService meter = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "assay-meter");
            thread.setDaemon(true);
            return thread;
        });
        source.report();
        Counters before = bench.counters();
        try (Sampler sampler = Sampler.start(bench.watch(), Probes.close(TrialRun.WATCHED))) {
            Instant begin = Instant.now().plus(warmup);
            long warmupMillis = warmup.toMillis();
            Callable<CpuReading> reading = bench.server()::cpuReading;
            Future<CpuReading> first = meter.schedule(reading, warmupMillis, TimeUnit.MILLISECONDS);
            Future<CpuReading> last =
                    meter.schedule(reading, warmupMillis + load.measured().toMillis(), TimeUnit.MILLISECONDS);
            Callable<OptionalLong> service = source::serviceCpuNanos;
            Future<OptionalLong> firstOfService = meter.schedule(service, warmupMillis, TimeUnit.MILLISECONDS);
            Future<OptionalLong> lastOfService =
                    meter.schedule(service, warmupMillis + load.measured().toMillis(), TimeUnit.MILLISECONDS);
            LoadResult result = source.run(warmup, load.measured());
            sampler.check();
            Observation observation = sampler.stop().within(begin, begin.plus(load.measured()));
            String failure = failure(result, beside, source);
            if (failure != null) {
                bench.forget();
                return TrialRun.failed(slot, failure, result);
            }
            OptionalDouble memory = source.backendMemory();
            source.report();
            Map<String, Double> counted = bench.counters().since(before);
            CpuReading.Rate cpu = without(last.get(), beside.pids()).since(without(first.get(), beside.pids()));
            Map<String, Double> values = values(result, cpu);
            addCounted(values, counted, result);
            memory.ifPresent(mebibytes -> values.put(MetricNames.BACKEND_MEMORY, mebibytes));
            if (firstOfService.get().isPresent() && lastOfService.get().isPresent()) {
                long spent =
                        lastOfService.get().getAsLong() - firstOfService.get().getAsLong();
                values.put(MetricNames.SERVICE_CPU_PER_TRANSACTION, spent / 1e3 / result.transactions());
            }
            Trial trial = new Trial(slot.round(), slot.order(), variant.name(), null, values);
            return new TrialRun(trial, result, observation, cpu, beside.pids(), OptionalInt.empty(), notStable);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot read the server's CPU time", e);
        } finally {
            meter.shutdownNow();
        }
    }

    /** What the scheduler gave all the others. */
    static CpuReading without(CpuReading reading, Set<Integer> pids) {
        Map<Long, CpuReading.Account> processes = new HashMap<>(reading.processes());
        pids.forEach(pid -> processes.remove(pid.longValue()));
        return new CpuReading(reading.atNanos(), processes);
    }

    private @Nullable String failure(LoadResult result, BackgroundRun beside, LoadSource source) {
        if (!bench.server().isAlive()) {
            return TrialRun.died(bench, result.firstLoss());
        }
        int clients = load.clients();
        if (result.connectionsLost() > 0) {
            return result.connectionsLost() + " of " + clients + " connections lost: " + result.firstLoss()
                    + source.death().map(why -> "; " + why).orElse("");
        }
        if (result.clientsAborted() > 0) {
            return result.clientsAborted() + " of " + clients + " clients aborted: " + result.firstAbort();
        }
        if (result.transactions() == 0) {
            return result.failureExamples().isEmpty()
                    ? "no transaction finished in the measured time"
                    : "every transaction failed: "
                            + result.failureExamples().values().iterator().next();
        }
        return beside.finish();
    }

    private Map<String, Double> values(LoadResult result, CpuReading.Rate cpu) {
        Map<String, Double> values = new HashMap<>();
        double perSecond = result.transactionsPerSecond();
        values.put(MetricNames.TRANSACTIONS_PER_SECOND, perSecond);
        values.put(MetricNames.LATENCY_MEAN, result.latency().getMean() / NANOS_PER_MILLI);
        values.put(MetricNames.LATENCY_P50, result.latency().getValueAtPercentile(50) / NANOS_PER_MILLI);
        values.put(MetricNames.LATENCY_P95, result.latency().getValueAtPercentile(95) / NANOS_PER_MILLI);
        values.put(MetricNames.LATENCY_P99, result.latency().getValueAtPercentile(99) / NANOS_PER_MILLI);
        values.put(MetricNames.CLIENT_CPU_PER_TRANSACTION, result.clientCpuNanos() / 1e3 / result.transactions());
        if (load.latencyLimit() != null) {
            values.put(MetricNames.GOODPUT, result.counts().good() * 1e9 / result.measuredNanos());
        }
        if (load.maxTries() != 1) {
            values.put(
                    MetricNames.RETRIES_PER_TRANSACTION,
                    (double) result.counts().retries() / result.transactions());
        }
        if (cpu.busyCores() > 0) {
            values.put(MetricNames.SERVER_CPU_PER_TRANSACTION, cpu.busyCores() * 1e6 / perSecond);
            values.put(MetricNames.WAITING_FOR_CORE_PER_TRANSACTION, cpu.waitingForCore() * 1e6 / perSecond);
            values.put(MetricNames.BUSY_CORES, cpu.busyCores());
        }
        return values;
    }

    private static void addCounted(Map<String, Double> values, Map<String, Double> counted, LoadResult result) {
        long all = result.transactions() + result.transactionsOutside();
        counted.forEach((name, value) -> values.put(name + MetricNames.PER_TRANSACTION, value / all));
    }
}
