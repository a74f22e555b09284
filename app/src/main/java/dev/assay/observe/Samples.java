package dev.assay.observe;

import dev.assay.evidence.LookRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.Unavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
        Map<String, Long> missed = new LinkedHashMap<>();
        Map<String, String> lastReason = new HashMap<>();
        List<Unavailable> found = new ArrayList<>();
        for (Sample<? extends Row> sample : samples.getOrDefault(LookRow.class, List.of())) {
            for (Row row : sample.rows()) {
                LookRow look = (LookRow) row;
                switch (look.outcome()) {
                    case OK -> {}
                    case MISSED -> {
                        missed.merge(look.probe(), 1L, Long::sum);
                        lastReason.put(look.probe(), look.detail());
                    }
                    case REFUSED -> found.add(new Unavailable(look.probe(), look.detail()));
                    case LOST -> found.add(new Unavailable("everything after " + sample.at(), look.detail()));
                }
            }
        }
        missed.forEach((probe, times) -> found.add(new Unavailable(
                times + " looks of " + probe, "no answer; the last time: " + lastReason.getOrDefault(probe, ""))));
        return found.stream().distinct().toList();
    }
}
