package dev.assay.report.watch;

import java.util.List;
import org.jline.utils.AttributedString;

/** A text that is shown whole, on as many lines as it takes. */
final class Wrapped {

    private static final int ROOM_MIN = 10;

    private Wrapped() {}

    /** Adds the lines, two columns to the right, broken at blanks where there are some. */
    static void lines(String text, Pen pen, int width, List<AttributedString> out) {
        String rest = pen.clean(text);
        int room = Math.max(ROOM_MIN, width - 2);
        while (!rest.isEmpty()) {
            int end = end(rest, room);
            out.add(new Line(pen, width).add("  " + rest.substring(0, end)).done());
            rest = rest.substring(end).stripLeading();
        }
    }

    /** How many characters fit into the columns, up to the last blank where that is not far before. */
    private static int end(String text, int room) {
        if (Pen.width(text) <= room) {
            return text.length();
        }
        int end = 0;
        int columns = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            columns += Pen.width(Character.toString(point));
            if (columns > room) {
                break;
            }
            end += Character.charCount(point);
        }
        int blank = text.lastIndexOf(' ', end);
        return blank > room / 2 ? blank : end;
    }
}
