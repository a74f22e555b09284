package dev.assay.cli;

import java.util.Arrays;

/** What a terminal of 80 columns and 24 lines shows after it was sent some bytes: enough of ECMA-48 and xterm for the sequences that a full screen needs. */
final class PaintedScreen {

    private static final int COLUMNS = 80;
    private static final int LINES = 24;
    private static final String MOVES = "ABCDGHJKPd@";

    private final char[][] cells = new char[LINES][COLUMNS];
    private int line;
    private int column;

    PaintedScreen() {
        erase();
    }

    /** The screen after all of this. */
    static PaintedScreen after(String sent) {
        PaintedScreen screen = new PaintedScreen();
        int at = 0;
        while (at < sent.length()) {
            at = screen.take(sent, at);
        }
        return screen;
    }

    private void erase() {
        for (char[] row : cells) {
            Arrays.fill(row, ' ');
        }
    }

    /** Takes one character or sequence and returns where the next begins. */
    private int take(String sent, int at) {
        char c = sent.charAt(at);
        switch (c) {
            case '\u001b' -> {
                return sequence(sent, at + 1);
            }
            case '\r' -> column = 0;
            case '\n' -> line = Math.min(LINES - 1, line + 1);
            case '\b' -> column = Math.max(0, column - 1);
            default -> {
                if (c >= ' ') {
                    put(c);
                }
            }
        }
        return at + 1;
    }

    private void put(char c) {
        if (column == COLUMNS) {
            column = 0;
            line = Math.min(LINES - 1, line + 1);
        }
        cells[line][column++] = c;
    }

    private int sequence(String sent, int at) {
        if (at >= sent.length() || sent.charAt(at) != '[') {
            return at + (at < sent.length() && "()".indexOf(sent.charAt(at)) >= 0 ? 2 : 1);
        }
        int end = at + 1;
        while (end < sent.length() && (sent.charAt(end) < '@' || sent.charAt(end) > '~')) {
            end++;
        }
        if (end < sent.length()) {
            control(sent.charAt(end), sent.substring(at + 1, end));
        }
        return end + 1;
    }

    private void control(char kind, String parameters) {
        String[] parts = parameters.split(";", -1);
        int first = parts[0].matches("\\d+") ? Integer.parseInt(parts[0]) : -1;
        int count = Math.max(1, first);
        if (MOVES.indexOf(kind) >= 0) {
            column = Math.min(
                    column, COLUMNS - 1); // no longer behind the last column, where the next character would wrap
        }
        switch (kind) {
            case 'H' -> {
                line = Math.max(0, first - 1);
                column = parts.length > 1 ? Integer.parseInt(parts[1]) - 1 : 0;
            }
            case 'A' -> line = Math.max(0, line - count);
            case 'B' -> line = Math.min(LINES - 1, line + count);
            case 'C' -> column = Math.min(COLUMNS - 1, column + count);
            case 'D' -> column = Math.max(0, column - count);
            case 'G' -> column = count - 1;
            case 'd' -> line = count - 1;
            case 'K' -> Arrays.fill(cells[line], column, COLUMNS, ' ');
            case 'J' -> {
                if (first > 0) {
                    erase();
                } else {
                    Arrays.fill(cells[line], column, COLUMNS, ' ');
                    for (int below = line + 1; below < LINES; below++) {
                        Arrays.fill(cells[below], ' ');
                    }
                }
            }
            case 'P' -> {
                System.arraycopy(
                        cells[line],
                        Math.min(COLUMNS, column + count),
                        cells[line],
                        column,
                        Math.max(0, COLUMNS - column - count));
                Arrays.fill(cells[line], Math.max(column, COLUMNS - count), COLUMNS, ' ');
            }
            case '@' -> {
                System.arraycopy(
                        cells[line],
                        column,
                        cells[line],
                        Math.min(COLUMNS, column + count),
                        Math.max(0, COLUMNS - column - count));
                Arrays.fill(cells[line], column, Math.min(COLUMNS, column + count), ' ');
            }
            default -> {} // colours and modes
        }
    }

    String line(int number) {
        return new String(cells[number]).stripTrailing();
    }

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            all.append(line(i)).append('\n');
        }
        return all.toString();
    }
}
