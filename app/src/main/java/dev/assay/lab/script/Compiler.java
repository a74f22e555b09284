package dev.assay.lab.script;

import java.util.List;

/**
 * Makes expressions ready to run: names become numbers, each function one small piece of code. What they compute is pgbench's
 * {@code evaluateExpr}: integers unless an operand is a double, overflow is an error, NULL in gives NULL out, AND, OR and CASE evaluate no
 * more than they need.
 */
public final class Compiler {

    private static final double LONG_LIMIT = 0x1.0p63;

    private Compiler() {}

    /** Code for an expression; the symbols take the names that are not among them yet. */
    public static Code compile(Expression expression, Symbols symbols) {
        if (expression instanceof Expression.Constant constant) {
            Kind kind = constant.value().kind();
            long bits = constant.value().bits();
            return scope -> scope.result(kind, bits);
        }
        if (expression instanceof Expression.Variable variable) {
            int number = symbols.number(variable.name());
            return scope -> scope.value(number);
        }
        Expression.Call call = (Expression.Call) expression;
        Code[] arguments = call.arguments().stream()
                .map(argument -> compile(argument, symbols))
                .toArray(Code[]::new);
        return call(call.function(), arguments);
    }

    private static Code call(Function function, Code[] arguments) {
        return switch (function) {
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, MOD, EQUAL, UNEQUAL, LESS, LESS_OR_EQUAL ->
                arithmetic(function, arguments[0], arguments[1]);
            case BIT_AND, BIT_OR, BIT_XOR, SHIFT_LEFT, SHIFT_RIGHT -> bits(function, arguments[0], arguments[1]);
            case AND, OR -> logical(function == Function.AND, arguments[0], arguments[1]);
            case NOT -> not(arguments[0]);
            case IS -> is(arguments[0], arguments[1]);
            case CASE -> cases(List.of(arguments), 0);
            case DEBUG -> debug(arguments[0]);
            case ABS -> abs(arguments[0]);
            case PI -> scope -> real(scope, Math.PI);
            case DOUBLE, EXP, LN, SQRT -> ofDouble(function, arguments[0]);
            case INT ->
                scope -> {
                    long bits = arguments[0].run(scope);
                    Kind kind = scope.kind();
                    return kind == Kind.NULL ? nothing(scope) : integer(scope, toInt(kind, bits));
                };
            case POW, POWER -> power(arguments[0], arguments[1]);
            case GREATEST, LEAST -> extreme(function == Function.LEAST, arguments);
            case HASH, HASH_MURMUR2, HASH_FNV1A, PERMUTE -> mixing(function, arguments);
            case RANDOM, RANDOM_EXPONENTIAL, RANDOM_GAUSSIAN, RANDOM_ZIPFIAN -> random(function, arguments);
        };
    }

    private static long nothing(Scope scope) {
        return scope.result(Kind.NULL, 0);
    }

    private static long integer(Scope scope, long value) {
        return scope.result(Kind.INT, value);
    }

    private static long real(Scope scope, double value) {
        return scope.result(Kind.DOUBLE, Double.doubleToRawLongBits(value));
    }

    private static long bool(Scope scope, boolean value) {
        return scope.result(Kind.BOOLEAN, value ? 1 : 0);
    }

    static long toInt(Kind kind, long bits) {
        if (kind == Kind.INT) {
            return bits;
        }
        if (kind == Kind.DOUBLE) {
            double value = Math.rint(Double.longBitsToDouble(bits));
            if (!(value >= -LONG_LIMIT && value < LONG_LIMIT)) {
                throw new EvaluationException("double to int overflow for " + CNumbers.fixed(value, 6));
            }
            return (long) value;
        }
        throw new EvaluationException("cannot coerce " + kind + " to int");
    }

    static double toDouble(Kind kind, long bits) {
        return switch (kind) {
            case DOUBLE -> Double.longBitsToDouble(bits);
            case INT -> (double) bits;
            case NULL, BOOLEAN -> throw new EvaluationException("cannot coerce " + kind + " to double");
        };
    }

    private static boolean toBoolean(Kind kind, long bits) {
        if (kind != Kind.BOOLEAN) {
            throw new EvaluationException("cannot coerce " + kind + " to boolean");
        }
        return bits != 0;
    }

    private static Code arithmetic(Function function, Code left, Code right) {
        return scope -> {
            long a = left.run(scope);
            Kind aKind = scope.kind();
            long b = right.run(scope);
            Kind bKind = scope.kind();
            if (aKind == Kind.INT && bKind == Kind.INT) {
                return integers(scope, function, a, b);
            }
            if (aKind == Kind.NULL || bKind == Kind.NULL) {
                return nothing(scope);
            }
            if ((aKind == Kind.DOUBLE || bKind == Kind.DOUBLE) && function != Function.MOD) {
                return doubles(scope, function, toDouble(aKind, a), toDouble(bKind, b));
            }
            return integers(scope, function, toInt(aKind, a), toInt(bKind, b));
        };
    }

