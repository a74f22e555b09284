package dev.assay.observe;

import static org.awaitility.Awaitility.await;

import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Keeps what a sampler hands over, for a test to wait for and to count. Thread-safe. */
final class Witness implements SampleSink {

    static final Duration PATIENCE = Duration.ofSeconds(40);

    private final Samples samples = new Samples();

    @Override
    public <R extends Row> void add(Class<R> row, Sample<R> sample) {
        samples.add(row, sample);
    }

    Observation seen() {
        return samples.observation(
                HandClock.START, HandClock.START, new SelfCost(Duration.ZERO, Duration.ZERO, Duration.ZERO, 0, 0));
    }

    private <R extends Row> List<R> rows(Class<R> row) {
        List<R> rows = new ArrayList<>();
        seen().samples(row).forEach(sample -> rows.addAll(sample.rows()));
        return rows;
    }

    List<ObserverRow> events() {
        return rows(ObserverRow.class);
    }

    List<ObserverRow> events(ObserverRow.Kind kind) {
        return events().stream().filter(row -> row.kind() == kind).toList();
    }

    List<LookRow> looks(LookRow.Outcome outcome) {
        return rows(LookRow.class).stream()
                .filter(row -> row.outcome() == outcome)
                .toList();
    }

    long looks(String probe, LookRow.Outcome outcome) {
        return looks(outcome).stream().filter(row -> row.probe().equals(probe)).count();
    }

    int samples(Class<? extends Row> row) {
        return seen().samples(row).size();
    }

    void untilMore(Class<? extends Row> row, int more) {
        int before = samples(row);
        await().atMost(PATIENCE).until(() -> samples(row) >= before + more);
    }

    void untilEvents(ObserverRow.Kind kind, int count) {
        await().atMost(PATIENCE)
                .alias(kind + " in " + events())
                .until(() -> events(kind).size() >= count);
    }
}
