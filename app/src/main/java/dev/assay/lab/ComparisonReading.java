package dev.assay.lab;

import dev.assay.lab.Comparison.TimeChange;
import dev.assay.lab.ComparisonBuilder.ServerCpu;
import dev.assay.lab.ComparisonBuilder.Side;
import dev.assay.lab.ComparisonBuilder.Unloaded;
import dev.assay.pg.WaitEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison's figures say, in sentences. A sentence stands only when its figures were measured and are large enough; an undecided
 * comparison gets no explanation at all, and a change that did not happen gets no cause.
 */
final class ComparisonReading {

    /** Fewer sightings than this are chance, and no sentence is built on them. */
    static final long SESSION_SAMPLES_MIN = 20;

    /** A wait event that has less than this share of a transaction's time on both sides is not worth a sentence. */
    private static final double SHARE_MIN = 0.05;

    /** Below this relative change of the time per transaction its parts are not told as shares. */
    private static final double TIME_CHANGE_MIN = 0.02;

    /** Waits that fell by at least this much count as gone. */
    private static final double GONE = 0.7;

    /** From this share of the cores on, the CPU is called the limit. */
    private static final double BUSY = 0.9;

    private static final int WAITS_MAX = 2;

    private final Experiment.Pair pair;
    private final Comparison comparison;
    private final Side baseline;
    private final Side candidate;
    private final int cores;

