package dev.assay.cli;

import dev.assay.report.watch.KeyPress;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a terminal sends into keys. Keys that are no characters come as an escape sequence (ECMA-48, and xterm's for modifiers):
 * {@code ESC [ parameters letter}, or {@code ESC O letter}; an escape that nothing follows at once is the key itself.
 */
final class KeyDecoder {

    /** How long the rest of an escape sequence may take. */
    private static final long SEQUENCE_MILLIS = 50;

    private static final int SEQUENCE_MAX = 16;
    private static final int ESCAPE = 27;
    private static final Map<String, KeyPress.Key> SEQUENCES = Map.ofEntries(
            Map.entry("A", KeyPress.Key.UP),
            Map.entry("B", KeyPress.Key.DOWN),
            Map.entry("C", KeyPress.Key.RIGHT),
            Map.entry("D", KeyPress.Key.LEFT),
            Map.entry("H", KeyPress.Key.HOME),
            Map.entry("F", KeyPress.Key.END),
            Map.entry("Z", KeyPress.Key.BACK_TAB),
            Map.entry("1~", KeyPress.Key.HOME),
            Map.entry("7~", KeyPress.Key.HOME),
            Map.entry("4~", KeyPress.Key.END),
            Map.entry("8~", KeyPress.Key.END),
            Map.entry("5~", KeyPress.Key.PAGE_UP),
            Map.entry("6~", KeyPress.Key.PAGE_DOWN),
            Map.entry("1;2C", KeyPress.Key.SHIFT_RIGHT),
            Map.entry("1;2D", KeyPress.Key.SHIFT_LEFT),
            Map.entry("c", KeyPress.Key.SHIFT_RIGHT),
            Map.entry("d", KeyPress.Key.SHIFT_LEFT));

    private final Characters characters;

    /** Where characters come from. */
    @FunctionalInterface
    interface Characters {

        /** Nothing came in time. */
        int NONE = -2;

        int END = -1;

        /** The next UTF-16 unit, or {@link #NONE} after so long, or {@link #END}. */
        int next(long patienceMillis) throws IOException;
    }

    KeyDecoder(Characters characters) {
        this.characters = characters;
    }

    /**
     * The next key.
     *
     * @param patienceMillis how long to wait for it, above 0
     * @return null when none came, or one that means nothing here
     * @throws IOException also when the terminal has gone
     */
    @Nullable
    KeyPress next(long patienceMillis) throws IOException {
        int first = characters.next(patienceMillis);
        return switch (first) {
            case Characters.NONE -> null;
            case Characters.END -> throw new IOException("the terminal has gone");
            case ESCAPE -> sequence();
            case '\r', '\n' -> KeyPress.of(KeyPress.Key.ENTER);
            case '\t' -> KeyPress.of(KeyPress.Key.TAB);
            case 8, 127 -> KeyPress.of(KeyPress.Key.BACKSPACE);
            default -> character((char) first);
        };
    }

    private @Nullable KeyPress character(char first) throws IOException {
        if (!Character.isHighSurrogate(first)) {
            return KeyPress.character(first);
        }
        int second = characters.next(SEQUENCE_MILLIS);
        return second >= 0 && Character.isLowSurrogate((char) second)
                ? KeyPress.character(Character.toCodePoint(first, (char) second))
                : null;
    }

    private @Nullable KeyPress sequence() throws IOException {
        int kind = characters.next(SEQUENCE_MILLIS);
        if (kind != '[' && kind != 'O') {
            return kind < 0 || kind == ESCAPE
                    ? KeyPress.of(KeyPress.Key.ESCAPE)
                    : null; // Alt with a letter means nothing here
        }
        StringBuilder rest = new StringBuilder();
        int next = characters.next(SEQUENCE_MILLIS);
        while (next >= 0 && rest.length() < SEQUENCE_MAX) {
            rest.append((char) next);
            boolean last = next >= '@' && next <= '~';
            if (last) {
                break;
            }
            next = characters.next(SEQUENCE_MILLIS);
        }
        KeyPress.Key key = SEQUENCES.get(rest.toString());
        return key == null ? null : KeyPress.of(key);
    }
}
