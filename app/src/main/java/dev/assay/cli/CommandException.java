package dev.assay.cli;

import dev.assay.sys.Hinted;
import org.jspecify.annotations.Nullable;

/** A command cannot go on. */
final class CommandException extends RuntimeException implements Hinted {

    private static final long serialVersionUID = 1L;

    private final String hint;

    CommandException(String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.hint = hint;
    }

    @Override
    public String hint() {
        return hint;
    }
}
