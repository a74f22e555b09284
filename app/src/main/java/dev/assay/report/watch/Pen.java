package dev.assay.report.watch;

import java.text.Normalizer;
import java.util.Map;
import org.jline.utils.AttributedStyle;
import org.jline.utils.WCWidth;

/**
 * Styles and characters that the terminal has. Colour never says anything that a letter or a word does not say too. All text, ours and the
 * server's, goes through {@link #clean}: it loses what would steer the terminal or make a character take another width than counted.
 * Immutable.
 *
 * @param colour whether colours may be used
 * @param ascii whether only ASCII may be written; drawing characters then become their nearest ones
 * @param grey whether all is drawn faint, because it is not of now
 */
public record Pen(boolean colour, boolean ascii, boolean grey) {

    private static final Map<Character, Character> NEAREST = Map.ofEntries(
            Map.entry('…', '~'),
            Map.entry('–', '-'),
            Map.entry('−', '-'),
            Map.entry('─', '-'),
            Map.entry('│', '|'),
            Map.entry('├', '|'),
            Map.entry('└', '`'),
            Map.entry('█', '#'),
            Map.entry('░', '.'),
            Map.entry('·', '.'),
            Map.entry('▶', '>'),
            Map.entry('▲', '^'),
            Map.entry('▼', 'v'),
            Map.entry('←', '<'),
            Map.entry('→', '>'),
            Map.entry('▁', '.'),
            Map.entry('▂', '.'),
            Map.entry('▃', '.'),
            Map.entry('▄', ':'),
            Map.entry('▅', ':'),
            Map.entry('▆', ':'),
            Map.entry('▇', ':'),
            Map.entry('×', 'x'),
            Map.entry('≤', '<'),
            Map.entry('≈', '~'),
            Map.entry('µ', 'u'));

    Pen greyed() {
        return new Pen(colour, ascii, true);
    }

    /**
     * Text that takes exactly {@link #width} columns and steers nothing: white space becomes a blank; control and format characters, halves of
     * surrogates and what has no width of its own become {@code ?} or go.
     */
    String clean(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        Normalizer.normalize(text, Normalizer.Form.NFC).codePoints().forEach(point -> {
            int type = Character.getType(point);
            if (Character.isWhitespace(point) || type == Character.SPACE_SEPARATOR) {
                out.append(' ');
            } else if (type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.SURROGATE
                    || type == Character.PRIVATE_USE
                    || type == Character.UNASSIGNED
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR
                    || WCWidth.wcwidth(point) < 0) {
                out.append('?');
            } else if (ascii && point > '~') {
                out.append(Character.isBmpCodePoint(point) ? NEAREST.getOrDefault((char) point, '?') : '?');
            } else if (WCWidth.wcwidth(point) > 0) {
                out.appendCodePoint(point);
            }
        });
        return out.toString();
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                return false;
            }
        }
        return true;
    }

    /** Columns that a clean text takes. */
    static int width(String clean) {
        return isPlain(clean)
                ? clean.length()
                : clean.codePoints().map(WCWidth::wcwidth).sum();
    }

    /** The clean text in at most that many columns, cut with an ellipsis. */
    String cut(String clean, int columns) {
        if (width(clean) <= columns) {
            return clean;
        }
        StringBuilder out = new StringBuilder();
        int taken = 0;
        for (int at = 0; at < clean.length(); ) {
            int point = clean.codePointAt(at);
            taken += WCWidth.wcwidth(point);
            if (taken > columns - 1) {
                break;
            }
            out.appendCodePoint(point);
            at += Character.charCount(point);
        }
        return columns < 1 ? "" : out.append(clean("…")).toString();
    }

    AttributedStyle plain() {
        return grey ? AttributedStyle.DEFAULT.faint() : AttributedStyle.DEFAULT;
    }

    AttributedStyle bold() {
        return grey ? plain() : AttributedStyle.DEFAULT.bold();
    }

    AttributedStyle faint() {
        return AttributedStyle.DEFAULT.faint();
    }

    /** The line that is selected, the tab that is open. */
    AttributedStyle chosen() {
        return grey ? plain().inverse() : AttributedStyle.DEFAULT.inverse();
    }

    AttributedStyle bad() {
        return ink(AttributedStyle.RED).bold();
    }

    AttributedStyle doubtful() {
        return ink(AttributedStyle.YELLOW).bold();
    }

    private AttributedStyle ink(int number) {
        return colour && !grey ? AttributedStyle.DEFAULT.foreground(number) : plain();
    }

    /** Letters of a wait class. */
    AttributedStyle ink(WaitClass kind) {
        return ink(kind.colour());
    }

    /** An area of a wait class. */
    AttributedStyle area(WaitClass kind) {
        boolean painted = colour && !grey;
        return painted
                ? AttributedStyle.DEFAULT.foreground(AttributedStyle.BLACK).background(kind.colour())
                : plain();
    }
}
