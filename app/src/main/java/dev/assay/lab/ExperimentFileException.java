package dev.assay.lab;

import dev.assay.sys.OperatingException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;

/**
 * An experiment file that cannot be used.
 *
 * <p>The message is one line: where, then what, for example {@code my.yaml:12: unknown key 'client' in load}. A value that came from
 * {@code --set} is named by that option instead of a line. {@link #hint} says what to do about it, in one line.
 */
public final class ExperimentFileException extends OperatingException {

    private static final long serialVersionUID = 1L;
    static final String OPTION = "--set ";

    private final int line;
    private final int column;

    private ExperimentFileException(String message, int line, int column, String hint, @Nullable Throwable cause) {
        super(message, hint, cause);
        this.line = line;
        this.column = column;
    }

    /** The file as a whole. */
    static ExperimentFileException of(String source, String what, String hint) {
        return new ExperimentFileException(source + ": " + what, 0, 0, hint, null);
    }

    static ExperimentFileException of(String source, String what, String hint, Throwable cause) {
        return new ExperimentFileException(source + ": " + what, 0, 0, hint, cause);
    }

    /** A place in the file, or the option that the place came from. */
    static ExperimentFileException at(String source, @Nullable Mark mark, String what, String hint) {
        if (mark == null) {
            return of(source, what, hint);
        }
        if (mark.getName().startsWith(OPTION)) {
            return of(mark.getName(), what, hint);
        }
        int line = mark.getLine() + 1;
        return new ExperimentFileException(source + ":" + line + ": " + what, line, mark.getColumn() + 1, hint, null);
    }

    /** Line of the file, from 1; 0 when the error has none. */
    public int line() {
        return line;
    }

    /** Column of that line, from 1; 0 when the error has none. */
    public int column() {
        return column;
    }
}
