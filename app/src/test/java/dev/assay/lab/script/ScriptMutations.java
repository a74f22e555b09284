package dev.assay.lab.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Scripts with one construct broken on purpose, as an engine that got it wrong would run them. */
public final class ScriptMutations {

    private ScriptMutations() {}

    /** Breaks a construct of a script; null when the script does not use it. */
    @FunctionalInterface
    public interface Change {
        @Nullable
        Script apply(Script script);
    }

    /** What one construct is broken into; by the construct's name. The script is null when it does not use the construct. */
    public static Map<String, Change> all() {
        Map<String, Change> mutations = new LinkedHashMap<>();
        for (Function function : Function.values()) {
            mutations.put(
                    "function " + function,
                    script -> expressions(script, call -> call.function() == function ? broken(call) : null));
        }
        mutations.put(
                "\\set", script -> commands(script, command -> command instanceof Command.Set ? List.of() : null));
        mutations.put(
                "\\if",
                script -> commands(
                        script,
                        command -> command instanceof Command.If branch
                                ? List.of(new Command.If(branch.line(), branch.text(), not(branch.condition())))
                                : null));
        mutations.put(
                "\\elif",
                script -> commands(
                        script,
                        command -> command instanceof Command.Elif branch
                                ? List.of(new Command.Elif(branch.line(), branch.text(), not(branch.condition())))
                                : null));
        mutations.put(
                "\\else",
                script -> commands(
                        script,
                        command -> command instanceof Command.Else branch
                                ? List.of(new Command.Elif(
                                        branch.line(), branch.text(), new Expression.Constant(Value.of(false))))
                                : null));
        mutations.put(
                "\\sleep", script -> commands(script, command -> command instanceof Command.Sleep ? List.of() : null));
        mutations.put(
                "\\sleep ms",
                script -> commands(
                        script,
                        command -> command instanceof Command.Sleep sleep && sleep.unitMicros() == 1000
                                ? List.of(new Command.Sleep(sleep.line(), sleep.text(), sleep.amount(), 1))
                                : null));
        mutations.put(
                "\\shell",
                script -> commands(
                        script,
                        command -> command instanceof Command.Shell shell
                                        && shell.variable().isEmpty()
                                ? List.of()
                                : null));
        mutations.put(
                "\\setshell",
                script -> commands(
                        script,
                        command -> command instanceof Command.Shell shell
                                        && !shell.variable().isEmpty()
                                ? List.of()
                                : null));
        mutations.put(
                "pipelines",
                script -> commands(script, command -> command instanceof Command.Pipeline ? List.of() : null));
        mutations.put("\\gset", script -> rows(script, Command.Rows.LAST_RESULT, Command.Rows.DISCARDED));
        mutations.put("\\gset as \\aset", script -> rows(script, Command.Rows.LAST_RESULT, Command.Rows.EACH_RESULT));
        mutations.put("\\aset", script -> rows(script, Command.Rows.EACH_RESULT, Command.Rows.LAST_RESULT));
        mutations.put(
                "prefix",
                script -> sql(
                        script,
                        sql -> sql.prefix().isEmpty()
                                ? null
                                : new Command.Sql(sql.line(), sql.text(), sql.sql(), sql.rows(), "", sql.unfit())));
        mutations.put("\\;", ScriptMutations::firstOfJoined);
        mutations.put(
                "variables in SQL",
                script -> sql(
                        script,
                        sql -> sql.sql().variables().isEmpty()
                                ? null
                                : with(
                                        sql,
                                        new SqlText(
                                                List.of(String.join(
                                                        "?", sql.sql().pieces())),
                                                List.of()))));
        return mutations;
    }

    private static Command.Sql with(Command.Sql sql, SqlText text) {
        return new Command.Sql(sql.line(), sql.text(), text, sql.rows(), sql.prefix(), sql.unfit());
    }

    private static @Nullable Script firstOfJoined(Script script) {
        return sql(script, sql -> {
            String first = sql.sql().pieces().get(0);
            int end = first.indexOf(';');
            return !sql.unfit().contains("joins") || end < 0
                    ? null
                    : with(sql, new SqlText(List.of(first.substring(0, end)), List.of()));
        });
    }

    private static @Nullable Script rows(Script script, Command.Rows from, Command.Rows to) {
        return sql(
                script,
                sql -> sql.rows() == from
                        ? new Command.Sql(sql.line(), sql.text(), sql.sql(), to, sql.prefix(), sql.unfit())
                        : null);
    }

