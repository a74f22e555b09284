package dev.assay.lab;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.SettingRow;
import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import dev.assay.observe.Observation;
import dev.assay.observe.Sampler;
import dev.assay.observe.probe.Probes;
import dev.assay.sys.CpuReading;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One trial: the load, the sampler and the meter of CPU time over the same window.
 *
 * @param trial what is reported
 * @param load null when it failed before any load
 * @param observation the samples of the measured window; null when it failed
 * @param cpu what the scheduler gave the server in the window; null when it failed
 */
record TrialRun(
        Trial trial, @Nullable LoadResult load, @Nullable Observation observation, CpuReading.@Nullable Rate cpu) {

    /** What a trial is summed up from; every other probe would only cost the server time. */
    private static final List<Class<? extends Row>> WATCHED =
            List.of(ActivityRow.class, RelationLocksRow.class, SettingRow.class);

    private static final double NANOS_PER_MILLI = 1e6;

    /** Runs one trial; a failure of the server or the way to it is the trial's, not the experiment's. */
    static TrialRun run(Bench bench, Experiment.Variant variant, Experiment.Load load, TrialOrder.Slot slot)
            throws InterruptedException {
        try {
            bench.revive();
            return measure(bench, variant, load, slot);
        } catch (RuntimeException e) {
            String failure = Bench.operatingFailure(e);
            if (failure == null) {
                throw e;
            }
            bench.forget();
            return failed(slot, bench.server().isAlive() ? failure : died(bench, failure), null);
        }
    }

    private static TrialRun measure(Bench bench, Experiment.Variant variant, Experiment.Load load, TrialOrder.Slot slot)
            throws InterruptedException {
        LoadClient client = bench.client(variant);
        ScheduledExecutorService meter = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "assay-meter");
            thread.setDaemon(true);
            return thread;
        });
        try (Sampler sampler = Sampler.start(bench.watch(), Probes.close(WATCHED))) {
            Instant begin = Instant.now().plus(load.warmup());
            long warmupMillis = load.warmup().toMillis();
            Callable<CpuReading> reading = bench.server()::cpuReading;
            Future<CpuReading> first = meter.schedule(reading, warmupMillis, TimeUnit.MILLISECONDS);
            Future<CpuReading> last =
                    meter.schedule(reading, warmupMillis + load.measured().toMillis(), TimeUnit.MILLISECONDS);
            LoadResult result = client.run(load.warmup(), load.measured());
            sampler.check();
            Observation observation = sampler.stop().within(begin, begin.plus(load.measured()));
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            String failure = failure(bench, result, load.clients());
            if (failure != null) {
                bench.forget();
                return failed(slot, failure, result);
            }
            CpuReading.Rate cpu = last.get().since(first.get());
            Trial trial = new Trial(slot.round(), slot.order(), variant.name(), null, values(result, cpu));
            return new TrialRun(trial, result, observation, cpu);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot read the server's CPU time", e);
        } finally {
            meter.shutdownNow();
        }
    }

    private static @Nullable String failure(Bench bench, LoadResult result, int clients) {
        if (!bench.server().isAlive()) {
            return died(bench, result.firstLoss());
        }
        if (result.connectionsLost() > 0) {
            return result.connectionsLost() + " of " + clients + " connections lost: " + result.firstLoss();
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
        return null;
    }

    private static String died(Bench bench, @Nullable String seen) {
        List<String> tail = bench.server().logTail(20);
        String last = tail.stream()
                .filter(line ->
                        line.contains("PANIC") || line.contains("FATAL") || line.contains("terminated by signal"))
                .reduce((earlier, later) -> later)
                .orElse(seen == null ? "no word in its log" : seen);
        return "the server of '" + bench.system().name() + "' died during the trial: " + last;
    }

    private static TrialRun failed(TrialOrder.Slot slot, String failure, @Nullable LoadResult load) {
        return new TrialRun(new Trial(slot.round(), slot.order(), slot.variant(), failure, Map.of()), load, null, null);
    }

    private static Map<String, Double> values(LoadResult result, CpuReading.Rate cpu) {
        Map<String, Double> values = new HashMap<>();
        double perSecond = result.transactionsPerSecond();
        values.put(MetricNames.TRANSACTIONS_PER_SECOND, perSecond);
        values.put(MetricNames.LATENCY_MEAN, result.latency().getMean() / NANOS_PER_MILLI);
        values.put(MetricNames.LATENCY_P50, result.latency().getValueAtPercentile(50) / NANOS_PER_MILLI);
        values.put(MetricNames.LATENCY_P95, result.latency().getValueAtPercentile(95) / NANOS_PER_MILLI);
        values.put(MetricNames.LATENCY_P99, result.latency().getValueAtPercentile(99) / NANOS_PER_MILLI);
        if (cpu.busyCores() > 0) {
            values.put(MetricNames.SERVER_CPU_PER_TRANSACTION, cpu.busyCores() * 1e6 / perSecond);
            values.put(MetricNames.WAITING_FOR_CORE_PER_TRANSACTION, cpu.waitingForCore() * 1e6 / perSecond);
            values.put(MetricNames.BUSY_CORES, cpu.busyCores());
        }
        return values;
    }
}
