package dev.assay.pg;

/**
 * The text of a statement with its literals replaced, so that executions of the same statement can be counted together.
 *
 * <p>The server's own query id is better where it is computed ({@code compute_query_id}); this is for servers that do not compute it, and
 * for text that must not carry the application's data. Strings, numbers and dollar quotes become {@code ?}, comments and extra white space
 * go; identifiers, quoted ones included, and parameters such as {@code $1} stay. A text that the server has cut off in the middle
 * ({@code track_activity_query_size}) normalises to its beginning.
 */
public final class StatementText {

    private final String text;
    private final StringBuilder out;
    private int at;

    private StatementText(String text) {
        this.text = text;
        this.out = new StringBuilder(text.length());
    }

    /** The statement without literals, comments and superfluous white space. */
    public static String normalise(String statement) {
        StatementText scan = new StatementText(statement);
        while (scan.at < statement.length()) {
            scan.step();
        }
        String normal = scan.out.toString().strip();
        return normal.endsWith(";") ? normal.substring(0, normal.length() - 1).stripTrailing() : normal;
    }

    private void step() {
        char c = text.charAt(at);
        if (Character.isWhitespace(c)) {
            at++;
            space();
        } else if (c == '-' && next(1) == '-') {
            skipTo("\n", at);
            space();
        } else if (c == '/' && next(1) == '*') {
            skipBlockComment();
            space();
        } else if (c == '\'') {
            literal(false);
        } else if ((c == 'E' || c == 'e' || c == 'B' || c == 'b' || c == 'X' || c == 'x' || c == 'N' || c == 'n')
                && next(1) == '\''
                && !insideWord()) {
            at++;
            literal(c == 'E' || c == 'e');
        } else if (c == '"') {
            quotedIdentifier();
        } else if (c == '$' && !insideWord()) {
            dollar();
        } else if (Character.isDigit(c) && !insideWord()) {
            number();
        } else {
            out.append(c);
            at++;
        }
    }

    private char next(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    private boolean insideWord() {
        return at > 0 && isWord(text.charAt(at - 1));
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    private void space() {
        if (out.length() > 0 && out.charAt(out.length() - 1) != ' ') {
            out.append(' ');
        }
    }

    private void skipTo(String end, int from) {
        int found = text.indexOf(end, from);
        at = found < 0 ? text.length() : found + end.length();
    }

    private void skipBlockComment() {
        int depth = 0;
        do {
            if (text.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (text.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < text.length());
    }

    private void literal(boolean backslashEscapes) {
        at++;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\' && backslashEscapes) {
                at += 2;
            } else if (c == '\'' && next(1) == '\'') {
                at += 2;
            } else if (c == '\'') {
                break;
            } else {
                at++;
            }
        }
        at = Math.min(at + 1, text.length());
        out.append('?');
    }

    private void quotedIdentifier() {
        int end = text.indexOf('"', at + 1);
        int stop = end < 0 ? text.length() : end + 1;
        out.append(text, at, stop);
        at = stop;
    }

    private void dollar() {
        int end = at + 1;
        while (end < text.length() && isWord(text.charAt(end)) && text.charAt(end) != '$') {
            end++;
        }
        boolean quote = end < text.length() && text.charAt(end) == '$' && !Character.isDigit(next(1));
        if (!quote) {
            out.append(text, at, end);
            at = end;
            return;
        }
        skipTo(text.substring(at, end + 1), end + 1);
        out.append('?');
    }

    private void number() {
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean exponentSign = (c == '+' || c == '-')
                    && (text.charAt(at - 1) == 'e' || text.charAt(at - 1) == 'E')
                    && Character.isDigit(next(1));
            if (!isWord(c) && c != '.' && !exponentSign) {
                break;
            }
            at++;
        }
        out.append('?');
    }
}
