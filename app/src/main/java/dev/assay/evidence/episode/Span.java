package dev.assay.evidence.episode;

import dev.assay.evidence.Gap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * When something unusual went on.
 *
 * @param from the first look that shows it, or when the server was first asked in vain
 * @param to the first look that does not show it any more, or the end of what was seen
 * @param usualAas active sessions in the median look of the half hour around it
 * @param unanswered when in it the server was asked in vain
 */
public record Span(Instant from, Instant to, double usualAas, List<Gap> unanswered) {

    public Span {
        unanswered = List.copyOf(unanswered);
    }

    public Duration length() {
        return Duration.between(from, to);
    }

    /** Seconds of it in which the server did not answer. */
    public double unansweredSeconds() {
        return unanswered.stream().mapToDouble(Gap::seconds).sum();
    }

    public double seconds() {
        return length().toNanos() / 1e9;
    }
}
