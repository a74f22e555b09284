package dev.assay.server;

import dev.assay.sys.Hinted;
import org.jspecify.annotations.Nullable;

/** An embedded server cannot be had. The message is one line of what failed, with the measured values; the hint is one line of what to do. */
public abstract sealed class ServerException extends RuntimeException implements Hinted
        permits BinariesUnavailableException, ServerStartException {

    private final String hint;

    ServerException(String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.hint = hint;
    }

    /** What the user can do about it, one line. */
    @Override
    public String hint() {
        return hint;
    }
}
