package dev.assay.server;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;

/** An embedded server cannot be had. The message is one line of what failed, with the measured values; the hint is one line of what to do. */
public abstract sealed class ServerException extends OperatingException
        permits BinariesUnavailableException, ServerStartException {

    ServerException(String message, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
    }
}
