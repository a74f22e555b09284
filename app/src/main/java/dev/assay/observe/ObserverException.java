package dev.assay.observe;

import dev.assay.sys.OperatingException;

/** Looks ended by a fault of the program or for lack of memory: what follows has not been seen. */
public final class ObserverException extends OperatingException {

    private static final long serialVersionUID = 1L;

    ObserverException(Throwable cause) {
        super("the looks at the server broke off: " + cause, hint(cause), cause);
    }

    /** What to try when something ended by a fault or for lack of memory. */
    public static String hint(Throwable cause) {
        return cause instanceof OutOfMemoryError
                ? "Give it more memory, for example by ASSAY_JAVA_OPTS=-Xmx512m in the environment."
                : "This is a fault of Assay; run again with --debug and report the stack trace.";
    }
}
