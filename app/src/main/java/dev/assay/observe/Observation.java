package dev.assay.observe;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.Unavailable;
import dev.assay.pg.Oid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The samples of a span as they were taken.
 *
 * @param from when sampling began, by the observer's clock
 * @param to when it ended
 */
public record Observation(
        Instant from,
        Instant to,
        Map<Class<? extends Row>, List<Sample<? extends Row>>> samples,
        List<Unavailable> unavailable,
        SelfCost cost) {

    public Observation {
        Map<Class<? extends Row>, List<Sample<? extends Row>>> copy = new HashMap<>();
        samples.forEach((row, list) -> copy.put(row, List.copyOf(list)));
        samples = Map.copyOf(copy);
        unavailable = List.copyOf(unavailable);
    }

    /** The samples of one probe; empty when it gave none. */
    @SuppressWarnings("unchecked")
    public <R extends Row> List<Sample<R>> samples(Class<R> row) {
        return (List<Sample<R>>) (List<?>) samples.getOrDefault(row, List.of());
    }

    /** The samples that were complete after {@code start} and not after {@code end}; those that come once a minute are kept whatever their time. */
    public Observation within(Instant start, Instant end) {
        Map<Class<? extends Row>, List<Sample<? extends Row>>> kept = new HashMap<>();
        samples.forEach((row, list) -> {
            List<Sample<? extends Row>> inside = new ArrayList<>();
            for (Sample<? extends Row> sample : list) {
                boolean slow = row.equals(SettingRow.class);
                if (slow || (sample.at().isAfter(start) && !sample.at().isAfter(end))) {
                    inside.add(sample);
                }
            }
            kept.put(row, inside);
        });
        return new Observation(start, end, kept, unavailable, cost);
    }

    /** Relations that the samples speak of by their OIDs alone. */
    public Set<Oid> relations() {
        Set<Oid> found = new LinkedHashSet<>();
        for (List<Sample<? extends Row>> list : samples.values()) {
            for (Sample<? extends Row> sample : list) {
                sample.rows().forEach(row -> found.addAll(row.speaksOf()));
            }
        }
        return found;
    }

    /** Puts all samples into evidence. */
    public void addTo(Evidence.Builder evidence) {
        for (Class<? extends Row> row : samples.keySet()) {
            addTo(evidence, row);
        }
        evidence.unavailable(unavailable);
        evidence.unavailable(hidden());
    }

    /** Sessions of which the role may see no more than that they are there. */
    private List<Unavailable> hidden() {
        long sessions = samples(ActivityRow.class).stream()
                .flatMap(sample -> sample.rows().stream())
                .filter(row -> row.state().equals("unknown"))
                .map(ActivityRow::pid)
                .distinct()
                .count();
        return sessions == 0
                ? List.of()
                : List.of(new Unavailable(
                        "state, wait and statement of " + sessions + " sessions of other roles",
                        "the role may not see them; grant it pg_monitor"));
    }

    private <R extends Row> void addTo(Evidence.Builder evidence, Class<R> row) {
        evidence.add(row, samples(row));
    }
}
