package dev.assay.lab.script;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A load script in pgbench's language (manual, pgbench 18, "Custom Scripts").
 *
 * <p>SQL goes up to a semicolon that stands outside quotes, comments, parentheses and the body of a function; {@code \;} joins statements
 * into one message. A line that begins with a backslash, after SQL too, is a command: {@code \set}, {@code \gset}, {@code \aset},
 * {@code \if}, {@code \elif}, {@code \else}, {@code \endif}, {@code \sleep}, {@code \setshell}, {@code \shell}, {@code \startpipeline},
 * {@code \syncpipeline}, {@code \endpipeline}; a backslash at the end of its line continues it.
 *
 * <p>What pgbench would send although the server can only refuse it, a quote or comment that does not end or an open parenthesis, is refused
 * when the script is read. Immutable, may be shared between threads.
 */
public final class Script {

    /** Longest script, in characters. */
    public static final int CHARACTERS_MAX = 1 << 20;

    private final String name;
    private final List<Command> commands;

    Script(String name, List<Command> commands) {
        this.name = name;
        this.commands = List.copyOf(commands);
    }

    /**
     * Reads a script.
     *
     * @param name for messages, usually the file's name
     * @throws ScriptException at the first place that cannot be read
     */
    public static Script parse(String name, String text) {
        return new ScriptParser(name, text).parse();
    }

    public String name() {
        return name;
    }

    public List<Command> commands() {
        return commands;
    }

    /**
     * Checks that the protocols that take parameters can carry the script; pgbench finds out when the server refuses it.
     *
     * @throws ScriptException when a statement uses a variable inside quotes or joins several by {@code \;}
     */
    public void requireParameters() {
        for (Command command : commands) {
            if (command instanceof Command.Sql sql && !sql.unfit().isEmpty()) {
                throw new ScriptException(
                        name, sql.line(), sql.unfit(), "write it otherwise, or use the simple protocol");
            }
        }
    }

    /**
     * The SQL that one execution sends in the simple protocol, in order, with the values drawn from the seed. Two scripts with the same
     * {@code \set} lines draw the same values from the same seed, whatever their SQL. It is client 0 at scale 1 that executes.
     *
     * @return one text for each message
     * @throws ScriptException when what is sent depends on more than the seed: on results, conditions or the shell
     * @throws EvaluationException when an expression has no value
     */
    public List<String> expand(long seed) {
        Symbols symbols = new Symbols();
        List<Code> codes = new ArrayList<>();
        for (Command command : commands) {
            if (command instanceof Command.Set set) {
                symbols.number(set.variable());
                codes.add(Compiler.compile(set.value(), symbols));
            }
        }
        Map<String, Long> defaults =
                Map.of(Symbols.CLIENT_ID, 0L, Symbols.SCALE, 1L, Symbols.RANDOM_SEED, seed, Symbols.DEFAULT_SEED, seed);
        defaults.keySet().forEach(symbols::number);
        Scope scope = new Scope(symbols, seed);
        defaults.forEach(scope::setDefault);
        List<String> texts = new ArrayList<>();
        int next = 0;
        for (Command command : commands) {
            if (command instanceof Command.Set set) {
                long bits = codes.get(next++).run(scope);
                scope.set(symbols.number(set.variable()), scope.kind(), bits);
            } else if (command instanceof Command.Sql sql && sql.rows() == Command.Rows.DISCARDED) {
                texts.add(expand(sql.sql(), scope, symbols));
            } else if (!(command instanceof Command.Sleep)) {
                throw new ScriptException(
                        name, command.line(), command.text() + " needs a running load", "use \\set and SQL here");
            }
        }
        return texts;
    }

    private static String expand(SqlText sql, Scope scope, Symbols symbols) {
        StringBuilder text = new StringBuilder(sql.pieces().get(0));
        for (int i = 0; i < sql.variables().size(); i++) {
            String variable = sql.variables().get(i);
            int number = symbols.find(variable);
            if (number >= 0 && scope.isDefined(number)) {
                text.append(new String(scope.text(number), StandardCharsets.UTF_8));
            } else {
                text.append(':').append(variable);
            }
            text.append(sql.pieces().get(i + 1));
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return "Script[" + name + ", " + commands.size() + " commands]";
    }
}
