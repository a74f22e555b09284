package dev.assay.evidence;

import java.time.Duration;
import java.time.Instant;

/**
 * A span in which one probe saw nothing. It is told, and never filled.
 *
 * @param from when the time that is known ends
 * @param to the next look that gave an answer, or the end of the window
 * @param reason why nothing was seen
 * @param detail in the server's words where it gave any, else empty
 */
public record Gap(Instant from, Instant to, Reason reason, String detail) {

    /** Why nothing was seen. */
    public enum Reason {
        /** The server was asked and did not answer in time. */
        NO_ANSWER,
        /** The session broke, or the server let nobody in. */
        LOST,
        /** Nobody asked: the observer was away, was told to look elsewhere, or had not begun. */
        NOT_ASKED
    }

    public double seconds() {
        return Duration.between(from, to).toNanos() / 1e9;
    }

    /** Whether the server was asked in vain: then the gap says something of the server itself. */
    public boolean askedInVain() {
        return reason != Reason.NOT_ASKED;
    }
}
