package dev.assay.report.watch;

import dev.assay.diagnose.Finding;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.Unavailable;
import dev.assay.observe.SampleSink;
import dev.assay.pg.Oid;
import dev.assay.pg.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the view keeps of the samples: the load of an hour by second, the samples of a minute, and the findings. Its size is bounded however
 * long it runs. Thread-safe.
 */
public final class WatchModel implements SampleSink {

    private static final String JUDGING = "findings";
    private static final int FINDINGS_MAX = 20;
    private static final int RELATIONS_MAX = 50_000;
    private static final Duration FINDINGS_KEPT = Duration.ofMinutes(10);

    // all guarded by this
    private LoadHistory load = new LoadHistory();
    private final Map<Class<? extends Row>, SampleWindow> windows = new HashMap<>();
    private final Map<String, SeenFinding> findings = new HashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();
    private CatalogSnapshot catalog = CatalogSnapshot.empty();
    private WatchPicture.@Nullable Loss loss;
    private @Nullable Instant newest;

    @Override
    @SuppressWarnings("unchecked")
    public synchronized <R extends Row> void add(Class<R> row, Sample<R> sample) {
        Instant before = newest;
        newest = before == null || sample.at().isAfter(before) ? sample.at() : before;
        windows.computeIfAbsent(row, key -> new SampleWindow()).add(sample);
        if (row.equals(ActivityRow.class)) {
            load.add((Sample<ActivityRow>) sample);
            loss = null;
        } else if (row.equals(ObserverRow.class)) {
            sample.rows().forEach(one -> happened(sample.at(), (ObserverRow) one));
        } else if (row.equals(CatalogRelation.class)) {
            name((List<CatalogRelation>) sample.rows());
        } else if (row.equals(LookRow.class)) {
            sample.rows().forEach(one -> looked((LookRow) one));
        }
    }

    /** A look at the sessions of the past hour, from before the samples that came so far: for the graph alone. */
    public synchronized void addPast(Sample<ActivityRow> look) {
        load.add(look);
    }

    private void happened(Instant at, ObserverRow event) {
        WatchPicture.Loss before = loss;
        switch (event.kind()) {
            case LOST, REFUSED -> loss = new WatchPicture.Loss(before == null ? at : before.since(), event.detail());
            default -> {}
        }
    }

    private void name(List<CatalogRelation> found) {
        if (found.isEmpty()) {
            return;
        }
        Map<Oid, CatalogRelation> relations = new HashMap<>(catalog.relations());
        if (relations.size() > RELATIONS_MAX) {
            relations.clear(); // what is still spoken of is asked for again in time
        }
        found.forEach(relation -> relations.put(relation.oid(), relation));
        catalog = new CatalogSnapshot(relations);
    }

    /** The names of relations that were known before the first sample. */
    public synchronized void names(CatalogSnapshot known) {
        catalog = known;
    }

    private void looked(LookRow look) {
        if (look.outcome() == LookRow.Outcome.REFUSED) {
            refused.put(look.probe(), look.detail());
        } else if (look.outcome() == LookRow.Outcome.OK) {
            refused.remove(look.probe());
        }
    }

    /** Forgets all: another place of a recording comes next. */
    public synchronized void clear() {
        load = new LoadHistory();
        windows.clear();
        findings.clear();
        refused.clear();
        loss = null;
        newest = null;
    }

    /** When the newest sample was taken; empty before the first. */
    public synchronized Optional<Instant> newest() {
        return Optional.ofNullable(newest);
    }

    /**
     * What is known now.
     *
     * @param at the moment that is shown
     */
    public synchronized WatchPicture picture(Instant at, WatchPicture.Scene scene) {
        Map<Class<? extends Row>, List<Sample<? extends Row>>> samples = new HashMap<>();
        windows.forEach((row, window) -> {
            window.forgetBefore(at.minus(SampleWindow.LENGTH));
            samples.put(row, window.samples());
        });
        List<SeenFinding> seen = findings.values().stream()
                .sorted(Comparator.comparing(SeenFinding::holds)
                        .thenComparing(one -> one.finding().severity())
                        .thenComparing(SeenFinding::lastSeen)
                        .reversed()
                        .thenComparing(one -> one.finding().fingerprint()))
                .toList();
        return new WatchPicture(at, scene, catalog, load.series(), samples, seen, unavailable(), loss);
    }

    private List<Unavailable> unavailable() {
        List<Unavailable> missing = new ArrayList<>();
        refused.forEach((probe, why) -> missing.add(new Unavailable(probe, why)));
        return missing;
    }

    /** The last minute as evidence for rules. */
    public synchronized Evidence evidence(ServerFacts server) {
        Evidence.Builder evidence = Evidence.of(server).catalog(catalog).unavailable(unavailable());
        windows.forEach((row, window) -> add(evidence, row, window));
        Instant end = newest == null ? Instant.EPOCH : newest;
        return evidence.between(end.minus(SampleWindow.LENGTH), end);
    }

    @SuppressWarnings("unchecked")
    private static <R extends Row> void add(Evidence.Builder evidence, Class<R> row, SampleWindow window) {
        evidence.add(row, (List<Sample<R>>) (List<?>) window.samples());
    }

    /**
     * What rules make of the last minute. A finding that no longer holds is remembered for some minutes.
     *
     * @param at when that was
     */
    public synchronized void judged(Instant at, List<Finding> found) {
        refused.remove(JUDGING);
        Map<String, SeenFinding> before = Map.copyOf(findings);
        findings.replaceAll(
                (fingerprint, seen) -> new SeenFinding(seen.finding(), seen.firstSeen(), seen.lastSeen(), false));
        for (Finding finding : found) {
            SeenFinding known = before.get(finding.fingerprint());
            Instant first = known != null && known.holds() ? known.firstSeen() : at;
            findings.put(finding.fingerprint(), new SeenFinding(finding, first, at, true));
        }
        findings.values()
                .removeIf(seen ->
                        !seen.holds() && Duration.between(seen.lastSeen(), at).compareTo(FINDINGS_KEPT) > 0);
        while (findings.size() > FINDINGS_MAX) {
            findings.values().stream()
                    .min(Comparator.comparing(SeenFinding::holds).thenComparing(SeenFinding::lastSeen))
                    .ifPresent(oldest -> findings.remove(oldest.finding().fingerprint()));
        }
    }

    /** The rules could not judge, and why: a fault of ours, which is not to end the view. */
    public synchronized void notJudged(String why) {
        refused.put(JUDGING, why);
    }
}
