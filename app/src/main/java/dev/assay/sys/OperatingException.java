package dev.assay.sys;

import org.jspecify.annotations.Nullable;

/**
 * An error that its reader can mend: bad input or a failing environment, not a fault of the program. The message is one line with the measured
 * values, the hint one line of what to try.
 */
public abstract class OperatingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String hint;

    protected OperatingException(String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.hint = hint;
    }

    /** One line: what to try. */
    public final String hint() {
        return hint;
    }
}
