package dev.assay.observe;

import dev.assay.evidence.LookRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.Unavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps every sample in memory: for looks of minutes, not of days. Thread-safe. */
public final class Samples implements SampleSink {

    /** Guarded by this. */
    private final Map<Class<? extends Row>, List<Sample<? extends Row>>> samples = new HashMap<>();

    @Override
    public synchronized <R extends Row> void add(Class<R> row, Sample<R> sample) {
        samples.computeIfAbsent(row, key -> new ArrayList<>()).add(sample);
    }

    /** All that came so far. */
    public synchronized Observation observation(Instant from, Instant to, SelfCost cost) {
        return new Observation(from, to, samples, unavailable(), cost);
    }

    private List<Unavailable> unavailable() {
        LookTally tally = new LookTally();
        for (Sample<? extends Row> sample : samples.getOrDefault(LookRow.class, List.of())) {
            sample.rows().forEach(row -> tally.add(sample.at(), (LookRow) row));
        }
        return tally.unavailable();
    }
}
