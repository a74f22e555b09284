package dev.assay.lab.load;

import dev.assay.lab.script.CNumbers;
import dev.assay.lab.script.Code;
import dev.assay.lab.script.Command;
import dev.assay.lab.script.Compiler;
import dev.assay.lab.script.EvaluationException;
import dev.assay.lab.script.Scope;
import dev.assay.lab.script.Script;
import dev.assay.lab.script.SqlText;
import dev.assay.lab.script.Symbols;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A script made ready for one protocol: what can be encoded before the run is, names are numbers, conditions are jumps. Immutable once built;
 * shared by all clients.
 */
final class Program {

    final Script script;
    final Op[] ops;

    private Program(Script script, Op[] ops) {
        this.script = script;
        this.ops = ops;
    }

    /** One step of a program; {@code command} is the number of the script's command that it comes from, from 0. */
    abstract static class Op {
        final int command;

        Op(int command) {
            this.command = command;
        }
    }

    /**
     * The messages of one statement; {@code number} counts the statements of all scripts from 0, and a prepared statement's name on the
     * server ends in it.
     */
    static final class Request extends Op {
        final int number;
        final int line;
        final byte[] name;
        final byte[] text;
        final byte[][] pieces;
        final int[] variables;
        /** By variable: what stands in the text while it is not defined. */
        final byte[][] undefined;

        final Command.Rows rows;
        final String prefix;

