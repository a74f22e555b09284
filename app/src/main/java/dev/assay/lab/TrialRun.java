package dev.assay.lab;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.SettingRow;
import dev.assay.lab.load.LoadResult;
import dev.assay.observe.Observation;
import dev.assay.sys.CpuReading;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One trial: the load, the sampler and the meter of CPU time over the same window.
 *
 * @param trial what is reported
 * @param load null when it failed before any load
 * @param observation the samples of the measured window; null when it failed
 * @param cpu what the scheduler gave the server in the window, without the backends of background loads; null when it failed
 * @param beside process ids of the background loads' backends
 * @param taskBackend process id of the backend that a task ran on; empty for anything else
 * @param notStable whether the longest warm-up passed before throughput was stable
 */
record TrialRun(
        Trial trial,
        @Nullable LoadResult load,
        @Nullable Observation observation,
        CpuReading.@Nullable Rate cpu,
        Set<Integer> beside,
        OptionalInt taskBackend,
        boolean notStable) {

    /** What a trial is summed up from; every other probe would only cost the server time. */
    static final List<Class<? extends Row>> WATCHED =
            List.of(ActivityRow.class, RelationLocksRow.class, SettingRow.class);

    /** When this program is told to end, its servers may be gone before this thread is told. */
    private static final long INTERRUPT_MILLIS = 100;

    /** Runs one trial; a failure of the server or the way to it is the trial's, not the experiment's. */
    static TrialRun run(Bench bench, Experiment.Variant variant, TrialOrder.Slot slot) throws InterruptedException {
        try {
            bench.revive();
            if (variant.fresh()) {
                bench.putBack();
            }
            bench.quieten();
            return variant.isTask() ? TaskTrial.measure(bench, variant, slot) : LoadTrial.measure(bench, variant, slot);
        } catch (RuntimeException e) {
            String failure = Bench.operatingFailure(e);
            if (failure == null) {
                throw e;
            }
            Thread.sleep(INTERRUPT_MILLIS);
            bench.forget();
            return failed(slot, bench.server().isAlive() ? failure : died(bench, failure), null);
        }
    }

    static String died(Bench bench, @Nullable String seen) {
        List<String> tail = bench.server().logTail(20);
        String last = tail.stream()
                .filter(line ->
                        line.contains("PANIC") || line.contains("FATAL") || line.contains("terminated by signal"))
                .reduce((earlier, later) -> later)
                .orElse(seen == null ? "no word in its log" : seen);
        return "the server of '" + bench.system().name() + "' died during the trial: " + last;
    }

    static TrialRun failed(TrialOrder.Slot slot, String failure, @Nullable LoadResult load) {
        return new TrialRun(
                new Trial(slot.round(), slot.order(), slot.variant(), failure, Map.of()),
                load,
                null,
                null,
                Set.of(),
                OptionalInt.empty(),
                false);
    }
}
