package dev.assay.report.watch;

import dev.assay.pg.FastPathSlots;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/** Sessions, one a line; the statement takes what is left of the width. */
final class SessionTable {

    private static final int WIDE = 100;
    private static final int PID = 7;
    private static final int WHO = 9;
    private static final int WHO_WIDE = 16;
    private static final int USER = 10;
    private static final int DOING = 19;
    private static final int DOING_WIDE = 24;
    private static final int TIME = 6;
    private static final int SLOTS = 7;
    private static final int SUBTRANSACTIONS = 4;

    private final WatchPicture picture;
    private final WatchView view;
    private final Pen pen;
    private final int width;

    SessionTable(WatchPicture picture, WatchView view, Pen pen, int width) {
        this.picture = picture;
        this.view = view;
        this.pen = pen;
        this.width = width;
    }

    /** A head and as many sessions as fit; the selected one is among them. */
    List<AttributedString> lines(int height) {
        List<AttributedString> out = new ArrayList<>();
        if (height < 2) {
            return out;
        }
        List<SessionLine> all = SessionLine.of(picture, view);
        int room = height - 1;
        int chosen = Scrolling.chosen(all, view);
        int first = Scrolling.first(chosen, all.size(), room);
        out.add(head(all.size(), first, Math.min(room, all.size() - first)));
        for (int i = first; i < Math.min(all.size(), first + room); i++) {
            out.add(line(all.get(i), i == chosen));
        }
        if (all.isEmpty()) {
            String nobody = view.filter.isEmpty()
                    ? "No session is at work."
                    : "No session matches '" + view.filter + "' (/ changes the filter, Esc ends it).";
            out.add(new Line(pen, width).add("  " + nobody, pen.faint()).done());
        }
        return out;
    }

    private AttributedString head(int count, int first, int shown) {
        Line line = new Line(pen, width);
        head(line, SessionSort.PID, PID, true).blank(1, pen.bold());
        if (width >= WIDE) {
            head(line, SessionSort.USER, USER, false).blank(1, pen.bold());
            head(line, SessionSort.APPLICATION, WHO_WIDE, false).blank(1, pen.bold());
        } else {
            head(line, SessionSort.APPLICATION, WHO, false).blank(1, pen.bold());
        }
        head(line, SessionSort.DOING, doing(), false);
        head(line, SessionSort.STATE_TIME, TIME + 1, true);
        head(line, SessionSort.TRANSACTION, TIME + 1, true);
        String slots =
                picture.slots().map(FastPathSlots::total).map(all -> "/" + all).orElse("");
        right(line, title(SessionSort.SLOTS).replace("slots", slots.isEmpty() ? "slots" : "slot" + slots), SLOTS + 1);
        head(line, SessionSort.SUBTRANSACTIONS, SUBTRANSACTIONS + 1, true).blank(1, pen.bold());
        String range = shown < count ? (first + 1) + "-" + (first + shown) + "/" + count : count + "";
        boolean both = line.column() + "statement".length() + range.length() < width;
        line.add(both ? "statement" : "", pen.bold()).atEnd(range, pen.faint());
        return line.done();
    }

    private String title(SessionSort sort) {
        String arrow = view.reversed ? "▲" : "▼";
        String title = sort == SessionSort.APPLICATION && width < WIDE ? "who" : sort.title();
        return view.sort == sort ? arrow + title : title;
    }

    private Line head(Line line, SessionSort sort, int columns, boolean right) {
        String title = title(sort);
        return right ? right(line, title, columns) : line.left(title, columns, pen.bold());
    }

    private Line right(Line line, String text, int columns) {
        return line.right(text, columns, pen.bold());
    }

    private int doing() {
        return width >= WIDE ? DOING_WIDE : DOING;
    }

    private AttributedString line(SessionLine session, boolean chosen) {
        AttributedStyle base = chosen ? pen.chosen() : pen.plain();
        Line line = new Line(pen, width);
        line.right(Integer.toString(session.pid()), PID, base).blank(1, base);
        if (width >= WIDE) {
            line.left(session.user(), USER, base).blank(1, base);
            line.left(session.who(), WHO_WIDE, base).blank(1, base);
        } else {
            line.left(session.who(), WHO, base).blank(1, base);
        }
        boolean works = session.row().active();
        AttributedStyle doing =
                chosen || !works ? base : pen.ink(WaitClass.of(session.row().timeGoesTo()));
        line.left(session.doing(), doing(), doing);
        line.right(Times.seconds(session.stateSeconds()), TIME + 1, base);
        line.right(Times.seconds(session.transactionSeconds()), TIME + 1, base);
        line.right(session.slots(), SLOTS + 1, chosen || session.overflow() == 0 ? base : pen.doubtful());
        line.right(
                session.subtransactionText(),
                SUBTRANSACTIONS + 1,
                chosen || !session.overflowed() ? base : pen.doubtful());
        line.blank(1, base).add(session.statement(), base);
        if (chosen) {
            line.blank(width, base);
        }
        return line.done();
    }
}
