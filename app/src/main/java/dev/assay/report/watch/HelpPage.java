package dev.assay.report.watch;

import java.util.List;
import org.jline.utils.AttributedString;

/** The keys. */
final class HelpPage {

    private static final int KEY = 22;

    private static final List<String[]> BOTH = List.of(
            new String[] {"1 to 6, Tab", "overview, waits, sessions, blocking, vacuum, findings"},
            new String[] {"arrows, PgUp, PgDn", "move the selection, or scroll"},
            new String[] {"Enter, Esc", "details of the selected session or finding, and back"},
            new String[] {"s, r", "sort sessions by the next column, turn the order round"},
            new String[] {"/", "filter by user, database, application, wait, statement"},
            new String[] {"z", "seconds in a column of the graph: 1, 5, 15, 60"},
            new String[] {"q, Ctrl-C", "end"});

    private static final List<String[]> LIVE = List.of(new String[][] {{"Space", "freeze the picture, and go on"}});

    private static final List<String[]> RECORDED = List.of(
            new String[] {"Space", "play, pause"},
            new String[] {"left, right", "10 s back or on; with Shift, or [ and ], one minute"},
            new String[] {"{ and }", "previous and next episode"},
            new String[] {"+, -", "play twice as fast, half as fast"},
            new String[] {"g", "go to a time"});

    private HelpPage() {}

    static List<AttributedString> lines(WatchPicture picture, Pen pen, int width, int height) {
        boolean recorded = picture.scene().playback() != null;
        List<AttributedString> out = new java.util.ArrayList<>();
        out.add(new Line(pen, width).add("Keys", pen.bold()).done());
        (recorded ? RECORDED : LIVE).forEach(key -> out.add(line(key, pen, width)));
        BOTH.forEach(key -> out.add(line(key, pen, width)));
        out.add(AttributedString.EMPTY);
        for (String text : List.of(
                "A letter stands for each kind of wait: C CPU, I IO, W LWLock, L Lock, B BufferPin, P IPC, N Client, T Timeout.",
                "slots: fast-path lock slots taken; +n: locks that found none and are in the shared lock table.",
                "sub: subtransactions listed; ! means more than 64, so that every other session pays for its snapshots.")) {
            Wrapped.lines(text, pen, width, out);
        }
        return out.subList(0, Math.min(height, out.size()));
    }

    private static AttributedString line(String[] key, Pen pen, int width) {
        return new Line(pen, width)
                .add("  ")
                .left(key[0], KEY, pen.bold())
                .add(key[1])
                .done();
    }
}
