package dev.assay.wire;

/** A load script cannot be run as it stands. {@link #getMessage} is one line: script, line, what is wrong, what to do. */
public final class ScriptException extends RuntimeException {

    private final int line;
    private final String problem;
    private final String hint;

    ScriptException(String script, int line, String problem, String hint) {
        super(script + ", line " + line + ": " + problem + " (" + hint + ")");
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
    public String hint() {
        return hint;
    }
}
