package dev.assay.evidence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How one pool was used over a window.
 *
 * @param endpoint where it was read
 * @param pool its name
 * @param samples looks in which it was seen; all figures are of these
 * @param max its largest size as configured, at the end; null where it is not told
 * @param activeMean connections held by the application; null where it is not told
 * @param activeMax the most at one look
 * @param pendingMean threads that waited for a connection
 * @param pendingMax the most at one look
 * @param timeouts threads that gave up waiting between the first and the last look; null when it could not be counted
 * @param acquireMicrosMean time until a connection was handed out; null when none was, or it is not told
 * @param usageMicrosMean time that a connection was held; null when none was, or it is not told
 */
public record PoolUse(
        String endpoint,
        String pool,
        int samples,
        @Nullable Integer max,
        @Nullable Double activeMean,
        @Nullable Integer activeMax,
        @Nullable Double pendingMean,
        @Nullable Integer pendingMax,
        @Nullable Long timeouts,
        @Nullable Double acquireMicrosMean,
        @Nullable Double usageMicrosMean) {

    /** Every pool that was seen, in the order in which they were first seen. */
    public static List<PoolUse> of(List<Sample<PoolRow>> samples) {
        Map<String, List<PoolRow>> byPool = new LinkedHashMap<>();
        for (Sample<PoolRow> sample : samples) {
            for (PoolRow row : sample.rows()) {
                byPool.computeIfAbsent(row.key(), key -> new ArrayList<>()).add(row);
            }
        }
        return byPool.values().stream().map(PoolUse::summary).toList();
    }

    private static PoolUse summary(List<PoolRow> rows) {
        PoolRow last = rows.get(rows.size() - 1);
        Long acquired = increase(rows, PoolRow::acquired);
        return new PoolUse(
                last.endpoint(),
                last.pool(),
                rows.size(),
                last.max(),
                mean(rows, PoolRow::active),
                largest(rows, PoolRow::active),
                mean(rows, PoolRow::pending),
                largest(rows, PoolRow::pending),
                increase(rows, PoolRow::timeouts),
                perOne(increase(rows, PoolRow::acquireMicros), acquired),
                perOne(increase(rows, PoolRow::usageMicros), acquired));
    }

    private static @Nullable Double mean(List<PoolRow> rows, Function<PoolRow, @Nullable Integer> figure) {
        long sum = 0;
        int count = 0;
        for (PoolRow row : rows) {
            Integer value = figure.apply(row);
            if (value != null) {
                sum += value;
                count++;
            }
        }
        return count == 0 ? null : sum / (double) count;
    }

    private static @Nullable Integer largest(List<PoolRow> rows, Function<PoolRow, @Nullable Integer> figure) {
        Integer largest = null;
        for (PoolRow row : rows) {
            Integer value = figure.apply(row);
            if (value != null && (largest == null || value > largest)) {
                largest = value;
            }
        }
        return largest;
    }

    /** The sum of the steps upwards: a step downwards is an application that was started anew, and counts nothing. */
    private static @Nullable Long increase(List<PoolRow> rows, Function<PoolRow, @Nullable Long> counter) {
        Long sum = null;
        Long before = null;
        for (PoolRow row : rows) {
            Long now = counter.apply(row);
            if (now != null && before != null) {
                sum = (sum == null ? 0 : sum) + Math.max(0, now - before);
            }
            before = now == null ? before : now;
        }
        return sum;
    }

    private static @Nullable Double perOne(@Nullable Long micros, @Nullable Long count) {
        return micros == null || count == null || count == 0 ? null : micros / (double) count;
    }
}