    ComparisonReading(Experiment.Pair pair, Comparison comparison, Side baseline, Side candidate, int cores) {
        this.pair = pair;
        this.comparison = comparison;
        this.baseline = baseline;
        this.candidate = candidate;
        this.cores = cores;
    }

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        switch (comparison.verdict()) {
            case WRONG -> sentences.add(wrong());
            case INCONCLUSIVE -> sentences.add(undecided());
            case NO_DIFFERENCE -> {
                sentences.add(noDifference());
                waitsThatWent().ifPresent(change -> sentences.addAll(whereItWent(change)));
            }
            case BETTER, WORSE -> {
                sentences.add(decided());
                if (!MetricNames.COMPARABLE_TASKS.contains(pair.metric())) {
                    sentences.addAll(time());
                }
                if (pair.metric().equals(MetricNames.TRANSACTIONS_PER_SECOND)) {
                    sentences.addAll(throughput());
                    alone().ifPresent(sentences::add);
                }
            }
        }
        baseline.failedCheck()
                .ifPresent(check ->
                        sentences.add("The baseline " + pair.baseline() + " fails its check '" + check + "'."));
        return sentences;
    }

    private String wrong() {
        return pair.candidate() + " does not count: "
                + ComparisonBuilder.wrong(pair, candidate).orElse("it is wrong") + ".";
    }

    private String undecided() {
        if (comparison.rounds() == 0) {
            return "No round has a successful trial of both variants, so there is nothing to compare.";
        }
        if (Double.isNaN(comparison.ratio())) {
            return "At least one trial has no positive " + metric() + ", so there is no ratio.";
        }
        if (comparison.rounds() == 1) {
            return "One round does not decide anything.";
        }
        Integer further = comparison.furtherTrials();
        String advice = further == null
                ? "More than " + RatioEstimate.FURTHER_TRIALS_MAX + " further trials of each would be needed."
                : "About " + further + " further trial" + (further == 1 ? "" : "s") + " of each would probably decide.";
        return "The trials do not decide: the ratio of " + metric() + " is " + figures() + ". " + advice;
    }

    private String noDifference() {
        return pair.candidate() + " and " + pair.baseline() + " do not differ in " + metric() + " by more than "
                + percent(pair.margin()) + ": the ratio is " + figures() + ".";
    }

    private String decided() {
        return pair.candidate() + " has " + ratio(comparison.ratio()) + " times the " + metric() + " of "
                + pair.baseline() + " (" + interval() + "): "
                + (comparison.verdict() == Verdict.BETTER ? "better." : "worse.");
    }

    /** The parts of the change in time per transaction. */
    private List<String> time() {
        double before = baseline.microsPerTransaction();
        double after = candidate.microsPerTransaction();
        if (comparison.timeChanges().isEmpty() || before <= 0 || after <= 0) {
            return List.of("No sessions were sampled, so the time of a transaction cannot be split.");
        }
        if (Math.abs(after - before) < TIME_CHANGE_MIN * before) {
            return List.of(
                    "The mean time of a transaction hardly changed: " + micros(before) + " to " + micros(after) + ".");
        }
        List<String> sentences = new ArrayList<>();
        sentences.add("A transaction takes " + micros(after) + " instead of " + micros(before) + ", "
                + micros(Math.abs(after - before)) + (after < before ? " less." : " more."));
        comparison.timeChanges().stream()
                .filter(change -> isLargeWait(change) || isSeenLockManager(change))
                .sorted(Comparator.comparing(change -> !isLockManager(change)))
                .limit(WAITS_MAX)
                .forEach(change -> sentences.add("Waits for " + change.waitEvent() + part(change)));
        change(WaitEvent.CPU.toString())
                .ifPresent(change -> sentences.add("CPU work (planning and executing)" + part(change)));
        change(WaitSlice.QUEUE)
                .filter(change -> Math.abs(change.shareOfChange()) >= SHARE_MIN)
                .ifPresent(change -> sentences.add("Waiting for " + aCore() + part(change)));
        change(WaitSlice.OUTSIDE)
                .filter(change -> Math.abs(change.shareOfChange()) >= SHARE_MIN)
                .ifPresent(change -> sentences.add("Time outside the server" + part(change)));
        return sentences;
    }

    private static String part(TimeChange change) {
        String values = " went from " + micros(change.baselineMicros()) + " to " + micros(change.candidateMicros());
        if (change.shareOfChange() < -0.005) {
            return values + ", against the change.";
        }
        if (change.shareOfChange() > 1.05) {
            return values + ": more than the whole change.";
        }
        return values + ": " + percent(change.shareOfChange()) + " of the change.";
    }

    /** Cores kept busy, and CPU time per transaction: their quotient is the throughput. */
    private List<String> throughput() {
        ServerCpu before = baseline.cpu();
        ServerCpu after = candidate.cpu();
        if (before == null || after == null) {
            return List.of("The server's CPU time was not measured, so less work per transaction cannot be told from"
                    + " cores that were idle.");
        }
        double work = before.microsPerTransaction() / after.microsPerTransaction();
        double busy = after.busyCores() / before.busyCores();
        List<String> sentences = new ArrayList<>();
        sentences.add("The server's CPU work per transaction went from " + micros(before.microsPerTransaction())
                + " to "
                + micros(after.microsPerTransaction()) + ", which alone makes " + ratio(work)
                + " times the throughput; the cores it kept busy went from " + cores(before) + " to " + cores(after)
                + " of " + cores + ", which alone makes " + ratio(busy) + " times.");
        Comparison.@Nullable ThroughputSplit split = comparison.throughputSplit();
        if (split != null) {
            sentences.add(shares(split.shareOfCpuPerTransaction(), work > 1, waitsFell()));
        }
        return sentences;
    }

    /** What planning and executing take when no other session is at work. */
    private Optional<String> alone() {
        Unloaded before = baseline.unloaded();
        Unloaded after = candidate.unloaded();
        if (before == null || after == null) {
            return Optional.empty();
        }
        return Optional.of(
                "With nobody else at work one execution takes " + micros(before.planningMicros()) + " to plan and "
                        + micros(before.executionMicros()) + " to execute in " + pair.baseline() + ", "
                        + micros(after.planningMicros()) + " and " + micros(after.executionMicros()) + " in "
                        + pair.candidate() + ".");
    }

    private static String shares(double ofWork, boolean lessWork, boolean waitsFell) {
        String work = (lessWork ? "less" : "more") + " CPU work per transaction";
        if (ofWork > 1.005) {
            return "So all of the difference is " + work + ", and the cores kept busy worked against it.";
        }
        if (ofWork < -0.005) {
            return "So all of the difference is the cores kept busy, and " + work + " worked against it.";
        }
        String idle = waitsFell ? "cores that waits had left idle" : "the cores kept busy";
        return "So " + percent(ofWork) + " of the difference is " + work + " and " + percent(1 - ofWork) + " is " + idle
                + ".";
    }

    /** Whether waits on the server shrank while more cores were kept busy. */
    private boolean waitsFell() {
        ServerCpu before = baseline.cpu();
        ServerCpu after = candidate.cpu();
        double change = comparison.timeChanges().stream()
                .filter(ComparisonReading::isWait)
                .mapToDouble(TimeChange::changeMicros)
                .sum();
        return before != null && after != null && after.busyCores() > before.busyCores() && change < 0;
    }

    /** A wait that had a good part of the time and is gone. */
    private Optional<TimeChange> waitsThatWent() {
        return comparison.timeChanges().stream()
                .filter(this::isLargeWait)
                .filter(change -> change.candidateMicros() <= (1 - GONE) * change.baselineMicros())
                .findFirst();
    }

    private List<String> whereItWent(TimeChange gone) {
        List<String> sentences = new ArrayList<>();
        sentences.add("Yet waits for " + gone.waitEvent() + " went from " + micros(gone.baselineMicros()) + " to "
                + micros(gone.candidateMicros()) + " per transaction.");
        Optional<TimeChange> queue =
                change(WaitSlice.QUEUE).filter(change -> change.changeMicros() >= -gone.changeMicros() / 2);
        if (queue.isEmpty()) {
            return sentences;
        }
        sentences.add("Sessions wait for " + aCore() + " instead: "
                + micros(queue.get().baselineMicros()) + " to "
                + micros(queue.get().candidateMicros()) + ".");
        ServerCpu before = baseline.cpu();
        ServerCpu after = candidate.cpu();
        if (before != null && after != null && Math.min(before.busyCores(), after.busyCores()) >= BUSY * cores) {
            sentences.add("The server kept " + cores(before) + " and " + cores(after) + " of " + coresText()
                    + " busy: the CPU is the limit on this machine, with and without these waits.");
        }
        return sentences;
    }

    private boolean isLargeWait(TimeChange change) {
        double before = change.baselineMicros() / baseline.microsPerTransaction();
        double after = change.candidateMicros() / candidate.microsPerTransaction();
        return isWait(change)
                && Math.max(before, after) >= SHARE_MIN
                && Math.max(samples(baseline, change), samples(candidate, change)) >= SESSION_SAMPLES_MIN;
    }

    /** What the lock manager's part is, however small, is what a reader asks first. */
    private boolean isSeenLockManager(TimeChange change) {
        return isWait(change)
                && isLockManager(change)
                && Math.max(samples(baseline, change), samples(candidate, change)) >= SESSION_SAMPLES_MIN;
    }

    private static boolean isLockManager(TimeChange change) {
        return WaitEvent.parse(change.waitEvent()).is(WaitEvent.LOCK_MANAGER);
    }

    private static boolean isWait(TimeChange change) {
        return !change.waitEvent().equals(WaitSlice.OUTSIDE)
                && !change.waitEvent().equals(WaitSlice.QUEUE)
                && !change.waitEvent().equals(WaitEvent.CPU.toString());
    }

    private static long samples(Side side, TimeChange change) {
        WaitEvent event = WaitEvent.parse(change.waitEvent());
        return side.waits().stream()
                .filter(slice -> slice.waitEvent().indexOf(':') > 0)
                .filter(slice -> WaitEvent.parse(slice.waitEvent()).is(event))
                .mapToLong(WaitSlice::sessionSamples)
                .sum();
    }

    private Optional<TimeChange> change(String waitEvent) {
        return comparison.timeChanges().stream()
                .filter(change -> change.waitEvent().equals(waitEvent))
                .findFirst();
    }

    private String metric() {
        return switch (pair.metric()) {
            case MetricNames.ELAPSED -> "elapsed time";
            case MetricNames.LATENCY_MEAN -> "mean latency";
            case MetricNames.LATENCY_P50 -> "median latency";
            case MetricNames.LATENCY_P95 -> "95th percentile of latency";
            case MetricNames.LATENCY_P99 -> "99th percentile of latency";
            case MetricNames.SERVER_CPU_PER_TRANSACTION -> "server CPU time per transaction";
            default -> pair.metric().replace('_', ' ');
        };
    }

    private String figures() {
        return ratio(comparison.ratio()) + " (" + interval() + ")";
    }

    private String interval() {
        return percent(comparison.level()) + " interval " + ratio(comparison.low()) + " to " + ratio(comparison.high())
                + ", " + comparison.rounds() + " rounds";
    }

    private String aCore() {
        return cores == 1 ? "the one core" : "one of " + coresText();
    }

    private String coresText() {
        return cores == 1 ? "1 core" : cores + " cores";
    }

    private static String cores(ServerCpu cpu) {
        return String.format(Locale.ROOT, "%.2f", cpu.busyCores());
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    private static String micros(double value) {
        if (value >= 1_000_000) {
            return String.format(Locale.ROOT, "%.2f s", value / 1_000_000);
        }
        if (value >= 1000) {
            return String.format(Locale.ROOT, value >= 100_000 ? "%.0f ms" : "%.1f ms", value / 1000);
        }
        return String.format(Locale.ROOT, "%.0f µs", value);
    }
}
