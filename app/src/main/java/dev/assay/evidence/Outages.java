package dev.assay.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When one probe asked in vain, from the rows that tell of looks and of the observation itself.
 *
 * @param failures in the order of their beginning
 */
public record Outages(List<Failure> failures) {

    /** An answer that took as long explains a gap. */
    public static final long SLOW_ANSWER_MICROS = 1_000_000;

    /** Where no look failed. */
    public static final Outages NONE = new Outages(List.of());

    public Outages {
        failures = failures.stream().sorted(Comparator.comparing(Failure::from)).toList();
    }

    /**
     * The server did not answer.
     *
     * @param from when it was asked
     * @param own whether a look of this probe failed: that is a gap however short. A session that broke may have been another one, a late answer
     *     is one, and a look of another probe may have held this one up; these explain a gap and do not make one
     */
    public record Failure(Instant from, Gap.Reason reason, String detail, boolean own) {}

    /**
     * Those of one probe.
     *
     * @param probe its name, as looks tell it
     * @param looks of all probes
     * @param events what happened to the observation
     */
    public static Outages of(String probe, Collection<Sample<LookRow>> looks, Collection<Sample<ObserverRow>> events) {
        List<Failure> failures = new ArrayList<>();
        for (Sample<LookRow> sample : looks) {
            for (LookRow look : sample.rows()) {
                Gap.Reason reason = reason(look);
                if (reason != null) {
                    Instant asked = sample.at().minus(Duration.ofNanos(look.tookMicros() * 1000));
                    boolean failed = look.outcome() != LookRow.Outcome.OK;
                    String detail = failed ? look.detail() : "the answer took " + look.tookMicros() / 1000 + " ms";
                    failures.add(new Failure(
                            asked, reason, detail, failed && look.probe().equals(probe)));
                }
            }
        }
        for (Sample<ObserverRow> sample : events) {
            for (ObserverRow event : sample.rows()) {
                if (event.kind() == ObserverRow.Kind.LOST || event.kind() == ObserverRow.Kind.REFUSED) {
                    failures.add(new Failure(sample.at(), Gap.Reason.LOST, event.detail(), false));
                }
            }
        }
        return new Outages(failures);
    }

    /** A look that succeeded explains the gap before it when the answer was long in coming. */
    private static Gap.@Nullable Reason reason(LookRow look) {
        return switch (look.outcome()) {
            case OK -> look.tookMicros() >= SLOW_ANSWER_MICROS ? Gap.Reason.NO_ANSWER : null;
            case MISSED -> Gap.Reason.NO_ANSWER;
            case LOST -> Gap.Reason.LOST;
            case REFUSED -> null;
        };
    }
}
