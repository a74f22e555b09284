package dev.assay.lab.load;

import org.jspecify.annotations.Nullable;

/** The load engine itself failed. */
public final class LoadException extends RuntimeException {

    private static final long serialVersionUID = 1;

    LoadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
