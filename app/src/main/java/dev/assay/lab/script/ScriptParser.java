package dev.assay.lab.script;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one script, see {@link Script}. What is an error and how it is said follows {@code pgbench.c}. Used once. */
final class ScriptParser {

    /** Words of one command, its name among them. */
    private static final int WORDS_MAX = 256;

    /** Longest text of a command that reports print. */
    private static final int TEXT_MAX = 127;

    private static final Pattern SLEEP = Pattern.compile("([-+]?\\d+)(.*)");

    private final String name;
    private final String text;
    private final StatementScanner scanner;
    private final List<Command> commands = new ArrayList<>();

    /** A word of a command and where it begins. */
    private record Word(String text, int at) {}

    ScriptParser(String name, String text) {
        this.name = name;
        this.text = text;
        scanner = new StatementScanner(text);
    }

    Script parse() {
        if (text.length() > Script.CHARACTERS_MAX) {
            throw problem(
                    1,
                    text.length() + " characters, at most " + Script.CHARACTERS_MAX + " are read",
                    "split the script");
        }
        int zero = text.indexOf('\0');
        if (zero >= 0) {
            throw problem(lineOf(zero), "a zero byte in the script", "SQL cannot contain one");
        }
        StatementScanner.End end;
        do {
            end = scan();
            endStatement();
            if (end == StatementScanner.End.BACKSLASH) {
                command(scanner.at() - 1);
            }
        } while (end != StatementScanner.End.TEXT);
        if (commands.isEmpty()) {
            throw new ScriptException(
                    "empty command list for script \"" + name + "\"",
                    "a script needs at least one command, for example SELECT 1;",
                    1,
                    0,
                    "");
        }
        checkConditions();
        return new Script(name, commands);
    }

    private StatementScanner.End scan() {
        try {
            return scanner.scan();
        } catch (StatementScanner.UnendedException e) {
            throw problem(lineOf(e.at), e.what, "add " + e.closing);
        }
    }

    private void endStatement() {
        String sql = scanner.statement();
        if (sql.isEmpty()) {
            return;
        }
        int line = lineOf(scanner.statementAt());
        if (scanner.hasOpenParenthesis()) {
            throw problem(line, "the statement leaves a parenthesis open", "add )");
        }
        commands.add(new Command.Sql(line, brief(sql), SqlText.of(sql), Command.Rows.DISCARDED, "", unfit(sql)));
    }

    private String unfit(String sql) {
        if (scanner.isJoined()) {
            return "\\; joins statements, and the extended protocol takes one at a time";
        }
        for (int colon = sql.indexOf(':'); colon >= 0; colon = sql.indexOf(':', colon + 1)) {
            boolean named = colon + 1 < sql.length() && Names.isFirst(sql.charAt(colon + 1));
            if (scanner.isQuoted(colon) && named && (colon == 0 || sql.charAt(colon - 1) != ':')) {
                return sql.substring(colon, Names.end(sql, colon + 1))
                        + " inside quotes or a comment cannot be a parameter";
            }
        }
        return "";
    }

    private static String brief(String sql) {
        String first = sql.lines().findFirst().orElse("");
        return first.substring(0, Math.min(first.length(), TEXT_MAX));
    }

    /** @param backslash where the command begins */
    private void command(int backslash) {
        Word word = word();
        if (word == null) {
            return; // a lone backslash
        }
        String called = word.text;
        int line = lineOf(backslash);
        switch (called.toLowerCase(Locale.ROOT)) {
            case "set" -> {
                Word variable = word();
                if (variable == null) {
                    throw problem(line, "missing argument in command \"" + called + "\"", MetaCommands.usage(called));
                }
                Expression value = expression(backslash, called);
                requireName(line, variable.text);
                commands.add(new Command.Set(line, lineText(backslash), variable.text, value));
            }
            case "if" -> {
                Expression condition = expression(backslash, called);
                commands.add(new Command.If(line, lineText(backslash), condition));
            }
            case "elif" -> {
                Expression condition = expression(backslash, called);
                commands.add(new Command.Elif(line, lineText(backslash), condition));
            }
            default -> plain(backslash, line, called, words(backslash, called));
        }
    }

