package dev.assay.cli;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;

/** A command cannot go on. */
final class CommandException extends OperatingException {

    private static final long serialVersionUID = 1L;

    CommandException(String message, String hint) {
        this(message, hint, null);
    }

    CommandException(String message, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
    }
}
