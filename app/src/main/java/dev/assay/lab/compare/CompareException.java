package dev.assay.lab.compare;

import dev.assay.sys.OperatingException;

/** Two runs that cannot be compared. */
public final class CompareException extends OperatingException {

    private static final long serialVersionUID = 1L;

    CompareException(String message, String hint) {
        super(message, hint, null);
    }
}
