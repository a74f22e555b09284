package dev.assay.evidence.episode;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Blockers;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.Dimension;
import dev.assay.evidence.Gap;
import dev.assay.evidence.Load;
import dev.assay.evidence.Outages;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SeenTime;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.StatementId;
import dev.assay.pg.Oid;
import dev.assay.pg.WaitEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an episode off the samples of its span.
 *
 * @param activity of the span and of the minute before it
 * @param blocking of the span; empty when the probe did not look
 * @param server of about that time, for the difference between the server's clock and the observer's; may be empty
 * @param catalog names of what was waited for
 */
public record EpisodeReading(
        List<Sample<ActivityRow>> activity,
        List<Sample<BlockingRow>> blocking,
        List<Sample<ServerRow>> server,
        CatalogSnapshot catalog) {

    /** How far before a span the samples should begin that its load is compared with. */
    public static final Duration BEFORE = Duration.ofMinutes(1);

    /** How far behind a span looks at blocking still speak of it: they are taken after those at activity. */
    public static final Duration BLOCKING_LATE = Duration.ofSeconds(1);

    /** How far the two clocks may be apart after all, when the server answered as soon as it was started. */
    private static final Duration START_LATE = Duration.ofSeconds(1);

    private static final int STATEMENTS_MAX = 3;

    public EpisodeReading {
        activity = List.copyOf(activity);
        blocking = List.copyOf(blocking);
        server = List.copyOf(server);
    }

    /** The episode of that span. */
    public Episode episode(int number, Span span) {
        List<Sample<ActivityRow>> within = between(activity, span.from(), span.to());
        List<Outages.Failure> failures = new ArrayList<>();
        for (Gap gap : span.unanswered()) {
            failures.add(new Outages.Failure(gap.from(), gap.reason(), gap.detail(), true));
        }
        SeenTime time = SeenTime.ofSamples(span.from(), span.to(), within, new Outages(failures));
        Load<WaitEvent> waits = Load.of(within, time, Dimension.WAIT_EVENT);
        Load<StatementId> statements = Load.of(within, time, Dimension.STATEMENT);
        Load.Slice<WaitEvent> dominant = dominant(waits, span);
        return new Episode(
                number,
                span,
                2 * span.unansweredSeconds() >= span.seconds() ? Episode.Kind.NO_ANSWER : Episode.Kind.STALL,
                within.stream()
                        .mapToInt(look -> LoadPoint.of(look).active())
                        .max()
                        .orElse(0),
                within.isEmpty() ? Double.NaN : waits.aas(),
                dominant == null ? null : dominant.key(),
                dominant == null ? 0 : dominant.share(),
                blocker(span),
                statements.slices().stream()
                        .filter(slice -> slice.key() != null)
                        .limit(STATEMENTS_MAX)
                        .toList(),
                detail(span),
                within.size(),
                waits.sessionSamples());
    }

    private static <R extends Row> List<Sample<R>> between(List<Sample<R>> samples, Instant from, Instant to) {
        return samples.stream()
                .filter(sample -> !sample.at().isBefore(from) && sample.at().isBefore(to))
                .toList();
    }

    /** What grew most against the minute before, so that a wait that is always there is not blamed. */
    private Load.@Nullable Slice<WaitEvent> dominant(Load<WaitEvent> waits, Span span) {
        Load<WaitEvent> before =
                Load.ofEqualLooks(between(activity, span.from().minus(BEFORE), span.from()), Dimension.WAIT_EVENT);
        Load.Slice<WaitEvent> most = null;
        double grewMost = Double.NEGATIVE_INFINITY;
        for (Load.Slice<WaitEvent> slice : waits.slices()) {
            double grew =
                    slice.aas() - before.slice(slice.key()).map(Load.Slice::aas).orElse(0.0);
            if (grew > grewMost) {
                most = slice;
                grewMost = grew;
            }
        }
        return most;
    }

    private String detail(Span span) {
        String why = span.unanswered().stream()
                .map(Gap::detail)
                .filter(detail -> !detail.isEmpty())
                .findFirst()
                .map(detail -> detail.replaceFirst("\\.+$", ""))
                .orElse("");
        Instant started = startedWithin(span);
        if (span.unanswered().isEmpty() || started == null) {
            return why;
        }
        return (why.isEmpty() ? "" : why + "; ") + "it was started anew at " + started.truncatedTo(ChronoUnit.SECONDS);
    }

    /** When the server was started, if that was in this span, by the observer's clock; null if not. */
    private @Nullable Instant startedWithin(Span span) {
        Instant latest = null;
        for (Sample<ServerRow> look : server) {
            for (ServerRow row : look.rows()) {
                Instant started = row.startedAt().minus(serverAhead());
                boolean within = !started.isBefore(span.from())
                        && started.isBefore(span.to().plus(START_LATE));
                latest = within ? started : latest;
            }
        }
        return latest;
    }

    /** The root with most sightings of victims. */
    private @Nullable RootBlocker blocker(Span span) {
        Map<Integer, Integer> sightings = new HashMap<>();
        Map<Integer, Integer> atOnce = new HashMap<>();
        Map<Integer, Integer> looks = new HashMap<>();
        Map<Integer, Set<Integer>> victims = new HashMap<>();
        List<Sample<BlockingRow>> within =
                between(blocking, span.from(), span.to().plus(BLOCKING_LATE));
        for (Sample<BlockingRow> look : within) {
            Blockers.victims(look).forEach((root, all) -> {
                sightings.merge(root, all.size(), Integer::sum);
                atOnce.merge(root, all.size(), Math::max);
                looks.merge(root, 1, Integer::sum);
                victims.computeIfAbsent(root, any -> new HashSet<>()).addAll(all);
            });
        }
        Integer root = mostOf(sightings);
        if (root == null) {
            return null;
        }
        String object = object(within, victims.getOrDefault(root, Set.of()));
        return seen(root, span, atOnce.getOrDefault(root, 0), object, looks.getOrDefault(root, 0));
    }

    private RootBlocker seen(int pid, Span span, int victims, String object, int looks) {
        ActivityRow session = null;
        Instant at = span.to();
        for (Sample<ActivityRow> look : between(activity, span.from(), span.to())) {
            for (ActivityRow row : look.rows()) {
                if (row.pid() == pid) {
                    session = row;
                    at = look.at();
                }
            }
        }
        if (session == null) {
            return new RootBlocker(pid, null, null, null, null, Double.NaN, victims, object, looks);
        }
        Instant start = session.transactionStart();
        double seconds = start == null
                ? Double.NaN
                : Duration.between(start, at.plus(serverAhead())).toMillis() / 1000.0;
        return new RootBlocker(
                pid,
                session.user(),
                session.application(),
                session.state(),
                session.statement(),
                Math.max(0, seconds),
                victims,
                object,
                looks);
    }

    /** By how much the server's clock is ahead of the observer's; at least by the time that the answer took on its way. */
    private Duration serverAhead() {
        List<Duration> ahead = new ArrayList<>();
        server.forEach(look -> look.rows().forEach(row -> ahead.add(Duration.between(look.at(), row.serverTime()))));
        ahead.sort(null);
        return ahead.isEmpty() ? Duration.ZERO : ahead.get(ahead.size() / 2);
    }

    private String object(List<Sample<BlockingRow>> looks, Set<Integer> victims) {
        Map<String, Integer> objects = new HashMap<>();
        for (Sample<BlockingRow> look : looks) {
            for (BlockingRow row : look.rows()) {
                if (victims.contains(row.session())) {
                    Oid relation = row.relation();
                    String name = relation == null ? row.object() : catalog.nameOf(relation);
                    objects.merge(name, 1, Integer::sum);
                }
            }
        }
        String most = mostOf(objects);
        return most == null ? "" : most;
    }

    /** The key with the largest count, the smallest of those with the same. */
    private static <K extends Comparable<K>> @Nullable K mostOf(Map<K, Integer> counts) {
        K most = null;
        int largest = 0;
        for (Map.Entry<K, Integer> entry : counts.entrySet()) {
            int count = entry.getValue();
            if (most == null
                    || count > largest
                    || (count == largest && entry.getKey().compareTo(most) < 0)) {
                most = entry.getKey();
                largest = count;
            }
        }
        return most;
    }
}
