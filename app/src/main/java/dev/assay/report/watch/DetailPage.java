package dev.assay.report.watch;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.pg.FastPathSlots;
import dev.assay.pg.Oid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jline.utils.AttributedString;

/** All about one session, or one finding, on the whole screen; the arrows scroll. */
final class DetailPage {

    private static final int LABEL = 16;

    private final WatchPicture picture;
    private final WatchView view;
    private final Pen pen;
    private final int width;
    private final List<AttributedString> out = new ArrayList<>();

    DetailPage(WatchPicture picture, WatchView view, Pen pen, int width) {
        this.picture = picture;
        this.view = view;
        this.pen = pen;
        this.width = width;
    }

    /** From the line on to which the user scrolled; scrolling ends at the last page. */
    List<AttributedString> lines(int height) {
        Integer pid = view.detailPid;
        if (pid != null) {
            session(pid);
        } else {
            finding();
        }
        int first = Math.max(0, Math.min(view.scroll, out.size() - height));
        return out.subList(first, Math.min(out.size(), first + height));
    }

    private void finding() {
        Optional<SeenFinding> found = picture.findings().stream()
                .filter(seen -> seen.finding().fingerprint().equals(view.detailFinding))
                .findFirst();
        if (found.isEmpty()) {
            heading("This finding is gone.");
            return;
        }
        SeenFinding seen = found.get();
        String until = seen.holds() ? "" : " until " + Times.clock(seen.lastSeen()) + " UTC, has ended";
        plain("Held since " + Times.clock(seen.firstSeen()) + " UTC" + until);
        FindingsList.text(seen.finding(), width).forEach(this::plain);
    }

    private void session(int pid) {
        Optional<ActivityRow> row = picture.rows(ActivityRow.class).stream()
                .filter(one -> one.pid() == pid)
                .findFirst();
        heading("Session " + pid + (row.isEmpty() ? ": idle or gone in the newest look" : ""));
        row.ifPresent(this::facts);
        blocking(pid);
        locks(pid);
    }

    private void facts(ActivityRow row) {
        WatchView all = new WatchView();
        SessionLine line = SessionLine.of(picture, all).stream()
                .filter(one -> one.pid() == row.pid())
                .findFirst()
                .orElseThrow();
        fact("user", line.user());
        fact("database", row.database() == null ? "" : row.database());
        fact("application", row.application());
        fact("client", row.clientAddress() == null ? "local or not visible" : row.clientAddress());
        fact("kind", row.backendType() == null ? "" : row.backendType());
        fact("state", row.state() + " for " + Times.seconds(line.stateSeconds()) + " s");
        if (row.active()) {
            fact("time goes to", row.timeGoesTo().toString());
        } else {
            fact("waits for", row.waitEvent() == null ? "" : row.waitEvent().toString());
        }
        fact("transaction", line.transactionSeconds() < 0 ? "none" : Times.seconds(line.transactionSeconds()) + " s");
        fact("holds snapshot", row.xminAge() == null ? "" : row.xminAge() + " transactions old");
        String slots = picture.slots()
                .map(FastPathSlots::total)
                .map(total -> " of " + total)
                .orElse("");
        fact(
                "lock slots",
                line.slotsTaken() < 0
                        ? "not seen"
                        : line.slotsTaken() + slots + ", " + line.overflow()
                                + " in the shared lock table for want of one");
        fact(
                "subtransactions",
                line.subtransactions() < 0
                        ? "not visible before 16"
                        : line.subtransactions() + (line.overflowed() ? " and more (overflowed)" : ""));
        fact("connected", row.backendStart() == null ? "" : Times.moment(row.backendStart()) + " UTC");
        heading("Statement");
        String text = row.literalText() != null ? row.literalText() : line.statement();
        Wrapped.lines(text.isEmpty() ? "none, or not visible to this role" : text, pen, width, out);
    }

    private void blocking(int pid) {
        List<BlockingRow> rows = picture.rows(BlockingRow.class);
        CatalogSnapshot catalog = picture.catalog();
        for (BlockingRow row : rows) {
            if (row.pid() == pid) {
                heading("Waits for");
                String on =
                        row.relation() == null ? row.object() : row.object() + ", " + catalog.nameOf(row.relation());
                Wrapped.lines(
                        row.mode().viewName() + " on " + on + "; blocked by " + pids(row.blockedBy()), pen, width, out);
            }
        }
        List<Integer> victims = rows.stream()
                .filter(row -> row.blockedBy().contains(pid))
                .map(BlockingRow::pid)
                .toList();
        if (!victims.isEmpty()) {
            heading("Blocks");
            Wrapped.lines(pids(victims), pen, width, out);
        }
    }

    private static String pids(List<Integer> pids) {
        return String.join(
                ", ",
                pids.stream()
                        .map(one -> one == BlockingRow.PREPARED ? "a prepared transaction" : one.toString())
                        .toList());
    }

    private void locks(int pid) {
        Optional<RelationLocksRow> row = picture.rows(RelationLocksRow.class).stream()
                .filter(one -> one.pid() == pid)
                .findFirst();
        if (row.isEmpty()) {
            return;
        }
        heading("Locks by relation: " + row.get().locks().size());
        Map<Oid, List<RelationLocksRow.Lock>> byRelation = new LinkedHashMap<>();
        row.get()
                .locks()
                .forEach(lock -> byRelation
                        .computeIfAbsent(lock.relation(), relation -> new ArrayList<>())
                        .add(lock));
        byRelation.forEach((relation, locks) -> {
            Line line = new Line(pen, width).add("  ");
            line.left(picture.catalog().nameOf(relation), Math.min(40, width / 2), pen.plain());
            for (RelationLocksRow.Lock lock : locks) {
                String place = !lock.granted() ? " WAITS" : lock.fastPath() ? " slot" : " shared table";
                line.add("  " + lock.mode().viewName() + place);
            }
            out.add(line.done());
        });
    }

    private void heading(String text) {
        if (!out.isEmpty()) {
            out.add(AttributedString.EMPTY);
        }
        out.add(new Line(pen, width).add(text, pen.bold()).done());
    }

    private void fact(String name, String value) {
        if (!value.isEmpty()) {
            out.add(new Line(pen, width)
                    .add("  ")
                    .left(name, LABEL, pen.faint())
                    .add(" " + value)
                    .done());
        }
    }

    private void plain(String text) {
        out.add(new Line(pen, width).add(text).done());
    }
}
