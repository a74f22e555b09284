package dev.assay.lab.script;

import java.util.BitSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds where SQL statements end, as {@code src/fe_utils/psqlscan.l} does with standard_conforming_strings on. Works on a whole script from
 * a place that the caller moves over commands.
 */
final class StatementScanner {

    private final String text;
    private int at;

    private final StringBuilder statement = new StringBuilder();
    private int statementAt;
    private int parentheses;
    /** BEGIN and CASE that wait for their END in the body of a function. */
    private int bodies;

    /** The characters of the statement that stand in quotes or in a comment. */
    private final BitSet quoted = new BitSet();

    private boolean joined;

    private final StringBuilder firstWords = new StringBuilder();
    private int words;

    /** What ended the statement. */
    enum End {
        SEMICOLON,
        BACKSLASH,
        TEXT
    }

    /** A quote or comment that does not end. */
    static final class UnendedException extends Exception {
        private static final long serialVersionUID = 1;

        final String what;
        final int at;
        final String closing;

        UnendedException(String what, int at, String closing) {
            super(what, null, false, false);
            this.what = what;
            this.at = at;
            this.closing = closing;
        }
    }

    StatementScanner(String text) {
        this.text = text;
    }

    int at() {
        return at;
    }

    void moveTo(int place) {
        at = place;
    }

    /** The statement that ended, with its semicolon; without white space and line comments before it. May be empty. */
    String statement() {
        return statement.toString();
    }

    /** Where the statement begins in the text. */
    int statementAt() {
        return statementAt;
    }

    /** Whether the character of the statement stands in quotes or in a comment. */
    boolean isQuoted(int index) {
        return quoted.get(index);
    }

    /** Whether it is several statements joined by {@code \;}. */
    boolean isJoined() {
        return joined;
    }

    boolean hasOpenParenthesis() {
        return parentheses > 0;
    }

    /** Reads on to the end of the next statement; after a backslash the place is behind it. */
    End scan() throws UnendedException {
        statement.setLength(0);
        quoted.clear();
        joined = false;
        statementAt = at;
        parentheses = 0;
        bodies = 0;
        words = 0;
        firstWords.setLength(0);
        while (at < text.length()) {
            char c = text.charAt(at);
            if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                takeQuoted(end < 0 ? text.length() : end, statement.length() > 0);
            } else if (text.startsWith("/*", at)) {
                takeQuoted(blockCommentEnd(), true);
            } else if (c == '\'') {
                takeQuoted(quoteEnd('\'', escapeStringBefore()), true);
            } else if (c == '"') {
                takeQuoted(quoteEnd('"', false), true);
            } else if (c == '$' && dollarTag() != null) {
                takeQuoted(dollarQuoteEnd(), true);
            } else if (c == '\\') {
                char next = at + 1 < text.length() ? text.charAt(at + 1) : '\n';
                at++;
                if (next != ';' && next != ':') {
                    return End.BACKSLASH;
                }
                joined |= next == ';';
                take(at + 1, true);
            } else if (c == ';' && parentheses == 0 && bodies == 0) {
                take(at + 1, true);
                return End.SEMICOLON;
            } else if (Names.isFirst(c)) {
                word();
            } else {
                parentheses = Math.max(0, parentheses + (c == '(' ? 1 : c == ')' ? -1 : 0));
                take(at + 1, statement.length() > 0 || !Character.isWhitespace(c));
            }
        }
        return End.TEXT;
    }

    private void takeQuoted(int end, boolean keep) {
        if (keep) {
            quoted.set(statement.length(), statement.length() + end - at);
        }
        take(end, keep);
    }

    /** Moves the text up to {@code end} into the statement, or past it. */
    private void take(int end, boolean keep) {
        if (keep) {
            if (statement.length() == 0) {
                statementAt = at;
            }
            statement.append(text, at, end);
        }
        at = end;
    }

    /** A word; BEGIN and END count in the body of CREATE [OR REPLACE] FUNCTION or PROCEDURE, outside parentheses. */
    private void word() {
        int end = at;
        while (end < text.length() && isIdentifierPart(text.charAt(end))) {
            end++;
        }
        String word = text.substring(at, end).toLowerCase(Locale.ROOT);
        if (words < 4) {
            switch (word) {
                case "create", "function", "procedure", "or", "replace" ->
                    firstWords.append(word).append(' ');
                default -> firstWords.append("? ");
            }
            words++;
        }
        if (parentheses == 0 && firstWords.toString().matches("create (or replace )?(function|procedure) .*")) {
            switch (word) {
                case "begin" -> bodies++;
                case "case" -> bodies += bodies > 0 ? 1 : 0;
                case "end" -> bodies -= bodies > 0 ? 1 : 0;
                default -> {
                    // any other word
                }
            }
        }
        take(end, true);
    }

    private int blockCommentEnd() throws UnendedException {
        int depth = 0;
        int place = at;
        while (place < text.length()) {
            if (text.startsWith("/*", place)) {
                depth++;
                place += 2;
            } else if (text.startsWith("*/", place)) {
                depth--;
                place += 2;
                if (depth == 0) {
                    return place;
                }
            } else {
                place++;
            }
        }
        throw new UnendedException("a comment does not end", at, "*/");
    }

    /** Whether the quote at hand belongs to an E'' string: an e or E right before it that is not the end of a longer word. */
    private boolean escapeStringBefore() {
        if (at == 0 || statement.length() == 0 || Character.toLowerCase(text.charAt(at - 1)) != 'e') {
            return false;
        }
        return at == 1 || !isIdentifierPart(text.charAt(at - 2));
    }

    private int quoteEnd(char quote, boolean escapes) throws UnendedException {
        int place = at + 1;
        while (place < text.length()) {
            char c = text.charAt(place);
            if (c == '\\' && escapes) {
                place += 2;
            } else if (c != quote) {
                place++;
            } else if (place + 1 < text.length() && text.charAt(place + 1) == quote) {
                place += 2;
            } else {
                return place + 1;
            }
        }
        throw new UnendedException("a quote does not end", at, String.valueOf(quote));
    }

    /** {@code $$} or {@code $tag$} at hand; null when the dollar begins no quote. */
    private @Nullable String dollarTag() {
        int end = at + 1;
        if (end < text.length() && Names.isFirst(text.charAt(end))) {
            end = Names.end(text, end);
        }
        return end < text.length() && text.charAt(end) == '$' ? text.substring(at, end + 1) : null;
    }

    private int dollarQuoteEnd() throws UnendedException {
        String tag = text.substring(at, text.indexOf('$', at + 1) + 1);
        int end = text.indexOf(tag, at + tag.length());
        if (end < 0) {
            throw new UnendedException("a quote does not end", at, tag);
        }
        return end + tag.length();
    }

    private static boolean isIdentifierPart(char c) {
        return Names.isPart(c) || c == '$';
    }
}
