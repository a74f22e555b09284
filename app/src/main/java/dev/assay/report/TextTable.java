package dev.assay.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table for the terminal: first column to the left, the others as asked. What does not fit the width side by side goes on below, with the
 * first column repeated.
 */
final class TextTable {

    private static final String GAP = "  ";

    private final List<Column> columns = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    private record Column(String head, boolean right) {}

    TextTable left(String head) {
        columns.add(new Column(head, false));
        return this;
    }

    TextTable right(String head) {
        columns.add(new Column(head, true));
        return this;
    }

    /** A row of as many cells as there are columns. */
    TextTable row(List<String> cells) {
        assert cells.size() == columns.size() : cells.size() + " cells for " + columns.size() + " columns";
        rows.add(cells.stream().map(Ink::clean).toList());
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The lines, indented by {@code indent}; heads in faint ink. */
    List<String> lines(int width, int indent, Ink ink) {
        int[] widths = IntStream.range(0, columns.size()).map(this::widthOf).toArray();
        List<String> lines = new ArrayList<>();
        int next = 1;
        do {
            List<Integer> shown = new ArrayList<>(List.of(0));
            int used = indent + widths[0];
            while (next < columns.size() && (shown.size() == 1 || used + GAP.length() + widths[next] <= width)) {
                used += GAP.length() + widths[next];
                shown.add(next);
                next++;
            }
            lines.add(" ".repeat(indent) + ink.faint(line(shown, widths, heads())));
            rows.forEach(row -> lines.add(" ".repeat(indent) + line(shown, widths, row)));
            if (next < columns.size()) {
                lines.add("");
            }
        } while (next < columns.size());
        return lines;
    }

    private List<String> heads() {
        return columns.stream().map(Column::head).toList();
    }

    private int widthOf(int column) {
        int widest = columns.get(column).head().length();
        for (List<String> row : rows) {
            widest = Math.max(widest, row.get(column).length());
        }
        return widest;
    }

    private String line(List<Integer> shown, int[] widths, List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int column : shown) {
            line.append(column == 0 ? "" : GAP);
            String cell = cells.get(column);
            line.append(
                    columns.get(column).right() ? Ink.padLeft(cell, widths[column]) : Ink.pad(cell, widths[column]));
        }
        return line.toString().stripTrailing();
    }
}
