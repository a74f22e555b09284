package dev.assay.lab.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads one expression by precedence climbing. From the loosest to the tightest, as in SQL:
 *
 * <pre>
 * OR                                  left
 * AND                                 left
 * NOT                                 prefix
 * IS [NOT] NULL|TRUE|FALSE, ISNULL, NOTNULL   postfix
 * < > = <= >= <> !=                   two in a row are an error
 * | # & << >>  and the prefix ~       left
 * + -                                 left
 * * / %                               left
 * + -                                 prefix
 * </pre>
 *
 * Unary minus is read as {@code 0 - x}, {@code ~x} as {@code -1 # x}, {@code a > b} as {@code b < a} and {@code x IS NOT TRUE} as
 * {@code NOT x IS TRUE}, so that an expression has one form for what it computes. Used once.
 */
final class ExpressionParser {

    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int IS = 4;
    private static final int COMPARISON = 5;
    private static final int BITS = 6;
    private static final int SUM = 7;
    private static final int PRODUCT = 8;
    private static final int SIGN = 9;

    /** One more than the largest 64-bit integer: right only behind a minus. */
    private static final String BELOW_MIN = "9223372036854775808";

    /** Deepest nesting of one expression. */
    private static final int DEPTH_MAX = 500;

    /** How tight an operator binds and what it computes; those that swap their sides stand for their mirror image. */
    private record Operator(int level, Function function, boolean swapped) {}

    private static final Map<String, Operator> OPERATORS = Map.ofEntries(
            operator("or", OR, Function.OR),
            operator("and", AND, Function.AND),
            operator("<", COMPARISON, Function.LESS),
            operator("<=", COMPARISON, Function.LESS_OR_EQUAL),
            Map.entry(">", new Operator(COMPARISON, Function.LESS, true)),
            Map.entry(">=", new Operator(COMPARISON, Function.LESS_OR_EQUAL, true)),
            operator("=", COMPARISON, Function.EQUAL),
            operator("<>", COMPARISON, Function.UNEQUAL),
            operator("|", BITS, Function.BIT_OR),
            operator("#", BITS, Function.BIT_XOR),
            operator("&", BITS, Function.BIT_AND),
            operator("<<", BITS, Function.SHIFT_LEFT),
            operator(">>", BITS, Function.SHIFT_RIGHT),
            operator("+", SUM, Function.ADD),
            operator("-", SUM, Function.SUBTRACT),
            operator("*", PRODUCT, Function.MULTIPLY),
            operator("/", PRODUCT, Function.DIVIDE),
            operator("%", PRODUCT, Function.MOD));

    private final ExpressionLexer lexer;
    private ExpressionToken token;
    private int previousEnd;
    private int depth;

    ExpressionParser(String text, int at) {
        lexer = new ExpressionLexer(text, at);
        token = lexer.next();
    }

    private static Map.Entry<String, Operator> operator(String text, int level, Function function) {
        return Map.entry(text, new Operator(level, function, false));
    }

    /** An expression cannot be read; {@code at} is the last character of what was read when that was found, as pgbench reports it. */
    static final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1;

        final String what;
        final int at;

        SyntaxException(String what, int at) {
            super(what, null, false, false);
            this.what = what;
            this.at = at;
        }
    }

    /** The expression up to the end of the line. */
    Expression parse() throws SyntaxException {
        Expression expression = parse(OR);
        if (token.type() != ExpressionToken.Type.END) {
            throw unexpected();
        }
        return expression;
    }

    /** Where the text goes on after the expression's line. */
    int end() {
        return token.end();
    }

    private Expression parse(int level) throws SyntaxException {
        if (++depth > DEPTH_MAX) {
            throw problem("expression nested too deeply");
        }
        Expression left = prefix();
        boolean compared = false;
        while (true) {
            if (level <= IS && (token.is("is") || token.is("isnull") || token.is("notnull"))) {
                left = test(left);
                compared = false;
                continue;
            }
            Operator operator = token.type() == ExpressionToken.Type.SYMBOL ? OPERATORS.get(token.text()) : null;
            if (operator == null || operator.level < level) {
                depth--;
                return left;
            }
            if (compared && operator.level == COMPARISON) {
                throw unexpected();
            }
            advance();
            Expression right = parse(operator.level + 1);
            left = operator.swapped ? call(operator.function, right, left) : call(operator.function, left, right);
            compared = operator.level == COMPARISON;
        }
    }

    private Expression test(Expression left) throws SyntaxException {
        String word = token.text();
        advance();
        boolean not = word.equals("notnull");
        Value value = Value.NULL;
        if (word.equals("is")) {
            if (token.is("not")) {
                not = true;
                advance();
            }
            if (token.is("true") || token.is("false")) {
                value = Value.of(token.is("true"));
            } else if (!token.is("null")) {
                throw unexpected();
            }
            advance();
        }
        Expression is = call(Function.IS, left, new Expression.Constant(value));
        return not ? call(Function.NOT, is) : is;
    }

    private Expression prefix() throws SyntaxException {
        ExpressionToken first = token;
        switch (first.type()) {
            case INTEGER -> {
                return integer();
            }
            case DOUBLE -> {
                return decimal();
            }
            case VARIABLE -> {
                advance();
                return new Expression.Variable(first.text());
            }
            case FUNCTION -> {
                return function();
            }
            case SYMBOL -> {
                return symbol();
            }
            case UNKNOWN -> throw problem("unexpected character (" + first.text() + ")");
            case END -> throw unexpected();
        }
        throw new IllegalStateException("every type of token is one of these");
    }

    private Expression symbol() throws SyntaxException {
        String symbol = token.text();
        advance();
        switch (symbol) {
            case "(" -> {
                Expression inner = parse(OR);
                expect(")");
                return inner;
            }
            case "+" -> {
                return parse(SIGN);
            }
            case "-" -> {
                if (token.type() == ExpressionToken.Type.INTEGER && token.text().equals(BELOW_MIN)) {
                    advance();
                    return new Expression.Constant(Value.of(Long.MIN_VALUE));
                }
                return call(Function.SUBTRACT, new Expression.Constant(Value.of(0)), parse(SIGN));
            }
            case "~" -> {
                return call(Function.BIT_XOR, new Expression.Constant(Value.of(-1)), parse(SUM));
            }
            case "not" -> {
                return call(Function.NOT, parse(NOT));
            }
            case "null" -> {
                return new Expression.Constant(Value.NULL);
            }
            case "true", "false" -> {
                return new Expression.Constant(Value.of(symbol.equals("true")));
            }
            case "case" -> {
                return cases();
            }
            default -> throw new SyntaxException("syntax error", previousEnd - 1);
        }
    }

    private Expression cases() throws SyntaxException {
        List<Expression> parts = new ArrayList<>();
        do {
            expect("when");
            parts.add(parse(OR));
            expect("then");
            parts.add(parse(OR));
        } while (token.is("when"));
        if (token.is("else")) {
            advance();
            parts.add(parse(OR));
        } else {
            parts.add(new Expression.Constant(Value.NULL));
        }
        expect("end");
        return new Expression.Call(Function.CASE, parts);
    }

    private Expression function() throws SyntaxException {
        Function function = Function.called(token.text());
        if (function == null) {
            throw problem("unexpected function name (" + token.text() + ")");
        }
        advance();
        expect("(");
        List<Expression> arguments = new ArrayList<>();
        if (!token.is(")")) {
            arguments.add(parse(OR));
            while (token.is(",")) {
                advance();
                arguments.add(parse(OR));
            }
        }
        if (!token.is(")")) {
            throw unexpected();
        }
        if (!function.takes(arguments.size())) {
            throw problem((function.argumentsMax() == Integer.MAX_VALUE
                            ? "at least one argument expected"
                            : "unexpected number of arguments")
                    + " (" + function + ")");
        }
        if (function.seeded() && arguments.size() < function.argumentsMax()) {
            arguments.add(new Expression.Variable(Symbols.DEFAULT_SEED));
        }
        advance();
        return new Expression.Call(function, arguments);
    }

    private Expression integer() throws SyntaxException {
        try {
            long value = Long.parseLong(token.text());
            advance();
            return new Expression.Constant(Value.of(value));
        } catch (NumberFormatException e) {
            throw problem(
                    token.text().equals(BELOW_MIN)
                            ? "syntax error"
                            : "bigint constant overflow (" + token.text() + ")");
        }
    }

    private Expression decimal() throws SyntaxException {
        double value = Double.parseDouble(token.text());
        if (CNumbers.isOutOfRange(value, token.text())) {
            throw problem("double constant overflow (" + token.text() + ")");
        }
        advance();
        return new Expression.Constant(Value.of(value));
    }

    private static Expression call(Function function, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments));
    }

    private void expect(String symbol) throws SyntaxException {
        if (!token.is(symbol)) {
            throw unexpected();
        }
        advance();
    }

    private void advance() {
        previousEnd = token.end();
        token = lexer.next();
    }

    private SyntaxException unexpected() {
        return problem(
                token.type() == ExpressionToken.Type.UNKNOWN
                        ? "unexpected character (" + token.text() + ")"
                        : "syntax error");
    }

    private SyntaxException problem(String message) {
        return new SyntaxException(message, token.end() - 1);
    }
}
