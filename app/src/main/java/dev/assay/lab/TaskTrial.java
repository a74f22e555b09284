package dev.assay.lab;

import dev.assay.lab.script.Script;
import dev.assay.observe.Observation;
import dev.assay.observe.Sampler;
import dev.assay.observe.probe.Probes;
import dev.assay.sys.CpuReading;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireSession;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A trial of a task: background loads, what it prepares beside them, then one timed execution in a session of its own, with sampler, CPU time and
 * counters over the same time and the memory of the session's backend in between.
 */
final class TaskTrial {

    /** Each look walks the backend's pages, some tenths of a millisecond. */
    private static final long MEMORY_LOOK_MILLIS = 100;

    private TaskTrial() {}

    /**
     * Runs it.
     *
     * @throws ErrorResponseException when a statement fails; the trial's failure, with the statement
     */
    static TrialRun measure(Bench bench, Experiment.Variant variant, TrialOrder.Slot slot) throws InterruptedException {
        if (!(variant.workload() instanceof Workload.Task task)) {
            throw new IllegalArgumentException("variant " + variant.name() + " is no task");
        }
        List<String> prepare = statements(task.name(), task.prepare(), bench.seed());
        List<String> statements = statements(task.name(), task.sql(), bench.seed());
        try (WireSession session = bench.connectForWork();
                BackgroundRun beside = BackgroundRun.start(bench, variant, bench.seed())) {
            prepare.forEach(session::execute);
            bench.report(session);
            if (!prepare.isEmpty()) {
                bench.checkpoint();
            }
            if (!variant.background().isEmpty()) {
                Thread.sleep(variant.load().warmup().toMillis());
            }
            return timed(bench, variant, slot, session, statements, beside);
        }
    }

    private static List<String> statements(String name, String sql, long seed) {
        return sql.isBlank()
                ? List.of()
                : Script.parse("task '" + name + "'", sql).expand(seed);
    }

    private static TrialRun timed(
            Bench bench,
            Experiment.Variant variant,
            TrialOrder.Slot slot,
            WireSession session,
            List<String> statements,
            BackgroundRun beside)
            throws InterruptedException {
        Counters before = bench.counters();
        try (Sampler sampler = Sampler.start(bench.watch(), Probes.close(TrialRun.WATCHED));
                Peak memory = new Peak(bench, session.backendPid())) {
            Instant begin = Instant.now();
            CpuReading first = bench.server().cpuReading();
            long start = System.nanoTime();
            for (String statement : statements) {
                session.execute(statement);
            }
            long elapsed = System.nanoTime() - start;
            CpuReading last = bench.server().cpuReading();
            sampler.check();
            Observation observation = sampler.stop().within(begin, Instant.now());
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            bench.report(session);
            Map<String, Double> values = new HashMap<>(bench.counters().since(before));
            String failure = beside.finish();
            if (failure != null) {
                return TrialRun.failed(slot, failure, null);
            }
            CpuReading.Rate cpu = LoadTrial.without(last, beside.pids()).since(LoadTrial.without(first, beside.pids()));
            values.put(MetricNames.ELAPSED, elapsed / 1e9);
            if (bench.server().seesProcesses()) {
                values.put(MetricNames.SERVER_CPU, cpu.busyCores() * elapsed / 1e9);
                values.put(MetricNames.BUSY_CORES, cpu.busyCores());
            }
            memory.mebibytes().ifPresent(peak -> values.put(MetricNames.BACKEND_MEMORY, peak));
            Trial trial = new Trial(slot.round(), slot.order(), variant.name(), null, values);
            return new TrialRun(
                    trial, null, observation, cpu, beside.pids(), OptionalInt.of(session.backendPid()), false);
        }
    }

    /** Looks at a backend's memory ten times a second, on a thread of its own. */
    private static final class Peak implements AutoCloseable {

        private final Bench bench;
        private final int pid;
        private final Thread thread;
        private volatile double most = Double.NaN;

        Peak(Bench bench, int pid) {
            this.bench = bench;
            this.pid = pid;
            look();
            thread = new Thread(this::watch, "assay-memory");
            thread.setDaemon(true);
            thread.start();
        }

        private void watch() {
            try {
                while (true) {
                    Thread.sleep(MEMORY_LOOK_MILLIS);
                    look();
                }
            } catch (InterruptedException e) {
                // closed
            }
        }

        private void look() {
            OptionalDouble now = bench.memory(pid);
            if (now.isPresent() && !(now.getAsDouble() <= most)) {
                most = now.getAsDouble();
            }
        }

        OptionalDouble mebibytes() {
            double seen = most;
            return Double.isNaN(seen) ? OptionalDouble.empty() : OptionalDouble.of(seen);
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
