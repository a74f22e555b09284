package dev.assay.lab;

import dev.assay.diagnose.Diagnosis;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came out for one variant.
 *
 * @param name short name of the experiment file
 * @param title for people
 * @param serverVersion for example {@code 16.14}
 * @param settings the server settings that the experiment sets
 * @param statement the script's SQL, for people
 * @param answersSame whether it gave the baseline's answers on the same draws; true for a baseline
 * @param metrics in the order to show them; empty when no trial succeeded
 * @param waits the whole time per transaction, largest first, {@link WaitSlice#OUTSIDE} last
 * @param relationLocks null when they could not be read
 * @param checks SQL that must be true
 * @param flags what makes the figures less trustworthy, for example a client that was the limit
 * @param diagnosis the rules' word on the samples of all trials; null when there were none
 */
public record VariantResult(
        String name,
        String title,
        String serverVersion,
        Map<String, String> settings,
        String statement,
        boolean answersSame,
        List<Metric> metrics,
        List<WaitSlice> waits,
        @Nullable RelationLocks relationLocks,
        List<Check> checks,
        List<String> flags,
        @Nullable Diagnosis diagnosis) {

    public VariantResult {
        metrics = List.copyOf(metrics);
        waits = List.copyOf(waits);
        checks = List.copyOf(checks);
        flags = List.copyOf(flags);
    }

    /** One check: its name, whether it held, what was seen. */
    public record Check(String name, boolean ok, String detail) {}

    VariantResult withDiagnosis(Diagnosis other) {
        return new VariantResult(
                name,
                title,
                serverVersion,
                settings,
                statement,
                answersSame,
                metrics,
                waits,
                relationLocks,
                checks,
                flags,
                other);
    }

    public Optional<Metric> metric(String wanted) {
        return metrics.stream().filter(metric -> metric.name().equals(wanted)).findFirst();
    }
}
