package dev.assay.observe;

import dev.assay.target.TargetException;
import java.net.SocketTimeoutException;
import java.util.Set;

/** What a look that failed means for the looks after it. */
enum Failure {
    /** A catalog was locked, or the server too slow, for this one look. */
    PASSING,
    /** Something that should not be, such as an object that was dropped while it was read: perhaps not the next time. */
    UNEXPECTED,
    /** The server has no such thing, or the role may not read it. */
    LASTING,
    /** The server ended the session. */
    ENDED,
    /** The server does not answer: its side of the session may still be there. */
    SILENT;

    /** lock_not_available and query_canceled. */
    private static final Set<String> PASSES = Set.of("55P03", "57014");

    /** object_not_in_prerequisite_state: a library that was not loaded, or WAL positions on a standby. */
    private static final Set<String> LASTS = Set.of("55000");

    /** Syntax error or access rule violation; feature not supported; data exception: our query does not fit the server. */
    private static final Set<String> CLASSES_THAT_LAST = Set.of("42", "0A", "22");

    /** By its SQLSTATE (the manual's Appendix A). */
    static Failure of(TargetException e) {
        String state = e.sqlState();
        if (state == null || state.startsWith("08")) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof SocketTimeoutException) {
                    return SILENT;
                }
            }
            return ENDED;
        }
        if (state.startsWith("57P")) {
            return ENDED;
        }
        if (PASSES.contains(state)) {
            return PASSING;
        }
        return LASTS.contains(state) || CLASSES_THAT_LAST.contains(state.substring(0, 2)) ? LASTING : UNEXPECTED;
    }
}
