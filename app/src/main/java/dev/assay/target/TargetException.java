package dev.assay.target;

import dev.assay.sys.Hinted;
import org.jspecify.annotations.Nullable;

/**
 * The target could not be reached or did not answer as it should. The message is one line; the hint is one line of what to try.
 */
public final class TargetException extends RuntimeException implements Hinted {

    private static final long serialVersionUID = 1L;

    private final String hint;
    private final @Nullable String sqlState;

    TargetException(String message, String hint, @Nullable String sqlState, @Nullable Throwable cause) {
        super(message, cause);
        this.hint = hint;
        this.sqlState = sqlState;
    }

    @Override
    public String hint() {
        return hint;
    }

    /** The server's SQLSTATE, null when the server did not answer. */
    public @Nullable String sqlState() {
        return sqlState;
    }
}