    private static long doubles(Scope scope, Function function, double a, double b) {
        return switch (function) {
            case ADD -> real(scope, a + b);
            case SUBTRACT -> real(scope, a - b);
            case MULTIPLY -> real(scope, a * b);
            case DIVIDE -> real(scope, a / b);
            case EQUAL -> bool(scope, a == b);
            case UNEQUAL -> bool(scope, a != b);
            case LESS -> bool(scope, a < b);
            case LESS_OR_EQUAL -> bool(scope, a <= b);
            default -> throw new IllegalStateException("no operator on doubles: " + function);
        };
    }

    private static long integers(Scope scope, Function function, long a, long b) {
        return switch (function) {
            case ADD -> {
                long sum = a + b;
                yield integer(scope, checked(sum, ((a ^ sum) & (b ^ sum)) < 0, "add"));
            }
            case SUBTRACT -> {
                long difference = a - b;
                yield integer(scope, checked(difference, ((a ^ b) & (a ^ difference)) < 0, "sub"));
            }
            case MULTIPLY -> {
                long product = a * b;
                yield integer(scope, checked(product, Math.multiplyHigh(a, b) != product >> 63, "mul"));
            }
            case DIVIDE -> {
                requireDivisor(b);
                yield integer(scope, checked(a / b, a == Long.MIN_VALUE && b == -1, "div"));
            }
            case MOD -> {
                requireDivisor(b);
                yield integer(scope, a % b);
            }
            case EQUAL -> bool(scope, a == b);
            case UNEQUAL -> bool(scope, a != b);
            case LESS -> bool(scope, a < b);
            case LESS_OR_EQUAL -> bool(scope, a <= b);
            default -> throw new IllegalStateException("no operator on integers: " + function);
        };
    }

    private static long checked(long result, boolean overflow, String operation) {
        if (overflow) {
            throw new EvaluationException("bigint " + operation + " out of range");
        }
        return result;
    }

    private static void requireDivisor(long divisor) {
        if (divisor == 0) {
            throw new EvaluationException("division by zero");
        }
    }

    private static Code bits(Function function, Code left, Code right) {
        return scope -> {
            long a = left.run(scope);
            Kind aKind = scope.kind();
            long b = right.run(scope);
            Kind bKind = scope.kind();
            if (aKind == Kind.NULL || bKind == Kind.NULL) {
                return nothing(scope);
            }
            long x = toInt(aKind, a);
            long y = toInt(bKind, b);
            return integer(
                    scope,
                    switch (function) {
                        case BIT_AND -> x & y;
                        case BIT_OR -> x | y;
                        case BIT_XOR -> x ^ y;
                        case SHIFT_LEFT -> x << y;
                        case SHIFT_RIGHT -> x >> y;
                        default -> throw new IllegalStateException("no operator on bits: " + function);
                    });
        };
    }

    /** AND and OR: the right side is evaluated only when the left one leaves it open; a NULL on the left is the result. */
    private static Code logical(boolean and, Code left, Code right) {
        return scope -> {
            long a = left.run(scope);
            Kind aKind = scope.kind();
            if (aKind == Kind.NULL) {
                return nothing(scope);
            }
            if (toBoolean(aKind, a) != and) {
                return bool(scope, !and);
            }
            long b = right.run(scope);
            Kind bKind = scope.kind();
            return bKind == Kind.NULL ? nothing(scope) : bool(scope, toBoolean(bKind, b));
        };
    }

    private static Code not(Code argument) {
        return scope -> {
            long bits = argument.run(scope);
            Kind kind = scope.kind();
            return kind == Kind.NULL ? nothing(scope) : bool(scope, !toBoolean(kind, bits));
        };
    }

    private static Code is(Code left, Code right) {
        return scope -> {
            long a = left.run(scope);
            Kind aKind = scope.kind();
            long b = right.run(scope);
            return bool(scope, aKind == scope.kind() && a == b);
        };
    }

    private static Code cases(List<Code> parts, int at) {
        if (at == parts.size() - 1) {
            return parts.get(at);
        }
        Code condition = parts.get(at);
        Code then = parts.get(at + 1);
        Code otherwise = cases(parts, at + 2);
        return scope -> {
            long bits = condition.run(scope);
            return Code.isTrue(scope.kind(), bits) ? then.run(scope) : otherwise.run(scope);
        };
    }

    private static Code debug(Code argument) {
        return scope -> {
            long bits = argument.run(scope);
            Kind kind = scope.kind();
            scope.debug(kind, bits);
            return scope.result(kind, bits);
        };
    }

    private static Code abs(Code argument) {
        return scope -> {
            long bits = argument.run(scope);
            Kind kind = scope.kind();
            return switch (kind) {
                case NULL -> nothing(scope);
                case INT -> integer(scope, Math.abs(bits));
                case DOUBLE, BOOLEAN -> real(scope, Math.abs(toDouble(kind, bits)));
            };
        };
    }

