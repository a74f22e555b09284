package dev.assay.lab.script;

/**
 * One token of an expression.
 *
 * @param start where it begins in the script's text
 * @param end one past its last character
 */
record ExpressionToken(Type type, String text, int start, int end) {

    enum Type {
        INTEGER,
        DOUBLE,
        VARIABLE,
        FUNCTION,
        /** An operator, a parenthesis, a comma or a key word in lower case. */
        SYMBOL,
        /** A character that begins no token. */
        UNKNOWN,
        END
    }

    boolean is(String symbol) {
        return type == Type.SYMBOL && text.equals(symbol);
    }
}
