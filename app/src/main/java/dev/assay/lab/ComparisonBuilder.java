package dev.assay.lab;

import dev.assay.lab.Comparison.ThroughputSplit;
import dev.assay.lab.Comparison.TimeChange;
import dev.assay.pg.WaitEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From the trials and the time splits of two variants to their {@link Comparison}. */
final class ComparisonBuilder {

    /** Below this the logarithm of the throughput ratio (2 %) is too small to be divided into shares. */
    static final double LOG_RATIO_MIN = 0.02;

    private ComparisonBuilder() {}

    /**
     * CPU of all server processes over a variant's trials.
     *
     * @param microsPerTransaction CPU time divided by transactions
     * @param busyCores CPU time divided by elapsed time
     */
    record ServerCpu(double microsPerTransaction, double busyCores) {

        private boolean measured() {
            return microsPerTransaction > 0
                    && busyCores > 0
                    && Double.isFinite(microsPerTransaction)
                    && Double.isFinite(busyCores);
        }
    }

    /** Medians of planning and executing with no other session at work. */
    record Unloaded(double planningMicros, double executionMicros) {}

    /**
     * One of the two variants.
     *
     * @param waits the whole time per transaction; empty when no samples were taken
     * @param cpu null when it could not be measured
     * @param unloaded null when it was not measured
     * @param answersSame false when it gave other answers than its baseline
     * @param checks with their outcome
     */
    record Side(
            String variant,
            List<WaitSlice> waits,
            @Nullable ServerCpu cpu,
            @Nullable Unloaded unloaded,
            boolean answersSame,
            List<VariantResult.Check> checks) {

        Side {
            waits = List.copyOf(waits);
            checks = List.copyOf(checks);
            if (cpu != null && !cpu.measured()) {
                cpu = null;
            }
        }

        Optional<String> failedCheck() {
            return checks.stream()
                    .filter(check -> !check.ok())
                    .map(VariantResult.Check::name)
                    .findFirst();
        }

        double microsPerTransaction() {
            return waits.stream().mapToDouble(WaitSlice::microsPerTransaction).sum();
        }
    }

    /**
     * The comparison.
     *
     * @param trials of the whole experiment; those of other variants and failed ones are left out
     * @param cores that the servers may use
     */
    static Comparison build(Experiment.Pair pair, List<Trial> trials, Side baseline, Side candidate, int cores) {
        RatioInterval interval =
                RatioInterval.of(RatioInterval.rounds(pair.baseline(), pair.candidate(), pair.metric(), trials));
        boolean wrong = wrong(pair, candidate).isPresent();
        Verdict verdict =
                wrong ? Verdict.WRONG : interval.verdict(pair.margin(), MetricNames.lowerIsBetter(pair.metric()));
        List<TimeChange> changes = timeChanges(baseline.waits(), candidate.waits());
        Comparison unread = new Comparison(
                pair.question(),
                pair.baseline(),
                pair.candidate(),
                pair.metric(),
                interval.ratio(),
                interval.low(),
                interval.high(),
                interval.level(),
                interval.rounds(),
                pair.margin(),
                verdict,
                wrong ? Integer.valueOf(0) : interval.furtherTrials(pair.margin()),
                changes,
                throughputSplit(baseline.cpu(), candidate.cpu()),
                List.of());
        return withReading(unread, new ComparisonReading(pair, unread, baseline, candidate, cores).sentences());
    }

    /** Why the candidate's speed does not count; empty when it does. */
    static Optional<String> wrong(Experiment.Pair pair, Side candidate) {
        if (pair.sameAnswer() && !candidate.answersSame()) {
            return Optional.of("it does not return the same rows as " + pair.baseline());
        }
        return candidate.failedCheck().map(check -> "it fails the check '" + check + "'");
    }

    /**
     * The change of every wait event's time per transaction, largest first. Their sum is the whole change, {@link WaitSlice#OUTSIDE}
     * included. Names that differ between server versions in case only are one event. Empty when a side was not sampled.
     */
    static List<TimeChange> timeChanges(List<WaitSlice> baseline, List<WaitSlice> candidate) {
        if (baseline.isEmpty() || candidate.isEmpty()) {
            return List.of();
        }
        Map<String, double[]> micros = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (int side = 0; side < 2; side++) {
            for (WaitSlice slice : side == 0 ? baseline : candidate) {
                String name = sameEvent(slice.waitEvent(), names);
                micros.computeIfAbsent(name, key -> new double[2])[side] += slice.microsPerTransaction();
            }
        }
        double whole =
                micros.values().stream().mapToDouble(pair -> pair[1] - pair[0]).sum();
        return micros.entrySet().stream()
                .map(entry -> {
                    double[] pair = entry.getValue();
                    double share = Math.abs(whole) < 1e-9 ? Double.NaN : (pair[1] - pair[0]) / whole;
                    return new TimeChange(entry.getKey(), pair[0], pair[1], share);
                })
                .sorted(Comparator.comparingDouble((TimeChange change) -> -Math.abs(change.changeMicros())))
                .toList();
    }

    /** The spelling under which this event was met first. */
    private static String sameEvent(String written, List<String> names) {
        if (written.equals(WaitSlice.OUTSIDE) || written.indexOf(':') < 1) {
            return written;
        }
        WaitEvent event = WaitEvent.parse(written);
        for (String known : names) {
            if (WaitEvent.parse(known).is(event)) {
                return known;
            }
        }
        names.add(written);
        return written;
    }

    /** Null when CPU was not measured or throughput hardly changed. */
    static @Nullable ThroughputSplit throughputSplit(@Nullable ServerCpu baseline, @Nullable ServerCpu candidate) {
        if (baseline == null || candidate == null) {
            return null;
        }
        double cores = Math.log(candidate.busyCores() / baseline.busyCores());
        double work = Math.log(baseline.microsPerTransaction() / candidate.microsPerTransaction());
        if (Math.abs(cores + work) < LOG_RATIO_MIN) {
            return null;
        }
        return new ThroughputSplit(
                baseline.microsPerTransaction(),
                candidate.microsPerTransaction(),
                baseline.busyCores(),
                candidate.busyCores(),
                work / (cores + work));
    }

    private static Comparison withReading(Comparison of, List<String> reading) {
        return new Comparison(
                of.question(),
                of.baseline(),
                of.candidate(),
                of.metric(),
                of.ratio(),
                of.low(),
                of.high(),
                of.level(),
                of.rounds(),
                of.margin(),
                of.verdict(),
                of.furtherTrials(),
                of.timeChanges(),
                of.throughputSplit(),
                reading);
    }
}
