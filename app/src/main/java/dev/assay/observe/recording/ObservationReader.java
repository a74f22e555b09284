package dev.assay.observe.recording;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CounterRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.SparseCounterRow;
import dev.assay.evidence.Unavailable;
import dev.assay.observe.Observation;
import dev.assay.observe.Samples;
import dev.assay.observe.SelfCost;
import dev.assay.observe.recording.PieceReader.Wanted;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts a span of a recording together as the live sampler would have.
 *
 * <p>What fits memory is bounded: at most {@value #SAMPLES_MAX} samples a table, and about {@value #ROWS_MAX} rows ({@value #LIST_ROWS_MAX}
 * where rows hold lists). Of a longer span every n-th sample is read, the last one included, and {@link Observation#unavailable} says so.
 * Samples of sparse counters are merged instead, as each holds only what changed.
 *
 * <p>What a span begins with: counters, settings and the server's state are told by their last sample before it as well, up to
 * {@link #BEFORE} earlier, as increases need one, and settings come once a minute.
 */
final class ObservationReader {

    static final int SAMPLES_MAX = 3_600;
    static final int ROWS_MAX = 200_000;
    static final int LIST_ROWS_MAX = 20_000;

    /** Sparse counters come whole once an hour. */
    static final Duration BEFORE = Duration.ofMinutes(65);

    private static final int LOOKS_MAX = 20_000;

    private final Recording recording;
    private final Instant from;
    private final Instant to;
    private final Samples samples = new Samples();
    private final List<Unavailable> unavailable = new ArrayList<>();

    ObservationReader(Recording recording, Instant from, Instant to) {
        this.recording = recording;
        this.from = from;
        this.to = to;
    }

    Observation read() {
        Set<String> tables = new LinkedHashSet<>();
        recording.tables().forEach(table -> tables.add(table.name()));
        tables.addAll(RecordingTables.all().keySet()); // one without a row has no file, and was looked at all the same
        for (String table : tables) {
            RowTable.named(table)
                    .ifPresentOrElse(
                            this::read,
                            () -> unavailable.add(new Unavailable(table, "this Assay does not know the table")));
        }
        SelfCost cost = looks();
        Observation seen = samples.observation(from, to, cost);
        List<Unavailable> all = new ArrayList<>(seen.unavailable());
        all.addAll(unavailable);
        return new Observation(from, to, seen.samples(), all, cost);
    }

    private <R extends Row> void read(RowTable<R> table) {
        Class<R> row = table.row();
        if (row.equals(SampleRow.class) || row.equals(LookRow.class) || row.equals(CatalogRelation.class)) {
            return;
        }
        if (RecordingWriter.EVENTS.contains(row)) {
            recording.forEach(row, from, to, sample -> samples.add(row, sample));
        } else if (SparseCounterRow.class.isAssignableFrom(row)) {
            new Merging<>(table).read();
        } else {
            before(table);
            inside(table);
        }
    }

    private <R extends Row> void before(RowTable<R> table) {
        Class<R> row = table.row();
        if (CounterRow.class.isAssignableFrom(row) || row.equals(SettingRow.class) || row.equals(ServerRow.class)) {
            NavigableMap<Long, Integer> times =
                    recording.sampleTimes(table.name(), from.minus(BEFORE), from.minusNanos(1000));
            if (!times.isEmpty()) {
                Instant last = ScalarCodec.instant(times.lastKey());
                recording.forEach(row, last, last, sample -> samples.add(row, sample));
            }
        }
    }

    private <R extends Row> void inside(RowTable<R> table) {
        NavigableMap<Long, Integer> times = recording.sampleTimes(table.name(), from, to);
        int step = step(table, times);
        if (step == 1) {
            recording.forEach(table.row(), from, to, sample -> samples.add(table.row(), sample));
            return;
        }
        NavigableMap<Long, Integer> kept = new TreeMap<>();
        int left = times.size();
        for (Map.Entry<Long, Integer> entry : times.entrySet()) {
            if (--left % step == 0) {
                kept.put(entry.getKey(), entry.getValue());
            }
        }
        unavailable.add(new Unavailable(
                times.size() - kept.size() + " of " + times.size() + " samples of " + table.name(),
                "the span is long: one of every " + step + " was read"));
        Set<Long> wanted = new HashSet<>(kept.keySet());
        recording.read(
                table,
                Wanted.all(from, to).at(wanted),
                Recording.withEmptyOnes(kept, sample -> samples.add(table.row(), sample)));
        kept.keySet().forEach(at -> samples.add(table.row(), new Sample<>(ScalarCodec.instant(at), List.of())));
    }

    private static int step(RowTable<?> table, NavigableMap<Long, Integer> times) {
        boolean lists = false;
        for (RecordComponent component : table.row().getRecordComponents()) {
            lists |= component.getType() == List.class;
        }
        long rows = times.values().stream().mapToLong(Integer::longValue).sum();
        int rowsMax = lists ? LIST_ROWS_MAX : ROWS_MAX;
        return (int) Math.max(1, Math.max(ceilDiv(times.size(), SAMPLES_MAX), ceilDiv(rows, rowsMax)));
    }

    private static long ceilDiv(long what, long by) {
        return (what + by - 1) / by;
    }

    /** Sparse samples: what is known at the beginning as one, then one or more put together. */
    private final class Merging<R extends Row> {

        private final RowTable<R> table;
        private final Map<String, R> latest = new LinkedHashMap<>();
        private Instant last = Instant.MIN;
        private int merged;

        Merging(RowTable<R> table) {
            this.table = table;
        }

        void read() {
            recording.forEach(table.row(), from.minus(BEFORE), from.minusNanos(1000), this::take);
            flush();
            NavigableMap<Long, Integer> times = recording.sampleTimes(table.name(), from, to);
            int step = step(table, times);
            if (step > 1) {
                unavailable.add(new Unavailable(
                        "single samples of " + table.name(), "the span is long: each " + step + " were put together"));
            }
            recording.forEach(table.row(), from, to, sample -> {
                take(sample);
                if (merged == step) {
                    flush();
                }
            });
            flush();
        }

        private void take(Sample<R> sample) {
            sample.rows().forEach(row -> latest.put(((CounterRow) row).key(), row));
            last = sample.at();
            merged++;
        }

        private void flush() {
            if (merged > 0) {
                samples.add(table.row(), new Sample<>(last, List.copyOf(latest.values())));
                latest.clear();
                merged = 0;
            }
        }
    }

    /** Looks tell what they cost, which probes were refused or missed, and where gaps are; of many that went well a part is kept. */
    private SelfCost looks() {
        RowTable<LookRow> table = RowTable.of(LookRow.class);
        Tally tally = new Tally();
        recording.read(table, Wanted.all(from, to), tally::count);
        long step = Math.max(1, ceilDiv(tally.good, LOOKS_MAX));
        long[] seen = {0};
        recording.read(table, Wanted.all(Instant.EPOCH, from.minusNanos(1000)).where("outcome = 'refused'"), sample -> {
            for (LookRow look : sample.rows()) {
                if (!tally.answered.contains(look.probe()) && tally.told.add(look.probe() + look.detail())) {
                    unavailable.add(new Unavailable(look.probe(), look.detail()));
                }
            }
        });
        recording.read(table, Wanted.all(from, to), sample -> {
            boolean good = sample.rows().stream().allMatch(look -> look.outcome() == LookRow.Outcome.OK);
            if (!good || seen[0]++ % step == 0) {
                samples.add(LookRow.class, sample);
            }
        });
        return new SelfCost(
                Duration.between(from, to),
                Duration.ZERO,
                Duration.ofNanos(tally.micros * 1000),
                tally.good,
                tally.rows);
    }

    /** What looks came to. */
    private static final class Tally {
        private long good;
        private long micros;
        private long rows;
        private final Set<String> answered = new HashSet<>();
        private final Set<String> told = new HashSet<>();

        void count(Sample<LookRow> sample) {
            for (LookRow look : sample.rows()) {
                micros += look.tookMicros();
                rows += look.rows();
                if (look.outcome() == LookRow.Outcome.OK) {
                    good++;
                    answered.add(look.probe());
                } else if (look.outcome() == LookRow.Outcome.REFUSED) {
                    told.add(look.probe() + look.detail());
                }
            }
        }
    }
}
