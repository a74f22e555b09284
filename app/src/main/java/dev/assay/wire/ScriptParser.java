package dev.assay.wire;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one script. Where a statement ends follows {@code src/fe_utils/psqlscan.l} with standard_conforming_strings on; what becomes a
 * variable follows {@code parseVariable} and {@code assignVariables} of {@code pgbench.c}. Used once.
 */
final class ScriptParser {

    private static final String SUPPORTED =
            "supported are \\set NAME INTEGER, \\set NAME random(LO, HI) and \\; between statements";
    private static final Set<String> AUTOMATIC = Set.of("client_id", "scale", "random_seed", "default_seed");
    private static final Pattern SET = Pattern.compile("(\\S+)\\s*(.*)");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");
    private static final Pattern BOUND =
            Pattern.compile("[+-]?\\d+|:[A-Za-z_\\x80-\\x{10FFFF}][\\w\\x80-\\x{10FFFF}]*");
    private static final Pattern RANDOM =
            Pattern.compile("random\\s*\\(\\s*([^,()]*?)\\s*,\\s*([^,()]*?)\\s*\\)", Pattern.CASE_INSENSITIVE);
    private static final Pattern COPY_IN =
            Pattern.compile("\\s*copy\\b.*\\bfrom\\s+stdin\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern ATOMIC_BODY = Pattern.compile("\\bbegin\\s+atomic\\b", Pattern.CASE_INSENSITIVE);

    private final String name;
    private final String text;
    /** Names found after a colon with no \set above them, with the line of the first use. */
    private final Map<String, Integer> unsetUses = new HashMap<>();

    private final List<String> variables = new ArrayList<>();
    private final Map<String, Range> ranges = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();

    private int at;
    private int line = 1;
    private final StringBuilder statement = new StringBuilder();
    /** The characters of the statement that stand in quotes or in a comment. */
    private final BitSet quoted = new BitSet();

    private int statementLine;
    private int severalAt;
    private int parentheses;

    /** Between which values a variable lies. */
    private record Range(long low, long high) {}

    ScriptParser(String name, String text) {
        this.name = name;
        this.text = text.replace("\r\n", "\n");
    }

    Script parse() {
        if (text.length() > Script.CHARACTERS_MAX) {
            throw problem(1, text.length() + " characters, at most " + Script.CHARACTERS_MAX, "split the script");
        }
        if (text.indexOf('\0') >= 0) {
            throw problem(1, "the script contains a zero byte", "SQL cannot contain one");
        }
        while (at < text.length()) {
            scan();
        }
        endStatement();
        if (steps.stream().noneMatch(step -> step instanceof Step.Statement)) {
            throw problem(1, "no SQL statement", "a script needs at least one statement, for example SELECT 1;");
        }
        return new Script(name, variables, steps);
    }

    private void scan() {
        char c = text.charAt(at);
        if (text.startsWith("--", at)) {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        } else if (text.startsWith("/*", at)) {
            take(blockCommentEnd(), true);
        } else if (c == '\'') {
            boolean escapes = escapeStringBefore();
            take(quoteEnd('\'', escapes), true);
        } else if (c == '"') {
            take(quoteEnd('"', false), true);
        } else if (c == '$' && dollarTag() != null) {
            take(dollarQuoteEnd(), true);
        } else if (c == '\\') {
            backslash();
        } else if (c == ';' && parentheses == 0) {
            at++;
            if (statement.length() == 0) {
                throw problem(line, "a semicolon without a statement", "remove it");
            }
            endStatement();
        } else {
            parentheses = Math.max(0, parentheses + (c == '(' ? 1 : c == ')' ? -1 : 0));
            take(at + 1, false);
        }
    }

    /** Moves the text up to {@code end} into the statement. White space before it is dropped. */
    private void take(int end, boolean literal) {
        boolean blank = statement.length() == 0 && Character.isWhitespace(text.charAt(at));
        if (!blank) {
            if (statement.length() == 0) {
                statementLine = line;
            }
            if (literal) {
                quoted.set(statement.length(), statement.length() + end - at);
            }
            statement.append(text, at, end);
        }
        for (; at < end; at++) {
            line += text.charAt(at) == '\n' ? 1 : 0;
        }
    }

    private void backslash() {
        char next = at + 1 < text.length() ? text.charAt(at + 1) : '\n';
        if (next == ';' || next == ':') {
            severalAt = next == ';' && severalAt == 0 ? line : severalAt;
            at++;
            take(at + 1, false);
            return;
        }
        endStatement();
        int end = text.indexOf('\n', at);
        String command = text.substring(at + 1, end < 0 ? text.length() : end).strip();
        at = end < 0 ? text.length() : end;
        String word = command.split("\\s", 2)[0];
        if (!word.equals("set")) {
            throw problem(line, "\\" + word + " is not supported", SUPPORTED);
        }
        set(command.substring(word.length()).strip());
    }

    private void set(String arguments) {
        Matcher matcher = SET.matcher(arguments);
        if (!matcher.matches() || matcher.group(2).isEmpty()) {
            throw problem(line, "\\set needs a name and a value", SUPPORTED);
        }
        String variable = matcher.group(1);
        String expression = matcher.group(2);
        if (nameEnd(":" + variable, 0) != variable.length() + 1) {
            throw problem(line, "not a variable's name: " + variable, "letters, digits and _, no digit first");
        }
        if (INTEGER.matcher(expression).matches()) {
            long value = integer(expression);
            define(variable, Step.Bound.of(value), Step.Bound.of(value), false, new Range(value, value));
            return;
        }
        Matcher random = RANDOM.matcher(expression);
        if (!random.matches()) {
            throw problem(line, "\\set " + variable + ": expression not supported: " + expression, SUPPORTED);
        }
        Range low = range(random.group(1));
        Range high = range(random.group(2));
        if (low.high > high.low) {
            throw problem(
                    line,
                    "random(" + random.group(1) + ", " + random.group(2) + ") can be empty: the lower bound reaches "
                            + low.high + ", the upper " + high.low,
                    "the lower bound must never be above the upper one");
        }
        if (high.high - low.low < 0) {
            throw problem(
                    line,
                    "random(" + random.group(1) + ", " + random.group(2) + ") spans more than 2^63",
                    "bring the bounds closer together");
        }
        define(variable, bound(random.group(1)), bound(random.group(2)), true, new Range(low.low, high.high));
    }

    private void define(String variable, Step.Bound low, Step.Bound high, boolean drawn, Range range) {
        Integer usedAbove = unsetUses.get(variable);
        if (usedAbove != null) {
            throw problem(
                    usedAbove, ":" + variable + " is used above its \\set", "move the \\set before the statement");
        }
        if (!variables.contains(variable)) {
            variables.add(variable);
        }
        ranges.put(variable, range);
        steps.add(new Step.Assignment(variables.indexOf(variable), low, high, drawn));
    }

    private Range range(String bound) {
        if (!BOUND.matcher(bound).matches()) {
            throw problem(line, "a bound of random is an integer or a variable, not '" + bound + "'", SUPPORTED);
        }
        if (bound.charAt(0) != ':') {
            return new Range(integer(bound), integer(bound));
        }
        Range range = ranges.get(bound.substring(1));
        if (range == null) {
            throw problem(
                    line, bound + " is not set above this line", "add \\set " + bound.substring(1) + " before it");
        }
        return range;
    }

    private Step.Bound bound(String bound) {
        return bound.charAt(0) == ':'
                ? new Step.Bound(variables.indexOf(bound.substring(1)), 0)
                : Step.Bound.of(integer(bound));
    }

    private long integer(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw problem(line, digits + " does not fit into 64 bits", "use a smaller number");
        }
    }

