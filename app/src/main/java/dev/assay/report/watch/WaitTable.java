package dev.assay.report.watch;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.WaitProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jline.utils.AttributedString;

/** Where the active sessions' time of the last minute went: wait events, and statements. */
final class WaitTable {

    private static final int NAME = 30;
    private static final int FIGURE = 8;
    private static final int BAR_MAX = 40;

    private final WatchPicture picture;
    private final Pen pen;
    private final int width;

    WaitTable(WatchPicture picture, Pen pen, int width) {
        this.picture = picture;
        this.pen = pen;
        this.width = width;
    }

    /** Wait events, the largest first. */
    List<AttributedString> waits(int height) {
        List<AttributedString> out = new ArrayList<>();
        WaitProfile profile = picture.waits();
        out.add(head("Waits of the last minute", profile.samples()));
        for (WaitProfile.Slice slice : profile.slices()) {
            if (out.size() >= height) {
                break;
            }
            WaitClass kind = WaitClass.of(slice.waitEvent());
            Line line = new Line(pen, width);
            line.add(Character.toString(kind.letter()), pen.area(kind)).add(" ");
            line.left(slice.waitEvent().toString(), NAME - 2, pen.ink(kind));
            figures(line, slice.aas(), slice.share(), slice.sessionSamples());
            bar(line, slice.share(), kind);
            out.add(line.done());
        }
        if (profile.slices().isEmpty() && out.size() < height) {
            out.add(new Line(pen, width)
                    .add("  No session was active.", pen.faint())
                    .done());
        }
        return out;
    }

    /** Statements, those first that took most of the active sessions' time. */
    List<AttributedString> statements(int height) {
        List<AttributedString> out = new ArrayList<>();
        Map<StatementId, Long> seen = new HashMap<>();
        long total = 0;
        List<Sample<ActivityRow>> looks = picture.window(ActivityRow.class);
        for (Sample<ActivityRow> look : looks) {
            for (ActivityRow row : look.rows()) {
                if (row.active()) {
                    total++;
                    if (row.statement() != null) {
                        seen.merge(row.statement(), 1L, Long::sum);
                    }
                }
            }
        }
        out.add(head("Statements", looks.size()));
        List<Map.Entry<StatementId, Long>> sorted = new ArrayList<>(seen.entrySet());
        sorted.sort(Map.Entry.<StatementId, Long>comparingByValue()
                .reversed()
                .thenComparing(entry -> entry.getKey().text()));
        for (Map.Entry<StatementId, Long> entry : sorted) {
            if (out.size() >= height) {
                break;
            }
            Line line = new Line(pen, width);
            double aas = entry.getValue() / (double) looks.size();
            figures(line, aas, entry.getValue() / (double) total, entry.getValue());
            out.add(line.add("  " + entry.getKey().text()).done());
        }
        return out;
    }

    private AttributedString head(String title, int looks) {
        Line line = new Line(pen, width);
        if (title.startsWith("Waits")) {
            line.left(title, NAME, pen.bold());
        }
        line.right("AAS", FIGURE, pen.bold());
        line.right("share", FIGURE, pen.bold());
        line.right("samples", FIGURE + 1, pen.bold());
        if (!title.startsWith("Waits")) {
            line.add("  " + title, pen.bold());
        }
        return line.atEnd(" of " + looks + " looks", pen.faint()).done();
    }

    private void figures(Line line, double aas, double share, long samples) {
        line.right(String.format(Locale.ROOT, "%.2f", aas), FIGURE, pen.plain());
        line.right(String.format(Locale.ROOT, "%.1f %%", share * 100), FIGURE, pen.plain());
        line.right(Long.toString(samples), FIGURE + 1, pen.plain());
    }

    private void bar(Line line, double share, WaitClass kind) {
        int room = Math.min(BAR_MAX, width - line.column() - 2);
        if (room >= 4) {
            line.add("  ").add("█".repeat((int) Math.ceil(share * room)), pen.ink(kind));
        }
    }
}