    /** A command that takes words and no expression. */
    private void plain(int backslash, int line, String called, List<Word> words) {
        String whole = lineText(backslash);
        switch (called.toLowerCase(Locale.ROOT)) {
            case "else" -> {
                requireAlone(backslash, called, words);
                commands.add(new Command.Else(line, whole));
            }
            case "endif" -> {
                requireAlone(backslash, called, words);
                commands.add(new Command.Endif(line, whole));
            }
            case "startpipeline" -> pipeline(backslash, whole, called, words, Command.Pipeline.Step.START);
            case "syncpipeline" -> pipeline(backslash, whole, called, words, Command.Pipeline.Step.SYNC);
            case "endpipeline" -> pipeline(backslash, whole, called, words, Command.Pipeline.Step.END);
            case "gset" -> rows(backslash, called, words, Command.Rows.LAST_RESULT);
            case "aset" -> rows(backslash, called, words, Command.Rows.EACH_RESULT);
            case "sleep" -> sleep(backslash, called, words);
            case "shell" -> {
                if (words.isEmpty()) {
                    throw commandProblem(backslash, called, "missing command");
                }
                commands.add(new Command.Shell(line, whole, "", texts(words)));
            }
            case "setshell" -> {
                if (words.size() < 2) {
                    throw commandProblem(backslash, called, "missing argument");
                }
                requireName(line, words.get(0).text);
                commands.add(new Command.Shell(line, whole, words.get(0).text, texts(words.subList(1, words.size()))));
            }
            default -> throw commandProblem(backslash, called, "invalid command");
        }
    }

    private static List<String> texts(List<Word> words) {
        return words.stream().map(Word::text).toList();
    }

    private void pipeline(int backslash, String whole, String called, List<Word> words, Command.Pipeline.Step step) {
        requireAlone(backslash, called, words);
        commands.add(new Command.Pipeline(lineOf(backslash), whole, step));
    }

    private void rows(int backslash, String called, List<Word> words, Command.Rows rows) {
        if (words.size() > 1) {
            throw commandProblem(backslash, called, "too many arguments");
        }
        Command last = commands.isEmpty() ? null : commands.get(commands.size() - 1);
        if (!(last instanceof Command.Sql sql) || sql.rows() != Command.Rows.DISCARDED) {
            throw problem(
                    lineOf(backslash),
                    "\\gset must follow an SQL command"
                            + (last == null || last instanceof Command.Sql ? "" : " (" + last.text() + ")"),
                    "put \\" + called + " right after the statement");
        }
        String prefix = words.isEmpty() ? "" : words.get(0).text;
        commands.set(
                commands.size() - 1, new Command.Sql(sql.line(), sql.text(), sql.sql(), rows, prefix, sql.unfit()));
    }

    private void sleep(int backslash, String called, List<Word> words) {
        if (words.isEmpty()) {
            throw commandProblem(backslash, called, "missing argument");
        }
        if (words.size() > 2) {
            throw problem(backslash, called, "too many arguments", words.get(2).at);
        }
        Word amount = words.get(0);
        Word unit = words.size() > 1 ? words.get(1) : null;
        if (!amount.text.startsWith(":")) {
            Matcher number = SLEEP.matcher(amount.text);
            if (!number.matches() || (unit != null && !number.group(2).isEmpty())) {
                throw problem(
                        backslash, called, "invalid sleep time, must be an integer (" + amount.text + ")", amount.at);
            }
            if (!number.group(2).isEmpty()) {
                unit = new Word(number.group(2), amount.at + number.start(2));
            }
            amount = new Word(number.group(1), amount.at);
        }
        commands.add(new Command.Sleep(
                lineOf(backslash), lineText(backslash), amount.text, unitMicros(backslash, called, unit)));
    }

    private long unitMicros(int backslash, String called, @Nullable Word unit) {
        return switch (unit == null ? "s" : unit.text.toLowerCase(Locale.ROOT)) {
            case "us" -> 1;
            case "ms" -> 1_000;
            case "s" -> 1_000_000;
            default ->
                throw problem(
                        backslash,
                        called,
                        "unrecognized time unit, must be us, ms or s (" + (unit == null ? "" : unit.text) + ")",
                        unit == null ? backslash : unit.at);
        };
    }

    private void requireAlone(int backslash, String called, List<Word> words) {
        if (!words.isEmpty()) {
            throw commandProblem(backslash, called, "unexpected argument");
        }
    }

