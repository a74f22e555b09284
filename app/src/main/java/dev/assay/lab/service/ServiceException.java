package dev.assay.lab.service;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;

/** A service cannot be started, or does not answer. */
public final class ServiceException extends OperatingException {

    private static final long serialVersionUID = 1L;

    ServiceException(String message, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
    }
}