        private Request(int command, Command.Sql sql, int number, Protocol protocol, Symbols symbols) {
            super(command);
            this.number = number;
            line = sql.line();
            SqlText text = sql.sql();
            name = (protocol == Protocol.PREPARED ? "P_" + number : "").getBytes(StandardCharsets.US_ASCII);
            this.text = text.parameterised().getBytes(StandardCharsets.UTF_8);
            pieces = text.pieces().stream()
                    .map(piece -> piece.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
            variables = text.variables().stream().mapToInt(symbols::number).toArray();
            undefined = text.variables().stream()
                    .map(variable -> (":" + variable).getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
            rows = sql.rows();
            prefix = sql.prefix();
        }
    }

    static final class Assign extends Op {
        final int variable;
        final Code value;

        private Assign(int command, int variable, Code value) {
            super(command);
            this.variable = variable;
            this.value = value;
        }
    }

    /** Goes on with the next op when the condition is true, elsewhere otherwise. */
    static final class Branch extends Op {
        final Code condition;
        int otherwise;

        private Branch(int command, Code condition) {
            super(command);
            this.condition = condition;
        }
    }

    static final class Jump extends Op {
        int target;

        private Jump(int command) {
            super(command);
        }
    }

    static final class Pause extends Op {
        private final int variable;
        private final String amount;
        private final long unitMicros;

        private Pause(Command.Sleep sleep, int command, Symbols symbols) {
            super(command);
            boolean variable = sleep.amount().startsWith(":");
            amount = variable ? sleep.amount().substring(1) : sleep.amount();
            this.variable = variable ? symbols.number(amount) : -1;
            unitMicros = sleep.unitMicros();
        }

        /** How long to pause. */
        long nanos(Scope scope) {
            String text = amount;
            if (variable >= 0) {
                if (!scope.isDefined(variable)) {
                    throw new EvaluationException("sleep: undefined variable \"" + amount + "\"");
                }
                text = new String(scope.text(variable), StandardCharsets.UTF_8);
            }
            int number = CNumbers.parseInt(text);
            if (number == 0 && (text.isEmpty() || !Character.isDigit(text.charAt(0)))) {
                throw new EvaluationException(
                        "sleep: invalid sleep time \"" + text + "\" for variable \"" + amount + "\"");
            }
            return TimeUnit.MICROSECONDS.toNanos(Math.max(0, number) * unitMicros);
        }
    }

    /** Words that are variables have a number, the others are −1. */
    static final class ShellCall extends Op {
        final int result;
        final List<String> words;
        final int[] variables;

        private ShellCall(Command.Shell shell, int command, Symbols symbols) {
            super(command);
            result = shell.variable().isEmpty() ? -1 : symbols.number(shell.variable());
            List<String> texts = new ArrayList<>();
            variables = new int[shell.words().size()];
            for (int i = 0; i < variables.length; i++) {
                String word = shell.words().get(i);
                boolean variable = word.startsWith(":") && !word.startsWith("::");
                texts.add(word.startsWith(":") ? word.substring(1) : word);
                variables[i] = variable ? symbols.number(texts.get(i)) : -1;
            }
            words = texts;
        }
    }

    static final class Pipeline extends Op {
        final Command.Pipeline.Step step;
        /** Of a start: the statements up to the end, which are prepared before it. */
        final List<Request> within = new ArrayList<>();

        private Pipeline(int command, Command.Pipeline.Step step) {
            super(command);
            this.step = step;
        }
    }

    /** A condition that is open while a script is compiled. */
    private static final class Condition {
        /** Where to go when the last branch was not taken is not known yet. */
        @Nullable
        Branch branch;

        final List<Jump> toEnd = new ArrayList<>();
    }

    /** All scripts of a client. */
    static Program[] compile(List<Script> scripts, Protocol protocol, Symbols symbols) {
        Program[] programs = new Program[scripts.size()];
        int number = 0;
        for (int i = 0; i < programs.length; i++) {
            List<Op> ops = new ArrayList<>();
            number = compile(scripts.get(i), protocol, symbols, number, ops);
            programs[i] = new Program(scripts.get(i), ops.toArray(Op[]::new));
        }
        return programs;
    }

    private static int compile(Script script, Protocol protocol, Symbols symbols, int firstNumber, List<Op> ops) {
        int number = firstNumber;
        Deque<Condition> conditions = new ArrayDeque<>();
        Pipeline pipeline = null;
        for (int i = 0; i < script.commands().size(); i++) {
            Command command = script.commands().get(i);
            if (command instanceof Command.Sql sql) {
                Request request = new Request(i, sql, number++, protocol, symbols);
                ops.add(request);
                if (pipeline != null) {
                    pipeline.within.add(request);
                }
            } else if (command instanceof Command.Set set) {
                ops.add(new Assign(i, symbols.number(set.variable()), Compiler.compile(set.value(), symbols)));
            } else if (command instanceof Command.If condition) {
                conditions.push(new Condition());
                branch(i, Compiler.compile(condition.condition(), symbols), conditions, ops);
            } else if (command instanceof Command.Elif condition) {
                otherwise(i, conditions, ops);
                branch(i, Compiler.compile(condition.condition(), symbols), conditions, ops);
            } else if (command instanceof Command.Else) {
                otherwise(i, conditions, ops);
            } else if (command instanceof Command.Endif) {
                Condition ended = conditions.pop();
                if (ended.branch != null) {
                    ended.branch.otherwise = ops.size();
                }
                ended.toEnd.forEach(jump -> jump.target = ops.size());
            } else if (command instanceof Command.Sleep sleep) {
                ops.add(new Pause(sleep, i, symbols));
            } else if (command instanceof Command.Shell shell) {
                ops.add(new ShellCall(shell, i, symbols));
            } else if (command instanceof Command.Pipeline step) {
                Pipeline op = new Pipeline(i, step.step());
                ops.add(op);
                pipeline = switch (step.step()) {
                    case START -> op;
                    case SYNC -> pipeline;
                    case END -> null;
                };
            }
        }
        return number;
    }

    private static void branch(int command, Code condition, Deque<Condition> conditions, List<Op> ops) {
        Branch branch = new Branch(command, condition);
        ops.add(branch);
        conditions.element().branch = branch;
    }

    /** The branch before this place is at its end, and whoever did not take it goes on here. */
    private static void otherwise(int command, Deque<Condition> conditions, List<Op> ops) {
        Condition open = conditions.element();
        Jump jump = new Jump(command);
        ops.add(jump);
        open.toEnd.add(jump);
        Branch last = open.branch;
        if (last != null) {
            last.otherwise = ops.size();
        }
        open.branch = null;
    }

    static int requestCount(Program[] programs) {
        int count = 0;
        for (Program program : programs) {
            for (Op op : program.ops) {
                count += op instanceof Request ? 1 : 0;
            }
        }
        return count;
    }
}
