package dev.assay.report;

import dev.assay.diagnose.Severity;
import dev.assay.lab.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Colours, when they are wanted, and lines of a width. */
final class Ink {

    private static final Pattern HARMFUL = Pattern.compile("[\\p{Cntrl}\\p{Cf}&&[^\\n\\t]]");
    private static final int WORD_WIDTH_MIN = 20;

    private final boolean colour;

    Ink(boolean colour) {
        this.colour = colour;
    }

    /** Text from elsewhere without what would steer a terminal. */
    static String clean(String text) {
        return HARMFUL.matcher(text).replaceAll("?").replace("\t", "    ");
    }

    String bold(String text) {
        return paint("1", text);
    }

    String faint(String text) {
        return paint("2", text);
    }

    String good(String text) {
        return paint("32", text);
    }

    String bad(String text) {
        return paint("31", text);
    }

    String doubtful(String text) {
        return paint("33", text);
    }

    String severity(Severity severity, String text) {
        return switch (severity) {
            case CRITICAL -> paint("1;31", text);
            case WARNING -> paint("1;33", text);
            case INFO -> paint("1", text);
        };
    }

    String verdict(Verdict verdict, String text) {
        return switch (verdict) {
            case BETTER -> paint("1;32", text);
            case WORSE, WRONG -> paint("1;31", text);
            case INCONCLUSIVE -> paint("1;33", text);
            case NO_DIFFERENCE -> paint("1", text);
        };
    }

    private String paint(String code, String text) {
        return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /** The text in lines of at most {@code width}, broken at spaces; a word that is longer stays whole. */
    static List<String> wrap(String text, int width) {
        int room = Math.max(width, WORD_WIDTH_MIN);
        List<String> lines = new ArrayList<>();
        for (String paragraph : clean(text).split("\n", -1)) {
            StringBuilder line = new StringBuilder();
            for (String word : paragraph.strip().split(" +", -1)) {
                if (line.length() > 0 && line.length() + 1 + word.length() > room) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                line.append(line.length() > 0 ? " " : "").append(word);
            }
            lines.add(line.toString());
        }
        return lines;
    }

    /** In one line of at most {@code width}, cut with an ellipsis. */
    static String oneLine(String text, int width) {
        String line = clean(text).replaceAll("\\s+", " ").strip();
        return line.length() <= width ? line : line.substring(0, Math.max(1, width - 1)) + "…";
    }

    static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    static String padLeft(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