    private static @Nullable Script sql(
            Script script, java.util.function.Function<Command.Sql, Command.@Nullable Sql> change) {
        return commands(script, command -> {
            Command.Sql changed = command instanceof Command.Sql sql ? change.apply(sql) : null;
            return changed == null ? null : List.of(changed);
        });
    }

    /** @param change gives what stands in a command's place, null where it stays */
    private static @Nullable Script commands(
            Script script, java.util.function.Function<Command, @Nullable List<Command>> change) {
        List<Command> commands = new ArrayList<>();
        boolean any = false;
        for (Command command : script.commands()) {
            List<Command> changed = change.apply(command);
            any |= changed != null;
            commands.addAll(changed == null ? List.of(command) : changed);
        }
        return any ? new Script(script.name(), commands) : null;
    }

    private static @Nullable Script expressions(
            Script script, java.util.function.Function<Expression.Call, @Nullable Expression> change) {
        return commands(script, command -> {
            if (command instanceof Command.Set set) {
                Expression changed = rewritten(set.value(), change);
                return changed.equals(set.value())
                        ? null
                        : List.of(new Command.Set(set.line(), set.text(), set.variable(), changed));
            }
            if (command instanceof Command.If branch) {
                Expression changed = rewritten(branch.condition(), change);
                return changed.equals(branch.condition())
                        ? null
                        : List.of(new Command.If(branch.line(), branch.text(), changed));
            }
            return null;
        });
    }

    private static Expression rewritten(
            Expression expression, java.util.function.Function<Expression.Call, @Nullable Expression> change) {
        if (!(expression instanceof Expression.Call call)) {
            return expression;
        }
        Expression.Call inner = new Expression.Call(
                call.function(),
                call.arguments().stream()
                        .map(argument -> rewritten(argument, change))
                        .toList());
        Expression changed = change.apply(inner);
        return changed == null ? inner : changed;
    }

    private static Expression not(Expression condition) {
        return new Expression.Call(
                Function.CASE,
                List.of(condition, new Expression.Constant(Value.of(false)), new Expression.Constant(Value.of(true))));
    }

    /** What a mistake could make of a call. */
    private static Expression broken(Expression.Call call) {
        List<Expression> arguments = call.arguments();
        return switch (call.function()) {
            case ADD -> other(Function.SUBTRACT, arguments);
            case SUBTRACT, MULTIPLY, POW, POWER -> other(Function.ADD, arguments);
            case DIVIDE -> other(Function.MULTIPLY, arguments);
            case MOD -> other(Function.DIVIDE, arguments);
            case EQUAL -> other(Function.UNEQUAL, arguments);
            case UNEQUAL, IS -> other(Function.EQUAL, arguments);
            case LESS -> other(Function.LESS_OR_EQUAL, arguments);
            case LESS_OR_EQUAL -> other(Function.LESS, arguments);
            case BIT_AND, BIT_XOR -> other(Function.BIT_OR, arguments);
            case BIT_OR -> other(Function.BIT_XOR, arguments);
            case SHIFT_LEFT -> other(Function.SHIFT_RIGHT, arguments);
            case SHIFT_RIGHT -> other(Function.SHIFT_LEFT, arguments);
            case AND -> other(Function.OR, arguments);
            case OR -> other(Function.AND, arguments);
            case CASE -> arguments.get(arguments.size() - 1);
            case EXP -> other(Function.SQRT, arguments);
            case GREATEST -> other(Function.LEAST, arguments);
            case LEAST -> other(Function.GREATEST, arguments);
            case HASH, HASH_MURMUR2 -> other(Function.HASH_FNV1A, arguments);
            case HASH_FNV1A -> other(Function.HASH_MURMUR2, arguments);
            case LN -> other(Function.EXP, arguments);
            case PI -> new Expression.Constant(Value.of(3.14));
            case RANDOM_EXPONENTIAL, RANDOM_GAUSSIAN, RANDOM_ZIPFIAN -> other(Function.RANDOM, arguments.subList(0, 2));
            case NOT, ABS, DEBUG, DOUBLE, INT, PERMUTE, RANDOM, SQRT -> arguments.get(0);
        };
    }

    private static Expression other(Function function, List<Expression> arguments) {
        return new Expression.Call(function, arguments);
    }
}
