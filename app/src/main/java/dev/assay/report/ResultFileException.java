package dev.assay.report;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;

/** A stored result that cannot be read. */
public final class ResultFileException extends OperatingException {

    private static final long serialVersionUID = 1L;

    ResultFileException(String message, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
    }
}
