package dev.assay.lab.script;

/** Characters of a script that mean something: those of variables' names, blanks, continued lines. */
final class Names {

    private Names() {}

    /** A letter, an underscore or anything beyond ASCII. */
    static boolean isFirst(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    /** As {@link #isFirst}, or a digit. */
    static boolean isPart(char c) {
        return isFirst(c) || (c >= '0' && c <= '9');
    }

    /** Where the name that goes on at this place ends; the place itself when none does. */
    static int end(String text, int at) {
        int end = at;
        while (end < text.length() && isPart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    static boolean isValid(String name) {
        return !name.isEmpty() && isFirst(name.charAt(0)) && end(name, 0) == name.length();
    }

    /** White space within a line. */
    static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\u000b';
    }

    /** One past a backslash and the line end that follows it; the place itself when there is none. */
    static int continuationEnd(String text, int at) {
        if (text.startsWith("\\\n", at)) {
            return at + 2;
        }
        return text.startsWith("\\\r\n", at) ? at + 3 : at;
    }
}
