package dev.assay.lab.compare;

import dev.assay.lab.Environment;
import dev.assay.lab.Metric;
import dev.assay.lab.MetricNames;
import dev.assay.lab.TrialStatistics;
import dev.assay.lab.UnpairedInterval;
import dev.assay.lab.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Two runs of one experiment, for example before and after a change of code: every variant that both have, on every metric that has a good
 * direction. The runs were not interleaved, so {@link UnpairedInterval} applies with its limits.
 *
 * @param margin inside of which a difference does not matter
 * @param differences what was not the same in both, besides the figures
 * @param rows by variant in the order after, then by metric
 * @param onlyBefore names of variants that the run after lacks
 * @param onlyAfter names of variants that the run before lacks
 */
public record RunsComparison(
        StoredRun before,
        StoredRun after,
        double margin,
        List<Difference> differences,
        List<RunComparison> rows,
        List<String> onlyBefore,
        List<String> onlyAfter) {

    public RunsComparison {
        differences = List.copyOf(differences);
        rows = List.copyOf(rows);
        onlyBefore = List.copyOf(onlyBefore);
        onlyAfter = List.copyOf(onlyAfter);
    }

    /**
     * Something that was not the same in both runs.
     *
     * @param what for example {@code seed}, {@code server of hidden-16}
     */
    public record Difference(String what, String before, String after) {}

    /**
     * Compares.
     *
     * @param margin above 0, for example 0.05
     * @throws CompareException for runs of experiments of different names, and for runs without a common variant
     */
    public static RunsComparison of(StoredRun before, StoredRun after, double margin) {
        if (!before.experiment().equals(after.experiment())) {
            throw new CompareException(
                    before.source() + " holds a run of " + before.experiment() + ", " + after.source() + " one of "
                            + after.experiment(),
                    "Only runs of one experiment can be compared: run " + before.experiment()
                            + " again and name that folder.");
        }
        List<String> onlyBefore = missing(before, after);
        List<String> onlyAfter = missing(after, before);
        if (onlyBefore.size() == before.variants().size()) {
            throw new CompareException(
                    "the runs have no variant in common: " + names(before) + " before, " + names(after) + " after",
                    "Were the variants renamed? Run both sides from the same experiment file.");
        }
        List<RunComparison> rows = new ArrayList<>();
        for (StoredRun.Variant variant : after.variants()) {
            if (!onlyAfter.contains(variant.name())) {
                rows.addAll(rows(before, after, variant, margin));
            }
        }
        return new RunsComparison(before, after, margin, differences(before, after), rows, onlyBefore, onlyAfter);
    }

    private static List<RunComparison> rows(
            StoredRun before, StoredRun after, StoredRun.Variant variant, double margin) {
        List<RunComparison> rows = new ArrayList<>();
        for (String metric : MetricNames.COMPARABLE) {
            List<Double> left = before.values(variant.name(), metric);
            List<Double> right = after.values(variant.name(), metric);
            boolean measured = !left.isEmpty() || !right.isEmpty();
            // Throughput stands for the variant even where no trial succeeded.
            if (!measured && !metric.equals(MetricNames.TRANSACTIONS_PER_SECOND)) {
                continue;
            }
            UnpairedInterval interval = UnpairedInterval.of(left, right);
            String wrong = variant.wrong().orElse(null);
            rows.add(new RunComparison(
                    variant.name(),
                    metric,
                    MetricNames.unit(metric),
                    figure(metric, left),
                    figure(metric, right),
                    interval,
                    margin,
                    wrong != null ? Verdict.WRONG : interval.verdict(margin, MetricNames.lowerIsBetter(metric)),
                    wrong != null ? Integer.valueOf(0) : interval.furtherTrials(margin),
                    wrong));
        }
        return rows;
    }

    private static @Nullable Metric figure(String metric, List<Double> values) {
        return values.isEmpty() ? null : TrialStatistics.metric(metric, MetricNames.unit(metric), values);
    }

    private static List<String> missing(StoredRun of, StoredRun in) {
        return of.variants().stream()
                .map(StoredRun.Variant::name)
                .filter(name -> in.variant(name).isEmpty())
                .toList();
    }

    private static String names(StoredRun run) {
        return String.join(
                ", ", run.variants().stream().map(StoredRun.Variant::name).toList());
    }

    private static List<Difference> differences(StoredRun before, StoredRun after) {
        List<Difference> found = new ArrayList<>();
        add(found, "question", before.question(), after.question());
        add(found, "clients", before.clients(), after.clients());
        add(found, "seconds of a trial", before.trialSeconds(), after.trialSeconds());
        add(found, "seed", before.seed(), after.seed());
        add(found, "version of Assay", before.assayVersion(), after.assayVersion());
        Environment left = before.environment();
        Environment right = after.environment();
        add(found, "cores", left.cores(), right.cores());
        add(found, "memory in bytes", left.memoryBytes(), right.memoryBytes());
        add(found, "processor", left.processor(), right.processor());
        add(found, "operating system", left.operatingSystem(), right.operatingSystem());
        add(found, "Java", left.java(), right.java());
        for (StoredRun.Variant variant : after.variants()) {
            before.variant(variant.name()).ifPresent(other -> {
                String of = " of " + variant.name();
                add(found, "server" + of, other.serverVersion(), variant.serverVersion());
                add(found, "settings" + of, settings(other), settings(variant));
                add(found, "script" + of, other.statement(), variant.statement());
            });
        }
        return found;
    }

    private static String settings(StoredRun.Variant variant) {
        return variant.settings().isEmpty() ? "none" : new TreeMap<>(variant.settings()).toString();
    }

    private static void add(List<Difference> found, String what, Object before, Object after) {
        if (!Objects.equals(before, after)) {
            found.add(new Difference(what, String.valueOf(before), String.valueOf(after)));
        }
    }

    /** Whether both folders hold one and the same run. */
    public boolean sameRun() {
        return before.startedAt().equals(after.startedAt())
                && before.seed() == after.seed()
                && before.trials().equals(after.trials());
    }
}
