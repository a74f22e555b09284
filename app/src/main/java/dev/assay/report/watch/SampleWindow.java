package dev.assay.report.watch;

import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The samples of one probe of the last minute. The newest one stays however old it is, as some probes look once in several minutes; and
 * the oldest go early when a server with thousands of sessions or locks fills the window. Not thread-safe.
 */
final class SampleWindow {

    static final Duration LENGTH = Duration.ofSeconds(60);

    /** How many rows, and locks within rows, are kept at most beside the newest sample: some 20 MB. */
    static final int WEIGHT_MAX = 200_000;

    private final Deque<Sample<? extends Row>> samples = new ArrayDeque<>();
    private long weight;

    void add(Sample<? extends Row> sample) {
        samples.addLast(sample);
        weight += weightOf(sample);
        while (samples.size() > 1 && weight > WEIGHT_MAX) {
            removeOldest();
        }
        forgetBefore(sample.at().minus(LENGTH));
    }

    /** Drops what is older, but for the newest sample. */
    void forgetBefore(Instant oldest) {
        while (samples.size() > 1 && samples.getFirst().at().isBefore(oldest)) {
            removeOldest();
        }
    }

    private void removeOldest() {
        weight -= weightOf(samples.removeFirst());
    }

    private static long weightOf(Sample<? extends Row> sample) {
        long sum = 1L + sample.rows().size();
        for (Row row : sample.rows()) {
            if (row instanceof RelationLocksRow locks) {
                sum += locks.locks().size();
            }
        }
        return sum;
    }

    List<Sample<? extends Row>> samples() {
        return List.copyOf(samples);
    }
}
