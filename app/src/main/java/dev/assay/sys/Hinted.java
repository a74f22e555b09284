package dev.assay.sys;

/**
 * An error that its reader can mend: the exception's message is one line with the measured values, the hint one line of what to try. Every
 * exception for bad input or a failing environment carries it.
 */
public interface Hinted {

    /** One line: what to try. */
    String hint();
}
