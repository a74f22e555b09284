package dev.assay.report.watch;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.SessionCountRow;
import dev.assay.observe.SelfCost;
import dev.assay.pg.Pooler;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.Vendor;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;

/** The first three lines: what is watched, how it is, which pane is open. */
final class HeadLines {

    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final WatchPicture picture;
    private final WatchView view;
    private final Pen pen;
    private final int width;

    HeadLines(WatchPicture picture, WatchView view, Pen pen, int width) {
        this.picture = picture;
        this.view = view;
        this.pen = pen;
        this.width = width;
    }

    List<AttributedString> lines() {
        return List.of(server(), state(), tabs());
    }

    /** Who runs it only where there is room for that. */
    private AttributedString server() {
        ServerFacts server = picture.scene().server();
        String version = server == null ? "PostgreSQL" : "PostgreSQL " + server.version();
        String vendor = server == null ? "" : vendor(server);
        String clock = " " + Times.clock(picture.at()) + " UTC";
        Line plain = server(version, "");
        Line named = vendor.isEmpty() ? plain : server(version, " (" + vendor + ")");
        Line line = named.column() + clock.length() <= width ? named : plain;
        return line.atEnd(" " + Times.moment(picture.at()) + " UTC", pen.plain())
                .atEnd(clock, pen.plain())
                .done();
    }

    private Line server(String version, String vendor) {
        Line line = new Line(pen, width).add(version, pen.bold()).add(vendor);
        line.add("  " + picture.scene().place());
        picture.newest(ServerRow.class)
                .flatMap(sample -> sample.rows().stream().findFirst())
                .ifPresent(row -> {
                    line.add(row.inRecovery() ? "  standby" : "  primary");
                    line.add("  up " + Times.length(Duration.between(row.startedAt(), picture.serverNow())));
                });
        return line;
    }

    /** Who runs the server and what stands in between, where that is not simply PostgreSQL. */
    private static String vendor(ServerFacts server) {
        String runs =
                server.vendor() == Vendor.POSTGRESQL ? "" : server.vendor().title();
        Pooler pooler = server.pooler();
        String through = pooler == null ? "" : "through " + pooler.name();
        return runs.isEmpty() || through.isEmpty() ? runs + through : runs + " " + through;
    }

    private AttributedString state() {
        Line line = new Line(pen, width);
        WatchPicture.Loss loss = picture.loss();
        if (loss != null) {
            line.add(
                    "SERVER LOST since " + Times.clock(loss.since()) + " UTC, trying again: " + loss.why(),
                    new Pen(pen.colour(), pen.ascii(), false).bad().inverse());
            return line.done();
        }
        List<ActivityRow> sessions = picture.rows(ActivityRow.class);
        line.add("sessions " + used());
        line.add("  active " + sessions.stream().filter(ActivityRow::active).count());
        long waiting = sessions.stream()
                .filter(row -> row.active()
                        && row.waitEvent() != null
                        && row.waitEvent().isHeavyweightLock())
                .count();
        line.add("  on locks " + waiting);
        long idle = sessions.stream()
                .filter(row -> row.state().startsWith("idle in transaction"))
                .count();
        line.add("  idle in xact " + idle);
        SelfCost cost = picture.scene().cost();
        if (cost != null && Double.isFinite(cost.shareOfCoresMax())) {
            line.add(String.format(
                    Locale.ROOT, "  own cost %s%.1f %%", cost.sameMachine() ? "" : "≤", cost.shareOfCoresMax() * 100));
            line.add(cost.slowedBy() > 1 ? " (looks " + cost.slowedBy() + " times rarer)" : "");
        }
        return line.atEnd(" " + standing(), pen.bold()).done();
    }

    private String used() {
        List<SessionCountRow> counts = picture.rows(SessionCountRow.class);
        String most =
                picture.setting("max_connections").map(setting -> "/" + setting).orElse("");
        if (counts.isEmpty()) {
            return "?" + most;
        }
        int used = counts.stream()
                .filter(SessionCountRow::client)
                .mapToInt(SessionCountRow::sessions)
                .sum();
        return used + most;
    }

    /** Live or not, and where in a recording. */
    private String standing() {
        WatchPicture.Playback playback = picture.scene().playback();
        if (playback == null) {
            if (view.frozen) {
                return "FROZEN";
            }
            boolean silent = picture.newest(ActivityRow.class)
                    .map(sample -> Duration.between(sample.at(), picture.at()).compareTo(SILENCE) > 0)
                    .orElse(false);
            return silent ? "NO ANSWER for " + silence() : "live";
        }
        double all = Duration.between(playback.from(), playback.to()).toMillis();
        double done = Duration.between(playback.from(), picture.at()).toMillis();
        return String.format(
                Locale.ROOT,
                "%s ×%s  %.0f %% of %s",
                playback.playing() ? "PLAY" : "PAUSE",
                speed(playback.speed()),
                all <= 0 ? 100 : Math.max(0, Math.min(100, 100 * done / all)),
                Times.length(Duration.between(playback.from(), playback.to())));
    }

    private String silence() {
        return picture.newest(ActivityRow.class)
                .map(sample -> Times.length(Duration.between(sample.at(), picture.at())))
                .orElse("");
    }

    private static String speed(double speed) {
        return speed == Math.rint(speed) ? Long.toString((long) speed) : Double.toString(speed);
    }

    private AttributedString tabs() {
        Line line = new Line(pen, width);
        long fresh = picture.findings().stream()
                .filter(found -> found.isNew(picture.at()))
                .count();
        long held = picture.findings().stream().filter(SeenFinding::holds).count();
        for (Pane pane : Pane.values()) {
            String count = pane == Pane.FINDINGS && held > 0 ? " " + held + (fresh > 0 ? " NEW" : "") : "";
            String title = " " + pane.number() + " " + pane.title() + count + " ";
            line.add(title, pane == view.pane ? pen.chosen() : fresh > 0 && !count.isEmpty() ? pen.bad() : pen.plain());
        }
        if (!view.filter.isEmpty()) {
            line.add("  filter: " + view.filter, pen.doubtful());
        }
        return line.atEnd(" ? help", pen.faint()).done();
    }
}
