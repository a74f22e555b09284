package dev.assay.report.watch;

/**
 * A key that was pressed.
 *
 * @param codePoint the character for {@link Key#CHARACTER}, else 0
 */
public record KeyPress(Key key, int codePoint) {

    /** Keys by what they are for; everything that writes a character is {@link #CHARACTER}. */
    public enum Key {
        CHARACTER,
        UP,
        DOWN,
        LEFT,
        RIGHT,
        SHIFT_LEFT,
        SHIFT_RIGHT,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        ENTER,
        ESCAPE,
        TAB,
        BACK_TAB,
        BACKSPACE
    }

    public static KeyPress of(Key key) {
        return new KeyPress(key, 0);
    }

    public static KeyPress character(int codePoint) {
        return new KeyPress(Key.CHARACTER, codePoint);
    }

    boolean is(char c) {
        return key == Key.CHARACTER && codePoint == c;
    }
}
