package dev.assay.lab.compare;

import dev.assay.lab.Metric;
import dev.assay.lab.UnpairedInterval;
import dev.assay.lab.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * One variant on one metric, before and after.
 *
 * @param metric one of {@link dev.assay.lab.MetricNames#COMPARABLE}
 * @param unit for example {@code ms}
 * @param before the figure of the trials before; null when there are none
 * @param after the figure of the trials after; null when there are none
 * @param interval of after / before
 * @param margin inside of which a difference does not matter
 * @param furtherTrials how many more trials a side would probably decide; 0 when decided, null when it cannot be told
 * @param wrong why the speed after does not count; null when it does
 */
public record RunComparison(
        String variant,
        String metric,
        String unit,
        @Nullable Metric before,
        @Nullable Metric after,
        UnpairedInterval interval,
        double margin,
        Verdict verdict,
        @Nullable Integer furtherTrials,
        @Nullable String wrong) {}
