package dev.assay.server;

import org.jspecify.annotations.Nullable;

/** The binaries of the wanted PostgreSQL version are neither at hand nor to be fetched, or the version text names no release. */
public final class BinariesUnavailableException extends ServerException {

    BinariesUnavailableException(String message, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
    }

    BinariesUnavailableException(String message, String hint) {
        this(message, hint, null);
    }
}