    private void requireName(int line, String variable) {
        if (!Names.isValid(variable)) {
            throw problem(
                    line,
                    "invalid variable name: \"" + variable + "\"",
                    "a name has letters, digits and _, and no digit first");
        }
    }

    private List<Word> words(int backslash, String called) {
        List<Word> words = new ArrayList<>();
        for (Word word = word(); word != null; word = word()) {
            words.add(word);
            if (words.size() >= WORDS_MAX) {
                throw commandProblem(backslash, called, "too many arguments");
            }
        }
        return words;
    }

    /** The next word of the command's line; null at its end, which is passed over. */
    private @Nullable Word word() {
        int at = scanner.at();
        while (at < text.length() && text.charAt(at) != '\n') {
            int continued = Names.continuationEnd(text, at);
            if (continued > at) {
                at = continued;
            } else if (Names.isBlank(text.charAt(at))) {
                at++;
            } else {
                int end = at;
                while (end < text.length()
                        && text.charAt(end) != '\n'
                        && !Names.isBlank(text.charAt(end))
                        && Names.continuationEnd(text, end) == end) {
                    end++;
                }
                scanner.moveTo(end);
                return new Word(text.substring(at, end), at);
            }
        }
        scanner.moveTo(Math.min(at + 1, text.length()));
        return null;
    }

    private Expression expression(int backslash, String called) {
        ExpressionParser parser = new ExpressionParser(text, scanner.at());
        try {
            Expression expression = parser.parse();
            scanner.moveTo(parser.end());
            return expression;
        } catch (ExpressionParser.SyntaxException e) {
            throw problem(backslash, called, e.what, e.at);
        }
    }

    /** The command from its backslash to where the line, or the last line that continues it, ends. */
    private String lineText(int backslash) {
        int end = backslash;
        while (end < text.length() && text.charAt(end) != '\n') {
            int continued = Names.continuationEnd(text, end);
            end = continued > end ? continued : end + 1;
        }
        return text.substring(backslash, end).stripTrailing();
    }

    private int lineOf(int place) {
        return 1
                + (int) text.substring(0, Math.min(place, text.length()))
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
    }

    private ScriptException problem(int line, String what, String hint) {
        return new ScriptException(name, line, what, hint);
    }

    /** A problem with a command whose line is shown, and no place in it. */
    private ScriptException commandProblem(int backslash, String called, String what) {
        int line = lineOf(backslash);
        return new ScriptException(
                name + ":" + line + ": " + what + " in command \"" + called + "\"",
                MetaCommands.usage(called),
                line,
                0,
                lineText(backslash));
    }

    private ScriptException problem(int backslash, String called, String what, int at) {
        int line = lineOf(backslash);
        String whole = lineText(backslash);
        int column = at - backslash;
        return new ScriptException(
                name + ":" + line + ": " + what + " in command \"" + called + "\"",
                MetaCommands.usage(called),
                line,
                column + 1,
                whole + "\n" + " ".repeat(Math.max(0, column)) + "^ error found here");
    }

    /** Every \if has its \endif, and \elif and \else stand between them in order. */
    private void checkConditions() {
        Deque<Boolean> open = new ArrayDeque<>();
        for (int i = 0; i < commands.size(); i++) {
            Command command = commands.get(i);
            if (command instanceof Command.If) {
                open.push(false);
            } else if (command instanceof Command.Elif || command instanceof Command.Else) {
                String word = command instanceof Command.Elif ? "\\elif" : "\\else";
                if (open.isEmpty()) {
                    throw condition(i, word + " without matching \\if");
                }
                if (open.peek()) {
                    throw condition(i, word + " after \\else");
                }
                if (command instanceof Command.Else) {
                    open.pop();
                    open.push(true);
                }
            } else if (command instanceof Command.Endif && open.poll() == null) {
                throw condition(i, "\\endif without matching \\if");
            }
        }
        if (!open.isEmpty()) {
            throw condition(commands.size(), "\\if without matching \\endif");
        }
    }

    private ScriptException condition(int index, String what) {
        int line = index < commands.size() ? commands.get(index).line() : lineOf(text.length());
        return new ScriptException(
                "condition error in script \"" + name + "\" command " + (index + 1) + ": " + what,
                "conditions nest as \\if, \\elif, \\else, \\endif",
                line,
                0,
                "");
    }
}
