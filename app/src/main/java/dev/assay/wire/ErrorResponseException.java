package dev.assay.wire;

import org.jspecify.annotations.Nullable;

/**
 * The server answered with an ErrorResponse. {@link #getMessage} is one line: severity, SQLSTATE, the server's primary message.
 *
 * <p>After {@code ERROR} the session can be used further; after {@code FATAL} or {@code PANIC} the server has closed it.
 */
public final class ErrorResponseException extends RuntimeException {

    private final String sqlState;
    private final String severity;
    private final String serverMessage;
    private final @Nullable String detail;
    private final @Nullable String hint;

    ErrorResponseException(
            String sqlState, String severity, String serverMessage, @Nullable String detail, @Nullable String hint) {
        super(line(severity, sqlState, serverMessage));
        this.sqlState = sqlState;
        this.severity = severity;
        this.serverMessage = serverMessage;
        this.detail = detail;
        this.hint = hint;
    }

    /** Five characters, for example {@code 28P01}; {@code XX000} when the server sent none. */
    public String sqlState() {
        return sqlState;
    }

    /** {@code ERROR}, {@code FATAL} or {@code PANIC}, never translated. */
    public String severity() {
        return severity;
    }

    /** The primary message alone, in the server's language. */
    public String serverMessage() {
        return serverMessage;
    }

    public @Nullable String detail() {
        return detail;
    }

    public @Nullable String hint() {
        return hint;
    }

    /** As {@link #getMessage}. */
    public String line() {
        return line(severity, sqlState, serverMessage);
    }

    private static String line(String severity, String sqlState, String serverMessage) {
        return severity + " " + sqlState + ": " + serverMessage;
    }

    boolean endsSession() {
        return !severity.equals("ERROR");
    }
}
