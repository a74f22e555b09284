package dev.assay.lab.script;

import java.util.List;

/** One command of a script. */
public sealed interface Command {

    /** Where it begins, from 1. */
    int line();

    /** Its first line as it stands in the script, for reports. */
    String text();

    /** What becomes of the rows of a command. */
    enum Rows {
        /** Passed over. */
        DISCARDED,
        /** {@code \gset}: the one row of the last result is put into variables. */
        LAST_RESULT,
        /** {@code \aset}: the last row of each result that has one is put into variables. */
        EACH_RESULT
    }

    /**
     * What is sent to the server in one message.
     *
     * @param prefix of the variables that take the columns of a row
     * @param unfit why the protocols that take parameters will not carry it; empty when they will
     */
    record Sql(int line, String text, SqlText sql, Rows rows, String prefix, String unfit) implements Command {}

    record Set(int line, String text, String variable, Expression value) implements Command {}

    record If(int line, String text, Expression condition) implements Command {}

    record Elif(int line, String text, Expression condition) implements Command {}

    record Else(int line, String text) implements Command {}

    record Endif(int line, String text) implements Command {}

    /**
     * A pause.
     *
     * @param amount digits with or without a sign, or {@code :name}
     */
    record Sleep(int line, String text, String amount, long unitMicros) implements Command {}

    /**
     * A command of the operating system's shell.
     *
     * @param variable takes the integer that it writes; empty for {@code \shell}
     * @param words joined by blanks; {@code :name} is a variable and {@code ::name} the text {@code :name}
     */
    record Shell(int line, String text, String variable, List<String> words) implements Command {
        public Shell {
            words = List.copyOf(words);
        }
    }

    /** {@code \startpipeline}, {@code \syncpipeline}, {@code \endpipeline}. */
    record Pipeline(int line, String text, Step step) implements Command {
        public enum Step {
            START,
            SYNC,
            END
        }
    }
}
