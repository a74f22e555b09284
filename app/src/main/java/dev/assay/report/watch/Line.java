package dev.assay.report.watch;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** One line of the screen, written from left to right; what goes beyond its width is cut. Belongs to one thread. */
final class Line {

    private final Pen pen;
    private final int width;
    private final AttributedStringBuilder text = new AttributedStringBuilder();
    private int column;

    Line(Pen pen, int width) {
        this.pen = pen;
        this.width = width;
    }

    Line add(String more) {
        return add(more, pen.plain());
    }

    Line add(String more, AttributedStyle style) {
        String cut = pen.cut(pen.clean(more), width - column);
        text.styled(style, cut);
        column += Pen.width(cut);
        return this;
    }

    /** In exactly that many columns, from the left. */
    Line left(String more, int columns, AttributedStyle style) {
        int room = Math.min(columns, width - column);
        if (room <= 0) {
            return this;
        }
        String cut = pen.cut(pen.clean(more), room);
        return add(cut, style).blank(room - Pen.width(cut), style);
    }

    /** In exactly that many columns, up to the right. */
    Line right(String more, int columns, AttributedStyle style) {
        int room = Math.min(columns, width - column);
        if (room <= 0) {
            return this;
        }
        String cut = pen.cut(pen.clean(more), room);
        return blank(room - Pen.width(cut), style).add(cut, style);
    }

    /** Blanks in that style. */
    Line blank(int columns, AttributedStyle style) {
        int room = Math.max(0, Math.min(columns, width - column));
        text.styled(style, " ".repeat(room));
        column += room;
        return this;
    }

    /** Blanks up to that column. */
    Line to(int wanted) {
        return blank(wanted - column, pen.plain());
    }

    /** The text at the right end, when there is room for it. */
    Line atEnd(String more, AttributedStyle style) {
        String clean = pen.clean(more);
        int from = width - Pen.width(clean);
        return from >= column ? to(from).add(clean, style) : this;
    }

    int column() {
        return column;
    }

    AttributedString done() {
        return text.toAttributedString();
    }
}
