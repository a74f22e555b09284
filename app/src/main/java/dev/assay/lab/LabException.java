package dev.assay.lab;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;

/** An experiment cannot be run as it stands, for example because its schema or script fails on the server. */
public final class LabException extends OperatingException {

    private static final long serialVersionUID = 1L;

    public LabException(String message, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
    }
}