    private static Code ofDouble(Function function, Code argument) {
        return scope -> {
            long bits = argument.run(scope);
            Kind kind = scope.kind();
            if (kind == Kind.NULL) {
                return nothing(scope);
            }
            double value = toDouble(kind, bits);
            return real(
                    scope,
                    switch (function) {
                        case EXP -> Math.exp(value);
                        case LN -> Math.log(value);
                        case SQRT -> Math.sqrt(value);
                        default -> value;
                    });
        };
    }

    private static Code power(Code base, Code exponent) {
        return scope -> {
            long a = base.run(scope);
            Kind aKind = scope.kind();
            long b = exponent.run(scope);
            Kind bKind = scope.kind();
            if (aKind == Kind.NULL || bKind == Kind.NULL) {
                return nothing(scope);
            }
            double x = toDouble(aKind, a);
            double y = toDouble(bKind, b);
            // C says that one to whatever power and minus one to an infinite one is one; Java says that is not a number
            boolean one = x == 1 || (x == -1 && Double.isInfinite(y));
            return real(scope, one ? 1 : Math.pow(x, y));
        };
    }

    private static Code extreme(boolean least, Code[] arguments) {
        return scope -> {
            long[] bits = new long[arguments.length];
            Kind[] kinds = new Kind[arguments.length];
            if (!evaluate(scope, arguments, bits, kinds)) {
                return nothing(scope);
            }
            boolean real = List.of(kinds).contains(Kind.DOUBLE);
            long extreme = real ? 0 : toInt(kinds[0], bits[0]);
            double realExtreme = real ? toDouble(kinds[0], bits[0]) : 0;
            for (int i = 1; i < bits.length; i++) {
                if (real) {
                    double value = toDouble(kinds[i], bits[i]);
                    realExtreme = (least ? realExtreme < value : realExtreme > value) ? realExtreme : value;
                } else {
                    long value = toInt(kinds[i], bits[i]);
                    extreme = least ? Math.min(extreme, value) : Math.max(extreme, value);
                }
            }
            return real ? real(scope, realExtreme) : integer(scope, extreme);
        };
    }

    /** Evaluates all arguments; false when one of them is NULL. */
    private static boolean evaluate(Scope scope, Code[] arguments, long[] bits, Kind[] kinds) {
        if (arguments.length > Function.ARGUMENTS_MAX) {
            throw new EvaluationException("too many function arguments, maximum is " + Function.ARGUMENTS_MAX);
        }
        boolean complete = true;
        for (int i = 0; i < arguments.length; i++) {
            bits[i] = arguments[i].run(scope);
            kinds[i] = scope.kind();
            complete &= kinds[i] != Kind.NULL;
        }
        return complete;
    }

    private static Code mixing(Function function, Code[] arguments) {
        Code first = arguments[0];
        Code second = arguments[1];
        Code third = arguments[arguments.length - 1];
        return scope -> {
            long a = first.run(scope);
            Kind aKind = scope.kind();
            long b = second.run(scope);
            Kind bKind = scope.kind();
            boolean complete = aKind != Kind.NULL && bKind != Kind.NULL;
            if (function != Function.PERMUTE) {
                if (!complete) {
                    return nothing(scope);
                }
                long value = toInt(aKind, a);
                long seed = toInt(bKind, b);
                return integer(
                        scope,
                        function == Function.HASH_FNV1A ? Mixing.fnv1a(value, seed) : Mixing.murmur2(value, seed));
            }
            long c = third.run(scope);
            Kind cKind = scope.kind();
            if (!complete || cKind == Kind.NULL) {
                return nothing(scope);
            }
            long value = toInt(aKind, a);
            long size = toInt(bKind, b);
            long seed = toInt(cKind, c);
            if (size <= 0) {
                throw new EvaluationException("permute size parameter must be greater than zero");
            }
            return integer(scope, Mixing.permute(value, size, seed, scope.scratch()));
        };
    }

    private static Code random(Function function, Code[] arguments) {
        Code low = arguments[0];
        Code high = arguments[1];
        Code shape = arguments[arguments.length - 1];
        return scope -> {
            long a = low.run(scope);
            Kind aKind = scope.kind();
            long b = high.run(scope);
            Kind bKind = scope.kind();
            long c = function == Function.RANDOM ? 0 : shape.run(scope);
            Kind cKind = function == Function.RANDOM ? Kind.INT : scope.kind();
            if (aKind == Kind.NULL || bKind == Kind.NULL || cKind == Kind.NULL) {
                return nothing(scope);
            }
            long from = toInt(aKind, a);
            long to = toInt(bKind, b);
            Distributions.requireRange(from, to);
            return integer(
                    scope,
                    function == Function.RANDOM
                            ? scope.random().between(from, to)
                            : Distributions.draw(function, scope.random(), from, to, toDouble(cKind, c)));
        };
    }
}
