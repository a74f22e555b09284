package dev.assay.observe.pool;

import dev.assay.sys.OperatingException;

/** A pool's endpoint cannot be used: one line of what was found there, one line of what to try. */
public final class PoolException extends OperatingException {

    private static final long serialVersionUID = 1L;

    PoolException(String message, String hint) {
        super(message, hint, null);
    }
}
