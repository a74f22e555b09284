package dev.assay.report.watch;

import dev.assay.diagnose.Finding;
import dev.assay.report.TerminalReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/** Findings as they arise: those that hold now first, new ones marked, those that ended faint. */
final class FindingsList {

    private final WatchPicture picture;
    private final WatchView view;
    private final Pen pen;
    private final int width;

    FindingsList(WatchPicture picture, WatchView view, Pen pen, int width) {
        this.picture = picture;
        this.view = view;
        this.pen = pen;
        this.width = width;
    }

    List<AttributedString> lines(int height, boolean selectable) {
        List<AttributedString> out = new ArrayList<>();
        List<SeenFinding> findings = picture.findings();
        out.add(new Line(pen, width)
                .add("Findings", pen.bold())
                .add(
                        findings.isEmpty() ? "  none in the last minute" : "  of the last minute, and what ended",
                        pen.faint())
                .done());
        int chosen = selectable ? chosen() : -1;
        int first = selectable ? Scrolling.first(chosen, findings.size(), height - 1) : 0;
        for (int i = first; i < findings.size() && out.size() < height; i++) {
            out.add(line(findings.get(i), i == chosen));
        }
        return out;
    }

    /** The selected finding's place; -1 when there is none. */
    int chosen() {
        return Math.min(view.selected, picture.findings().size() - 1);
    }

    private AttributedString line(SeenFinding seen, boolean chosen) {
        Finding finding = seen.finding();
        String severity = finding.severity().name().toLowerCase(Locale.ROOT);
        AttributedStyle base = chosen ? pen.chosen() : seen.holds() ? pen.plain() : pen.faint();
        AttributedStyle strong = chosen || !seen.holds()
                ? base
                : switch (finding.severity()) {
                    case CRITICAL -> pen.bad();
                    case WARNING -> pen.doubtful();
                    case INFO -> pen.bold();
                };
        Line line = new Line(pen, width);
        line.left(seen.isNew(picture.at()) ? "NEW" : seen.holds() ? "" : "ended", 6, strong);
        line.left(severity, 9, strong).add(finding.title(), base);
        String share = Math.round(finding.shareOfDatabaseTime() * 100) + " % of database time, since ";
        line.add("  " + share + Times.clock(seen.firstSeen()), chosen ? base : pen.faint());
        if (!seen.holds()) {
            line.add(" until " + Times.clock(seen.lastSeen()), base);
        }
        return chosen ? line.blank(width, base).done() : line.done();
    }

    /** The whole of one finding, as {@code diagnose} prints it. */
    static List<String> text(Finding finding, int width) {
        return new TerminalReport(width, false).finding(finding);
    }
}
