package dev.assay.wire;

/**
 * The connection failed: refused, broken, out of time, or the other side does not speak the protocol. One line, with the endpoint and the
 * measured values. The connection cannot be used further.
 */
public final class WireException extends RuntimeException {

    WireException(String message) {
        super(message);
    }

    public WireException(String message, Throwable cause) {
        super(message, cause);
    }
}
