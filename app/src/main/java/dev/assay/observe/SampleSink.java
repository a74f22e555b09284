package dev.assay.observe;

import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;

/**
 * Takes what the sampler sees, as it sees it. Called from several threads; a call must return quickly, as the next look waits for it.
 * Samples of one type of row arrive in the order they were taken.
 */
@FunctionalInterface
public interface SampleSink {

    <R extends Row> void add(Class<R> row, Sample<R> sample);

    /** Both get every sample, this one first. */
    default SampleSink and(SampleSink other) {
        SampleSink first = this;
        return new SampleSink() {
            @Override
            public <R extends Row> void add(Class<R> row, Sample<R> sample) {
                first.add(row, sample);
                other.add(row, sample);
            }
        };
    }
}
