package dev.assay.observe.probe;

/** This server does not have what a probe asks for; it is asked again much later. The message says why. */
public final class UnavailableException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public UnavailableException(String why) {
        super(why);
    }
}