    private void endStatement() {
        String sql = statement.toString().stripTrailing();
        if (!sql.isEmpty()) {
            if (parentheses > 0) {
                throw problem(statementLine, "the statement leaves a parenthesis open", "add )");
            }
            if (COPY_IN.matcher(sql).matches()) {
                throw problem(
                        statementLine, "COPY FROM STDIN is not supported", "use INSERT ... SELECT or COPY from a file");
            }
            if (ATOMIC_BODY.matcher(sql).find()) {
                throw problem(
                        statementLine, "BEGIN ATOMIC is not supported", "create functions before the load starts");
            }
            steps.add(statement(sql));
        }
        statement.setLength(0);
        quoted.clear();
        severalAt = 0;
        parentheses = 0;
    }

    private Step.Statement statement(String sql) {
        List<String> pieces = new ArrayList<>();
        List<Integer> used = new ArrayList<>();
        String quotedVariable = "";
        int from = 0;
        int colon = sql.indexOf(':');
        while (colon >= 0) {
            int end = nameEnd(sql, colon);
            int next = colon + 1;
            if (end == colon) {
                while (next < sql.length() && sql.charAt(next) == ':') {
                    next++;
                }
            } else if (isSet(sql, colon, end)) {
                pieces.add(sql.substring(from, colon));
                used.add(variables.indexOf(sql.substring(colon + 1, end)));
                if (quoted.get(colon) && quotedVariable.isEmpty()) {
                    quotedVariable = sql.substring(colon + 1, end);
                }
                from = end;
                next = end;
            }
            colon = sql.indexOf(':', next);
        }
        pieces.add(sql.substring(from));
        return new Step.Statement(statementLine, pieces, used, severalAt, quotedVariable);
    }

