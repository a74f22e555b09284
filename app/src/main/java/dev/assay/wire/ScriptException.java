package dev.assay.wire;

import dev.assay.sys.Hinted;

/** A load script cannot be run as it stands. {@link #getMessage} is one line: script, line, what is wrong, what to do. */
public final class ScriptException extends RuntimeException implements Hinted {

    private final int line;
    private final String problem;
    private final String hint;

    ScriptException(String script, int line, String problem, String hint) {
        super(script + ", line " + line + ": " + problem);
        this.line = line;
        this.problem = problem;
        this.hint = hint;
    }

    /** The line, from 1, on which the trouble begins. */
    public int line() {
        return line;
    }

    /** What is wrong, without the place. */
    public String problem() {
        return problem;
    }

    /** What to write instead. */
    @Override
    public String hint() {
        return hint;
    }
}
