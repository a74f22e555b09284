package dev.assay.observe.recording;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;

/** A recording cannot be written, read or asked. */
public final class RecordingException extends OperatingException {

    private static final long serialVersionUID = 1L;

    RecordingException(String message, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
    }
}
