package dev.assay.lab.script;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an expression can compute: the functions of pgbench 18 and its operators (manual, pgbench, "Built-In Operators" and "Built-In
 * Functions").
 */
public enum Function {
    ADD("+", 2),
    SUBTRACT("-", 2),
    MULTIPLY("*", 2),
    DIVIDE("/", 2),
    MOD("mod", 2, true),
    EQUAL("=", 2),
    UNEQUAL("<>", 2),
    LESS("<", 2),
    LESS_OR_EQUAL("<=", 2),
    BIT_AND("&", 2),
    BIT_OR("|", 2),
    BIT_XOR("#", 2),
    SHIFT_LEFT("<<", 2),
    SHIFT_RIGHT(">>", 2),
    AND("and", 2),
    OR("or", 2),
    NOT("not", 1),
    IS("is", 2),
    /** Conditions and results by turns, then the result of ELSE. */
    CASE("case", 3, Integer.MAX_VALUE, false),
    ABS("abs", 1, true),
    DEBUG("debug", 1, true),
    DOUBLE("double", 1, true),
    EXP("exp", 1, true),
    GREATEST("greatest", 1, Integer.MAX_VALUE, true),
    HASH("hash", 1, 2, true),
    HASH_FNV1A("hash_fnv1a", 1, 2, true),
    HASH_MURMUR2("hash_murmur2", 1, 2, true),
    INT("int", 1, true),
    LEAST("least", 1, Integer.MAX_VALUE, true),
    LN("ln", 1, true),
    PERMUTE("permute", 2, 3, true),
    PI("pi", 0, true),
    POW("pow", 2, true),
    POWER("power", 2, true),
    RANDOM("random", 2, true),
    RANDOM_EXPONENTIAL("random_exponential", 3, true),
    RANDOM_GAUSSIAN("random_gaussian", 3, true),
    RANDOM_ZIPFIAN("random_zipfian", 3, true),
    SQRT("sqrt", 1, true);

    /** More arguments than these are an error when the function is evaluated. */
    static final int ARGUMENTS_MAX = 16;

    private static final Map<String, Function> BY_NAME = new HashMap<>();

    static {
        for (Function function : values()) {
            if (function.called) {
                BY_NAME.put(function.text, function);
            }
        }
    }

    private final String text;
    private final int argumentsMin;
    private final int argumentsMax;
    private final boolean called;

    Function(String text, int arguments) {
        this(text, arguments, arguments, false);
    }

    Function(String text, int arguments, boolean called) {
        this(text, arguments, arguments, called);
    }

    Function(String text, int argumentsMin, int argumentsMax, boolean called) {
        this.text = text;
        this.argumentsMin = argumentsMin;
        this.argumentsMax = argumentsMax;
        this.called = called;
    }

    /** The function that a script calls by this name, in whatever case; null when there is none. */
    static @Nullable Function called(String name) {
        return BY_NAME.get(name.toLowerCase(Locale.ROOT));
    }

    boolean takes(int arguments) {
        return arguments >= argumentsMin && arguments <= argumentsMax;
    }

    /** Whether the last of its arguments may be left out, and is then the variable {@code default_seed}. */
    boolean seeded() {
        return this == PERMUTE || this == HASH || this == HASH_FNV1A || this == HASH_MURMUR2;
    }

    int argumentsMax() {
        return argumentsMax;
    }

    /** Whether scripts call it by name; otherwise it is an operator. */
    boolean isCalled() {
        return called;
    }

    /** The name or operator as it stands in a script. */
    @Override
    public String toString() {
        return text;
    }
}