    private boolean isSet(String sql, int colon, int end) {
        String variable = sql.substring(colon + 1, end);
        if (ranges.containsKey(variable)) {
            return true;
        }
        int where = statementLine
                + (int) sql.substring(0, colon).chars().filter(c -> c == '\n').count();
        if (AUTOMATIC.contains(variable)) {
            throw problem(
                    where,
                    "pgbench's own variable :" + variable + " is not supported",
                    "set it: \\set " + variable + " 1");
        }
        unsetUses.putIfAbsent(variable, where);
        return false;
    }

    /** Where the name after the colon ends; the colon's own place when no name follows. */
    private static int nameEnd(String sql, int colon) {
        int end = colon + 1;
        while (end < sql.length() && isNamePart(sql.charAt(end), end == colon + 1)) {
            end++;
        }
        return end == colon + 1 ? colon : end;
    }

    private static boolean isNamePart(char c, boolean first) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        return letter || (!first && c >= '0' && c <= '9');
    }

    private int blockCommentEnd() {
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
        throw problem(line, "the comment that begins here does not end", "add */");
    }

    /** Whether the quote at hand belongs to an E'' string: an e or E before it that is not the end of a longer word. */
    private boolean escapeStringBefore() {
        int last = statement.length() - 1;
        boolean marked = last >= 0
                && !quoted.get(last)
                && Character.toLowerCase(statement.charAt(last)) == 'e'
                && at > 0
                && Character.toLowerCase(text.charAt(at - 1)) == 'e';
        return marked && (last == 0 || !isIdentifierPart(statement.charAt(last - 1)));
    }

    private int quoteEnd(char quote, boolean escapes) {
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
        throw problem(line, "the quote " + quote + " that begins here does not end", "add " + quote);
    }

    /** {@code $$} or {@code $tag$} at hand; null when the dollar begins no quote. */
    private @Nullable String dollarTag() {
        boolean insideWord = at > 0 && statement.length() > 0 && isIdentifierPart(text.charAt(at - 1));
        int end = nameEnd(":" + text.substring(at + 1, Math.min(text.length(), at + 64)), 0);
        int close = at + Math.max(1, end);
        boolean closes = close < text.length() && text.charAt(close) == '$';
        return closes && !insideWord ? text.substring(at, close + 1) : null;
    }

    private int dollarQuoteEnd() {
        String tag = text.substring(at, text.indexOf('$', at + 1) + 1);
        int end = text.indexOf(tag, at + tag.length());
        if (end < 0) {
            throw problem(line, "the quote " + tag + " that begins here does not end", "add " + tag);
        }
        return end + tag.length();
    }

    private static boolean isIdentifierPart(char c) {
        return isNamePart(c, false) || c == '$';
    }

    private ScriptException problem(int where, String what, String hint) {
        return new ScriptException(name, where, what, hint);
    }
}
