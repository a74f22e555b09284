package dev.assay.target;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;

/**
 * The target could not be reached or did not answer as it should. The message is one line; the hint is one line of what to try.
 */
public final class TargetException extends OperatingException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String sqlState;

    TargetException(String message, String hint, @Nullable String sqlState, @Nullable Throwable cause) {
        super(message, hint, cause);
        this.sqlState = sqlState;
    }

    /** The server's SQLSTATE, null when the server did not answer. */
    public @Nullable String sqlState() {
        return sqlState;
    }
}
