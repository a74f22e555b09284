package dev.assay.evidence;

/**
 * Something that happened to the observation itself. Between {@link Kind#LOST} and {@link Kind#CONNECTED} nothing was seen.
 *
 * @param kind what happened
 * @param detail the server's message, or the figures, for people
 */
public record ObserverRow(Kind kind, String detail) implements Row {

    /** What happened. */
    public enum Kind {
        /** A session was opened, the first or a later one. */
        CONNECTED,
        /** The session broke. */
        LOST,
        /** The server would not let us in. */
        REFUSED,
        /** It is the same address with a server that was started anew. */
        RESTARTED,
        /** The server was a standby and is not any more. */
        PROMOTED,
        /** The machine's wall clock was set; times before and after do not compare. */
        CLOCK_MOVED,
        /** Looking cost more than it may, so it happens less often from here on. */
        SLOWED,
        /** Looking is cheap again, so it happens more often from here on. */
        QUICKENED
    }
}
