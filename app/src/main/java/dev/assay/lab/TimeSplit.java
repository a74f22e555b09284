package dev.assay.lab;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.WaitProfile;
import dev.assay.lab.load.LoadResult;
import dev.assay.observe.Observation;
import dev.assay.pg.WaitEvent;
import dev.assay.sys.CpuReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the whole time of a transaction goes, over all trials of a variant. In a closed loop it is clients divided by throughput, with a rate
 * the latency from the moment intended, of a task its time. Time on a core and time waiting for one are the kernel's account; every wait
 * event's part is the average of sessions seen in it divided by throughput (Little's law); what is left the server does not see.
 *
 * <p>Why the activity view's own CPU sightings are not used under load: a statement that finds no free core has not been read yet, so the
 * view still shows its session idle, and the session that reads the view holds one of the cores itself. A session that was woken from a wait
 * and has no core yet is seen in both; such an overlap is taken from the time waiting for a core. They are used for a task, whose session is
 * alone, and for a server whose processes cannot be seen.
 */
final class TimeSplit {

    private final Experiment.Variant variant;
    private final List<TrialRun> runs;

    /**
     * @param runs the trials that count
     */
    TimeSplit(Experiment.Variant variant, List<TrialRun> runs) {
        this.variant = variant;
        this.runs = List.copyOf(runs);
    }

    /** Largest first, what the server does not see last; empty when nothing was sampled. */
    List<WaitSlice> slices() {
        double perSecond = transactionsPerSecond();
        WaitProfile profile =
                WaitProfile.of(runs.stream().flatMap(TimeSplit::activity).toList());
        if (perSecond == 0 || profile.samples() == 0) {
            return List.of();
        }
        double whole = wholeMicros(perSecond);
        ComparisonBuilder.ServerCpu cpu = cpu();
        List<WaitSlice> slices = new ArrayList<>();
        double rest = whole;
        if (cpu != null) {
            slices.add(new WaitSlice(
                    WaitEvent.CPU.toString(), cpu.microsPerTransaction() / whole, cpu.microsPerTransaction(), 0));
            rest -= cpu.microsPerTransaction();
        }
        for (WaitProfile.Slice slice : profile.slices()) {
            if (cpu == null || !slice.waitEvent().is(WaitEvent.CPU)) {
                double micros = slice.aas() * 1e6 / perSecond;
                rest -= micros;
                slices.add(new WaitSlice(slice.waitEvent().toString(), micros / whole, micros, slice.sessionSamples()));
            }
        }
        double queued = cpu == null ? 0 : Math.max(0, Math.min(rest, waitingForCore() * 1e6 / perSecond));
        if (cpu != null) {
            slices.add(new WaitSlice(WaitSlice.QUEUE, queued / whole, queued, 0));
        }
        slices.sort(Comparator.comparingDouble(WaitSlice::microsPerTransaction).reversed());
        double outside = Math.max(0, rest - queued);
        slices.add(new WaitSlice(WaitSlice.OUTSIDE, outside / whole, outside, 0));
        return slices;
    }

    private double wholeMicros(double perSecond) {
        if (variant.isTask()) {
            return 1e6 / perSecond;
        }
        return variant.load().rate() == 0 ? variant.load().clients() * 1e6 / perSecond : latencyMicros();
    }

    /** Looks at activity without the backends of background loads; of a task at its own backend alone. */
    private static Stream<Sample<ActivityRow>> activity(TrialRun run) {
        Observation observation = run.observation();
        if (observation == null) {
            return Stream.empty();
        }
        OptionalInt only = run.taskBackend();
        return observation.samples(ActivityRow.class).stream()
                .map(sample -> new Sample<>(
                        sample.at(),
                        sample.rows().stream()
                                .filter(row -> only.isPresent()
                                        ? row.pid() == only.getAsInt()
                                        : !run.beside().contains(row.pid()))
                                .toList()));
    }

    private double latencyMicros() {
        return runs.stream()
                .flatMap(run -> Optional.ofNullable(run.load()).stream())
                .mapToDouble(result -> result.latency().getMean() / 1e3)
                .average()
                .orElse(0);
    }

    private double waitingForCore() {
        return rates().mapToDouble(CpuReading.Rate::waitingForCore).average().orElse(0);
    }

    private Stream<CpuReading.Rate> rates() {
        return runs.stream().flatMap(run -> Optional.ofNullable(run.cpu()).stream());
    }

    /** Of a task its executions by the time that they took. */
    private double transactionsPerSecond() {
        double transactions = 0;
        double seconds = 0;
        for (TrialRun run : runs) {
            LoadResult result = run.load();
            Double elapsed = run.trial().values().get(MetricNames.ELAPSED);
            if (result != null) {
                transactions += result.transactions();
                seconds += result.measuredNanos() / 1e9;
            } else if (elapsed != null) {
                transactions++;
                seconds += elapsed;
            }
        }
        return seconds == 0 ? 0 : transactions / seconds;
    }

    /** CPU figures over all trials of a load; null when no trial has them, and for a task. */
    ComparisonBuilder.@Nullable ServerCpu cpu() {
        double perSecond = transactionsPerSecond();
        double cores = rates().mapToDouble(CpuReading.Rate::busyCores).average().orElse(0);
        return variant.isTask() || cores == 0 || perSecond == 0
                ? null
                : new ComparisonBuilder.ServerCpu(cores * 1e6 / perSecond, cores);
    }
}
