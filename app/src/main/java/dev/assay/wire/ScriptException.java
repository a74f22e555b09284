package dev.assay.wire;

import dev.assay.sys.OperatingException;

/** A load script cannot be run as it stands. {@link #getMessage} is one line: script, line, what is wrong, what to do. */
public final class ScriptException extends OperatingException {

    private final int line;
    private final String problem;

    ScriptException(String script, int line, String problem, String hint) {
        super(script + ", line " + line + ": " + problem, hint, null);
        this.line = line;
        this.problem = problem;
    }

    /** The line, from 1, on which the trouble begins. */
    public int line() {
        return line;
    }

    /** What is wrong, without the place. */
    public String problem() {
        return problem;
    }
}
