package dev.assay.lab.script;

import dev.assay.sys.OperatingException;

/**
 * A load script cannot be run as it stands. The message is one line, {@code file:line: what is wrong}, as pgbench writes it; where the place
 * within the line is known, {@link #excerpt} shows it.
 */
public final class ScriptException extends OperatingException {

    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;
    private final String excerpt;
    private final String problem;

    /** On a line of a script. */
    ScriptException(String script, int line, String problem, String hint) {
        this(script + ":" + line + ": " + problem, hint, line, 0, "", problem);
    }

    /** @param column from 1; 0 where it is not known */
    ScriptException(String message, String hint, int line, int column, String excerpt) {
        this(message, hint, line, column, excerpt, message);
    }

    private ScriptException(String message, String hint, int line, int column, String excerpt, String problem) {
        super(message, hint, null);
        this.problem = problem;
        this.line = line;
        this.column = column;
        this.excerpt = excerpt;
    }

    /** What is wrong, without the place where that is all there is to say. */
    public String problem() {
        return problem;
    }

    /** The line, from 1, on which the trouble is. */
    public int line() {
        return line;
    }

    /** Where in its line the trouble was found, from 1; 0 where that is not known. */
    public int column() {
        return column;
    }

    /** The command as it stands in the script and a caret below the place; empty where the place within the line is not known. */
    public String excerpt() {
        return excerpt;
    }
}
