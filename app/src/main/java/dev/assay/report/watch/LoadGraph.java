package dev.assay.report.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jline.utils.AttributedString;

/**
 * Average active sessions over time, stacked by wait class, with a line at the number of cores: above it sessions wait for a core or for each
 * other. A time in which nobody looked is drawn as such.
 */
final class LoadGraph {

    /** Seconds of a column, by zoom; the last shows an hour on 60 columns. */
    static final int[] ZOOMS = {1, 5, 15, 60};

    private static final int AXIS = 7;
    private static final String EIGHTHS = "▁▂▃▄▅▆▇";
    private static final double[] STEPS = {1, 2, 3, 4, 5, 6, 8, 10};

    private final WatchPicture picture;
    private final Pen pen;
    private final int width;
    private final int rows;
    private final int secondsEach;
    private final List<LoadSeries.Column> columns;
    private final OptionalInt cores;
    private final double top;

    /**
     * Prepares it.
     *
     * @param height lines in all, at least 4: a title, two rows, an axis
     */
    LoadGraph(WatchPicture picture, WatchView view, Pen pen, int width, int height) {
        this.picture = picture;
        this.pen = pen;
        this.width = width;
        this.rows = height - 2;
        this.secondsEach = ZOOMS[view.zoom];
        this.columns =
                picture.load().columns(picture.at().getEpochSecond(), secondsEach, Math.max(1, width - AXIS - 1));
        this.cores = picture.cores();
        double most =
                columns.stream().mapToDouble(LoadSeries.Column::total).max().orElse(0);
        this.top = niceAbove(Math.max(most, cores.orElse(1)));
    }

    /** The smallest of 1, 2, 3, 4, 5, 6, 8, 10 and their tenfolds that is not below. */
    static double niceAbove(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(1, value))));
        for (double step : STEPS) {
            if (step * power >= value - 1e-9) {
                return step * power;
            }
        }
        return 10 * power;
    }

    List<AttributedString> lines() {
        List<AttributedString> out = new ArrayList<>();
        out.add(title());
        for (int row = rows - 1; row >= 0; row--) {
            out.add(row(row));
        }
        out.add(axis());
        return out;
    }

    /** Now by class, the largest first, as long as there is room. */
    private AttributedString title() {
        Line line = new Line(pen, width);
        LoadSeries.Column now = columns.get(columns.size() - 1);
        line.add("Active sessions ", pen.bold());
        line.add(now.seen() ? figure(now.total()) : "not seen", pen.bold());
        String cpu = cores.isPresent() ? cores.getAsInt() + " cores ─" : "cores unknown: another machine";
        List<WaitClass> classes = new ArrayList<>(List.of(WaitClass.values()));
        double[] recent = new double[classes.size()];
        for (LoadSeries.Column column : columns) {
            for (WaitClass kind : classes) {
                recent[kind.place()] += column.aas(kind);
            }
        }
        classes.removeIf(kind -> recent[kind.place()] == 0);
        classes.sort((a, b) -> Double.compare(recent[b.place()], recent[a.place()]));
        int room = width - Pen.width(pen.clean(cpu)) - 1;
        for (WaitClass kind : classes) {
            String text = kind.letter() + "=" + kind.word() + " " + figure(now.aas(kind));
            if (line.column() + 2 + text.length() > room) {
                break;
            }
            line.add("  ").add(text.substring(0, 1), pen.area(kind)).add(text.substring(1), pen.ink(kind));
        }
        return line.atEnd(cpu, pen.faint()).done();
    }

    private static String figure(double aas) {
        return aas >= 100 ? String.format(Locale.ROOT, "%.0f", aas) : String.format(Locale.ROOT, "%.1f", aas);
    }

    private double unit() {
        return top / rows;
    }

    private AttributedString row(int row) {
        int coresRow = cores.isPresent() ? (int) Math.ceil(cores.getAsInt() / unit() - 1e-9) - 1 : -1;
        String label = row == rows - 1 ? figure(top) : row == coresRow ? cores.getAsInt() + " cpu" : "";
        Line line = new Line(pen, width).right(label, AXIS - 1, pen.faint()).add("│", pen.faint());
        for (LoadSeries.Column column : columns) {
            cell(line, column, row, row == coresRow);
        }
        return line.done();
    }

    private void cell(Line line, LoadSeries.Column column, int row, boolean atCores) {
        if (!column.seen()) {
            line.add(atCores ? "─" : "·", pen.faint());
            return;
        }
        double from = row * unit();
        double filled = Math.min(1, (column.total() - from) / unit());
        if (filled <= 1e-9) {
            line.add(atCores ? "─" : " ", pen.faint());
            return;
        }
        WaitClass kind = largest(column, from, from + unit());
        if (filled > 15 / 16.0) {
            line.add(atCores ? "─" : Character.toString(kind.letter()), pen.area(kind));
        } else if (atCores) {
            line.add("─", pen.ink(kind));
        } else {
            int eighth = Math.max(1, Math.min(7, (int) Math.round(filled * 8)));
            line.add(EIGHTHS.substring(eighth - 1, eighth), pen.ink(kind));
        }
    }

    /** The class that fills most of the stack between two heights. */
    private static WaitClass largest(LoadSeries.Column column, double from, double to) {
        WaitClass largest = WaitClass.CPU;
        double most = -1;
        double bottom = 0;
        for (WaitClass kind : WaitClass.values()) {
            double height = column.aas(kind);
            double inside = Math.min(to, bottom + height) - Math.max(from, bottom);
            if (height > 0 && inside > most) {
                most = inside;
                largest = kind;
            }
            bottom += height;
        }
        return largest;
    }

    private AttributedString axis() {
        Instant end = picture.at();
        Instant begin = end.minus(Duration.ofSeconds((long) secondsEach * (columns.size() - 1)));
        boolean gap = columns.stream().anyMatch(column -> !column.seen());
        return new Line(pen, width)
                .right("0", AXIS - 1, pen.faint())
                .add("└", pen.faint())
                .add(Times.clock(begin), pen.faint())
                .add("  a column is " + secondsEach + " s" + (gap ? ", · not seen" : ""), pen.faint())
                .atEnd(Times.clock(end) + " UTC ", pen.faint())
                .done();
    }
}
