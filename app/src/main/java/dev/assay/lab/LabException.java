package dev.assay.lab;

import dev.assay.sys.Hinted;
import org.jspecify.annotations.Nullable;

/** An experiment cannot be run as it stands, for example because its schema or script fails on the server. */
public final class LabException extends RuntimeException implements Hinted {

    private static final long serialVersionUID = 1L;

    private final String hint;

    LabException(String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.hint = hint;
    }

    @Override
    public String hint() {
        return hint;
    }
}
