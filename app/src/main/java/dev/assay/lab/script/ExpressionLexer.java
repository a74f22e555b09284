package dev.assay.lab.script;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits an expression into tokens, up to the end of its line; a backslash at the end of a line continues it. */
final class ExpressionLexer {

    private static final Set<String> WORDS = Set.of(
            "and", "or", "not", "is", "isnull", "notnull", "case", "when", "then", "else", "end", "true", "false",
            "null");
    private static final List<String> PAIRS = List.of("<>", "!=", "<=", ">=", "<<", ">>");
    private static final String SINGLES = "+-*/%=<>|#&~(),";
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d*)?([eE][-+]?\\d+)?|\\.\\d+([eE][-+]?\\d+)?");
    private static final Pattern DIGITS = Pattern.compile("\\d+");

    private final String text;
    private int at;

    /** Where the last token ends, for what comes after the expression. */
    ExpressionLexer(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /** The next token; {@code END} at the end of the line, which is passed over, or of the text. */
    ExpressionToken next() {
        skipBlanks();
        if (at >= text.length()) {
            return token(ExpressionToken.Type.END, "", at);
        }
        char c = text.charAt(at);
        if (c == '\n') {
            return token(ExpressionToken.Type.END, "", at + 1);
        }
        if (c == ':' && at + 1 < text.length() && Names.isPart(text.charAt(at + 1))) {
            int end = Names.end(text, at + 1);
            return token(ExpressionToken.Type.VARIABLE, text.substring(at + 1, end), end);
        }
        if (Names.isFirst(c)) {
            return word();
        }
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (number.lookingAt()) {
            boolean integer = DIGITS.matcher(number.group()).matches();
            return token(
                    integer ? ExpressionToken.Type.INTEGER : ExpressionToken.Type.DOUBLE, number.group(), number.end());
        }
        for (String pair : PAIRS) {
            if (text.startsWith(pair, at)) {
                return token(ExpressionToken.Type.SYMBOL, pair.equals("!=") ? "<>" : pair, at + 2);
            }
        }
        return token(
                SINGLES.indexOf(c) >= 0 ? ExpressionToken.Type.SYMBOL : ExpressionToken.Type.UNKNOWN,
                String.valueOf(c),
                at + 1);
    }

    private ExpressionToken word() {
        int end = Names.end(text, at);
        String word = text.substring(at, end);
        String lower = word.toLowerCase(Locale.ROOT);
        return WORDS.contains(lower)
                ? token(ExpressionToken.Type.SYMBOL, lower, end)
                : token(ExpressionToken.Type.FUNCTION, word, end);
    }

    private void skipBlanks() {
        while (at < text.length()) {
            int continued = Names.continuationEnd(text, at);
            if (continued > at) {
                at = continued;
            } else if (Names.isBlank(text.charAt(at))) {
                at++;
            } else {
                return;
            }
        }
    }

    private ExpressionToken token(ExpressionToken.Type type, String word, int end) {
        ExpressionToken token = new ExpressionToken(type, word, at, end);
        at = end;
        return token;
    }
}
