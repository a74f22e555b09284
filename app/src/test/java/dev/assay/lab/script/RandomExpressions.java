package dev.assay.lab.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Expressions drawn at random, and their text with no parentheses but those that are needed and some that are not. */
public final class RandomExpressions {

    private static final Map<Function, Integer> LEVELS = Map.ofEntries(
            Map.entry(Function.OR, 1),
            Map.entry(Function.AND, 2),
            Map.entry(Function.NOT, 3),
            Map.entry(Function.IS, 4),
            Map.entry(Function.EQUAL, 5),
            Map.entry(Function.UNEQUAL, 5),
            Map.entry(Function.LESS, 5),
            Map.entry(Function.LESS_OR_EQUAL, 5),
            Map.entry(Function.BIT_AND, 6),
            Map.entry(Function.BIT_OR, 6),
            Map.entry(Function.BIT_XOR, 6),
            Map.entry(Function.SHIFT_LEFT, 6),
            Map.entry(Function.SHIFT_RIGHT, 6),
            Map.entry(Function.ADD, 7),
            Map.entry(Function.SUBTRACT, 7),
            Map.entry(Function.MULTIPLY, 8),
            Map.entry(Function.DIVIDE, 8));

    private static final List<Function> NUMBERS = List.of(
            Function.ADD,
            Function.SUBTRACT,
            Function.MULTIPLY,
            Function.DIVIDE,
            Function.MOD,
            Function.BIT_AND,
            Function.BIT_OR,
            Function.BIT_XOR,
            Function.ABS,
            Function.GREATEST,
            Function.LEAST,
            Function.INT,
            Function.DOUBLE,
            Function.HASH_FNV1A,
            Function.HASH_MURMUR2,
            Function.PERMUTE,
            Function.CASE,
            Function.RANDOM);

    private static final List<Function> TRUTHS = List.of(
            Function.EQUAL,
            Function.UNEQUAL,
            Function.LESS,
            Function.LESS_OR_EQUAL,
            Function.AND,
            Function.OR,
            Function.NOT,
            Function.IS,
            Function.CASE);

    private static final long[] LONGS = {0, 1, 2, 3, 7, 10, 63, 100, 1000, 1L << 31, 1L << 62, Long.MAX_VALUE};
    private static final double[] DOUBLES = {0.5, 1.5, 2.5, 0.1, 3.0, 1e10, 1e-7, 123456.789};

    private final Random random;

    public RandomExpressions(Random random) {
        this.random = random;
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** A number, or now and then a truth or NULL. */
    public Expression draw(int depth) {
        int kind = random.nextInt(20);
        return kind == 0 ? truth(depth) : kind == 1 ? new Expression.Constant(Value.NULL) : number(depth);
    }

    private Expression number(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return new Expression.Constant(
                    random.nextInt(4) == 0
                            ? Value.of(DOUBLES[random.nextInt(DOUBLES.length)])
                            : Value.of(LONGS[random.nextInt(LONGS.length)]));
        }
        Function function = one(NUMBERS);
        List<Expression> arguments = new ArrayList<>();
        switch (function) {
            case CASE -> {
                for (int i = 0; i <= random.nextInt(2); i++) {
                    arguments.add(truth(depth - 1));
                    arguments.add(number(depth - 1));
                }
                arguments.add(number(depth - 1));
            }
            case GREATEST, LEAST -> {
                for (int i = 0; i <= random.nextInt(4); i++) {
                    arguments.add(number(depth - 1));
                }
            }
            case PERMUTE -> {
                arguments.add(number(depth - 1));
                arguments.add(new Expression.Constant(Value.of(1 + random.nextInt(1000))));
                arguments.add(number(depth - 1));
            }
            case RANDOM -> {
                long low = random.nextInt(1000);
                arguments.add(new Expression.Constant(Value.of(low)));
                arguments.add(new Expression.Constant(Value.of(low + random.nextInt(1000))));
            }
            case ABS, INT, DOUBLE -> arguments.add(number(depth - 1));
            default -> {
                arguments.add(number(depth - 1));
                arguments.add(number(depth - 1));
            }
        }
        return new Expression.Call(function, arguments);
    }

    private Expression truth(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return new Expression.Constant(random.nextInt(5) == 0 ? Value.NULL : Value.of(random.nextBoolean()));
        }
        Function function = one(TRUTHS);
        return switch (function) {
            case AND, OR -> new Expression.Call(function, List.of(truth(depth - 1), truth(depth - 1)));
            case NOT -> new Expression.Call(function, List.of(truth(depth - 1)));
            case IS ->
                new Expression.Call(
                        function,
                        List.of(
                                random.nextBoolean() ? truth(depth - 1) : number(depth - 1),
                                new Expression.Constant(one(List.of(Value.NULL, Value.of(true), Value.of(false))))));
            case CASE -> new Expression.Call(function, List.of(truth(depth - 1), truth(depth - 1), truth(depth - 1)));
            default -> new Expression.Call(function, List.of(number(depth - 1), number(depth - 1)));
        };
    }

    /** The text of an expression; read again it is the same expression. */
    public String text(Expression expression) {
        return text(expression, 0);
    }

    /** @param level what stands around it binds tighter than everything below this */
    private String text(Expression expression, int level) {
        if (expression instanceof Expression.Constant constant) {
            return constant.value().kind() == Kind.DOUBLE
                    ? Double.toString(Double.longBitsToDouble(constant.value().bits()))
                    : constant.value().toString().toLowerCase(Locale.ROOT);
        }
        if (expression instanceof Expression.Variable variable) {
            return ":" + variable.name();
        }
        Expression.Call call = (Expression.Call) expression;
        Function function = call.function();
        List<Expression> arguments = call.arguments();
        Integer own = LEVELS.get(function);
        String plain;
        if (function == Function.CASE) {
            StringBuilder text = new StringBuilder("case");
            for (int i = 0; i + 1 < arguments.size(); i += 2) {
                text.append(" when ")
                        .append(text(arguments.get(i), 0))
                        .append(" then ")
                        .append(text(arguments.get(i + 1), 0));
            }
            return text + " else " + text(arguments.get(arguments.size() - 1), 0) + " end";
        } else if (own == null) {
            List<String> texts =
                    arguments.stream().map(argument -> text(argument, 0)).toList();
            return function + "(" + String.join(", ", texts) + ")";
        } else if (function == Function.NOT) {
            plain = "not " + text(arguments.get(0), own);
        } else if (function == Function.IS) {
            plain = text(arguments.get(0), own) + " is " + text(arguments.get(1), 0);
        } else {
            // the left side may be of the same level, but for comparisons; the right side may not
            boolean comparison = own == 5;
            plain = text(arguments.get(0), comparison ? own + 1 : own) + " " + function + " "
                    + text(arguments.get(1), own + 1);
        }
        return own < level || random.nextInt(10) == 0 ? "(" + plain + ")" : plain;
    }
}
