package dev.assay.report.watch;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;

/**
 * Draws a picture: exactly as many lines as the screen has, none wider than it. Pure: the same picture, view and size give the same lines.
 *
 * <p>The overview shares the height out: the graph takes a third, pools of applications a line each, waits and blocking a fifth each, findings what they need, sessions the rest.
 * From 120 columns on, waits and blocking stand beside each other. Below 80x24 the lines are cut.
 */
public final class WatchScreen {

    public static final int WIDTH_MIN = 80;
    public static final int HEIGHT_MIN = 24;

    private static final int HEAD = 3;
    private static final int FOOT = 1;
    private static final int BESIDE = 120;
    private static final int POOLS = 3;

    private final WatchPicture picture;
    private final WatchView view;
    private final Pen pen;
    private final int width;
    private final int height;

    private WatchScreen(WatchPicture picture, WatchView view, Pen pen, int width, int height) {
        this.picture = picture;
        this.view = view;
        this.pen = picture.loss() == null ? pen : pen.greyed();
        this.width = width;
        this.height = height;
    }

    /**
     * The lines of the screen.
     *
     * @param width columns of the terminal
     * @param height its lines
     */
    public static List<AttributedString> render(WatchPicture picture, WatchView view, Pen pen, int width, int height) {
        return new WatchScreen(picture, view, pen, Math.max(1, width), Math.max(1, height)).lines();
    }

    private List<AttributedString> lines() {
        List<AttributedString> out = new ArrayList<>(new HeadLines(picture, view, pen, width).lines());
        int room = Math.max(0, height - HEAD - FOOT);
        List<AttributedString> body = room == 0 ? List.of() : body(room);
        out.addAll(body.subList(0, Math.min(room, body.size())));
        while (out.size() < height - FOOT) {
            out.add(AttributedString.EMPTY);
        }
        out.add(foot());
        return out.subList(Math.max(0, out.size() - height), out.size());
    }

    private List<AttributedString> body(int room) {
        if (view.help) {
            return HelpPage.lines(picture, pen, width, room);
        }
        if (view.showsDetail()) {
            return new DetailPage(picture, view, pen, width).lines(room);
        }
        return switch (view.pane) {
            case OVERVIEW -> overview(room);
            case WAITS -> waits(room);
            case SESSIONS -> new SessionTable(picture, view, pen, width).lines(room);
            case BLOCKING -> new BlockingList(picture, view, pen, width).lines(room, true);
            case VACUUM -> vacuum(room);
            case FINDINGS -> findings(room);
        };
    }

    private List<AttributedString> overview(int room) {
        int graph = Math.max(5, Math.min(24, room / 3 + 1));
        List<AttributedString> out = new ArrayList<>(new LoadGraph(picture, view, pen, width, graph).lines());
        out.addAll(new PoolLines(picture, pen, width).lines(POOLS));
        int middle = Math.max(3, room / 5);
        List<AttributedString> blocking = new BlockingList(picture, view, pen, part()).lines(middle, false);
        if (width >= BESIDE) {
            List<AttributedString> waits = new WaitTable(picture, pen, part()).waits(middle);
            out.addAll(beside(waits, blocking));
        } else {
            out.addAll(new WaitTable(picture, pen, width).waits(middle));
            if (blocking.size() > 1) {
                out.addAll(blocking);
            }
        }
        int shown = Math.min(
                3, (int) picture.findings().stream().filter(SeenFinding::holds).count());
        int sessions = room - out.size() - (shown > 0 ? shown : 0);
        out.addAll(new SessionTable(picture, view, pen, width).lines(Math.max(2, sessions)));
        if (shown > 0) {
            while (out.size() < room - shown) {
                out.add(AttributedString.EMPTY);
            }
            List<AttributedString> findings = new FindingsList(picture, view, pen, width).lines(shown + 1, false);
            out.addAll(Math.min(out.size(), room - shown), findings.subList(1, findings.size()));
        }
        return out;
    }

    /** Half of the width, with a blank between the halves. */
    private int part() {
        return width >= BESIDE ? (width - 2) / 2 : width;
    }

    private List<AttributedString> beside(List<AttributedString> left, List<AttributedString> right) {
        List<AttributedString> out = new ArrayList<>();
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            AttributedString first = i < left.size() ? left.get(i) : AttributedString.EMPTY;
            AttributedString second = i < right.size() ? right.get(i) : AttributedString.EMPTY;
            AttributedString blanks = new AttributedString(" ".repeat(Math.max(0, part() + 2 - first.columnLength())));
            out.add(AttributedString.join(AttributedString.EMPTY, first, blanks, second));
        }
        return out;
    }

    private List<AttributedString> waits(int room) {
        int graph = Math.max(6, room / 2);
        List<AttributedString> out = new ArrayList<>(new LoadGraph(picture, view, pen, width, graph).lines());
        int rest = room - graph;
        out.addAll(new WaitTable(picture, pen, width).waits(Math.max(3, rest / 2)));
        int left = room - out.size();
        if (left >= 2) {
            out.addAll(new WaitTable(picture, pen, width).statements(left));
        }
        return out;
    }

    private List<AttributedString> vacuum(int room) {
        VacuumTable table = new VacuumTable(picture, pen, width);
        List<AttributedString> out = new ArrayList<>(table.lines(Math.max(2, room * 2 / 3)));
        out.add(AttributedString.EMPTY);
        out.addAll(table.horizon(room - out.size()));
        return out;
    }

    private List<AttributedString> findings(int room) {
        List<AttributedString> unseen = new ArrayList<>();
        if (!picture.refused().isEmpty()) {
            unseen.add(new Line(pen, width).add("Not visible", pen.bold()).done());
            picture.refused()
                    .forEach(missing -> Wrapped.lines(missing.what() + ": " + missing.why(), pen, width, unseen));
        }
        int kept = Math.min(unseen.size(), room / 2);
        List<AttributedString> out =
                new ArrayList<>(new FindingsList(picture, view, pen, width).lines(room - kept - 1, true));
        out.add(AttributedString.EMPTY);
        out.addAll(unseen.subList(0, kept));
        return out;
    }

    private AttributedString foot() {
        Line line = new Line(pen, width);
        WatchView.Input input = view.input;
        if (input != null) {
            return line.add(input.prompt() + view.typed + "_", pen.bold()).done();
        }
        if (!view.message.isEmpty()) {
            return line.add(view.message, pen.doubtful()).done();
        }
        return line.add(keys(), pen.faint()).done();
    }

    private String keys() {
        if (view.help) {
            return "any key goes back";
        }
        if (view.showsDetail()) {
            return "Enter or Esc goes back  arrows, PgUp, PgDn scroll  q quit";
        }
        String playback = picture.scene().playback() == null
                ? "Space freeze"
                : "Space play/pause  ←→ 10 s  [] 1 min  {} episode  +- speed  g go to";
        return "q quit  ? help  " + playback + "  / filter  s sort  r reverse  z zoom  Enter details";
    }
}
