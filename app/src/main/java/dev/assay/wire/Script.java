package dev.assay.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A load script in a subset of pgbench's language (manual, pgbench, "Custom Scripts"; {@code src/bin/pgbench/pgbench.c}). What is accepted
 * means what it means there; everything else is refused with its line and a hint, never skipped.
 *
 * <pre>
 * -- text                        comment, up to the end of the line; removed inside statements too
 * \set NAME INTEGER              a 64-bit constant
 * \set NAME random(LO, HI)       uniform, both bounds included; a bound is an integer or :NAME
 * SQL ... ;                      one statement over any number of lines; ; inside quotes, comments or parentheses does not end it;
 *                                the last one, and one before a \ command, needs no ;
 * SQL \; SQL ;                   both in one message, hence one implicit transaction; simple protocol only
 * :NAME                          the variable's value
 * </pre>
 *
 * <p>Variables are replaced <em>everywhere</em> in a statement, inside quotes and comments too, as pgbench does; {@code ::} is a cast and a
 * name that no {@code \set} sets is left as it stands. In the extended and prepared protocols each use becomes a parameter ({@code $1},
 * {@code $2}...), and a use inside quotes would put a parameter where the server sees none. pgbench sends that and ends with the server's
 * 08P01; here {@link #requireFit} says so beforehand. One thing differs on purpose: in those protocols pgbench makes a name that is not set
 * a parameter with null, here it is left as it stands as in the simple protocol (so the slice {@code a[1:n]} works in all three).
 *
 * <p>Refused although pgbench takes them: a variable used above its {@code \set} (pgbench leaves it the first time and replaces it from the
 * second transaction on), the automatic variables {@code client_id}, {@code scale}, {@code random_seed}, {@code default_seed}, a
 * {@code random} whose bounds could be empty or overflow, and a script without SQL.
 *
 * <p>Immutable, may be shared between threads.
 */
public final class Script {

    /** Longest script, in characters. */
    public static final int CHARACTERS_MAX = 1 << 20;

    private final String name;
    private final List<String> variables;
    private final List<Step> steps;

    Script(String name, List<String> variables, List<Step> steps) {
        this.name = name;
        this.variables = List.copyOf(variables);
        this.steps = List.copyOf(steps);
    }

    /**
     * Reads a script.
     *
     * @param name for messages, usually the file's name
     * @throws ScriptException at the first line that is not in the subset
     */
    public static Script parse(String name, String text) {
        return new ScriptParser(name, text).parse();
    }

    public String name() {
        return name;
    }

    /**
     * The SQL that one execution sends, in order, with the values drawn from the seed: what the simple protocol would send. Two scripts with
     * the same {@code \set} lines draw the same values from the same seed, whatever their SQL.
     *
     * @return one text for each message, without the final semicolon
     */
    public List<String> expand(long seed) {
        Draws draws = new Draws(seed);
        long[] values = new long[variables.size()];
        List<String> texts = new ArrayList<>();
        for (Step step : steps) {
            if (step instanceof Step.Assignment assignment) {
                assignment.perform(values, draws);
            } else if (step instanceof Step.Statement statement) {
                texts.add(statement.expand(values));
            }
        }
        return texts;
    }

    /**
     * Checks that the protocol can carry the script.
     *
     * @throws ScriptException when the protocol takes parameters and a statement joins several by {@code \;}, uses a variable inside quotes
     *     or uses more than 255 variables
     */
    public void requireFit(Protocol protocol) {
        if (protocol == Protocol.SIMPLE) {
            return;
        }
        for (Step step : steps) {
            if (step instanceof Step.Statement statement) {
                requireFit(statement);
            }
        }
    }

    private void requireFit(Step.Statement statement) {
        if (statement.severalAt() > 0) {
            throw new ScriptException(
                    name,
                    statement.severalAt(),
                    "\\; joins statements, and the extended protocol takes one at a time",
                    "end the statement with ; or use the simple protocol");
        }
        if (!statement.quotedVariable().isEmpty()) {
            throw new ScriptException(
                    name,
                    statement.line(),
                    ":" + statement.quotedVariable() + " inside quotes or a comment cannot be a parameter",
                    "take it out of the quotes, or use the simple protocol");
        }
        if (statement.variables().size() > Messages.PARAMETERS_MAX) {
            throw new ScriptException(
                    name,
                    statement.line(),
                    statement.variables().size() + " uses of variables in one statement, at most "
                            + Messages.PARAMETERS_MAX + " are parameters",
                    "use the simple protocol");
        }
    }

    int variableCount() {
        return variables.size();
    }

    List<Step> steps() {
        return steps;
    }

    @Override
    public String toString() {
        return "Script[" + name + ", " + steps.size() + " steps]";
    }
}
