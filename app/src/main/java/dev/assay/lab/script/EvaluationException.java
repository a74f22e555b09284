package dev.assay.lab.script;

/** An expression has no value: a division by zero, an unset variable, a type that does not fit. The message is pgbench's. */
public final class EvaluationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public EvaluationException(String message) {
        super(message, null, false, false);
    }
}
