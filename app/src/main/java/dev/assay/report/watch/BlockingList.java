package dev.assay.report.watch;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.BlockingTree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;

/** Root blockers with their victims below them. */
final class BlockingList {

    private static final int BRANCH_MAX = 24;

    private final WatchPicture picture;
    private final WatchView view;
    private final Pen pen;
    private final int width;
    private final List<Node> nodes;
    private final Map<Integer, BlockingRow> waits = new HashMap<>();
    private final Map<Integer, ActivityRow> sessions = new HashMap<>();

    BlockingList(WatchPicture picture, WatchView view, Pen pen, int width) {
        this.picture = picture;
        this.view = view;
        this.pen = pen;
        this.width = width;
        this.nodes = of(picture);
        picture.rows(BlockingRow.class).forEach(row -> waits.put(row.session(), row));
        picture.rows(ActivityRow.class).forEach(row -> sessions.put(row.pid(), row));
    }

    /**
     * One process in the list.
     *
     * @param branch what stands before it in the tree; empty for one that waits for nobody
     * @param victims how many wait for it, directly or through others
     */
    private record Node(int pid, String branch, int victims) {}

    /** Who waits for whom now; nobody when the newest look at the sessions saw no lock wait, whatever an older look at the locks said. */
    private static List<Node> of(WatchPicture picture) {
        boolean waits = picture.rows(ActivityRow.class).stream()
                .anyMatch(row -> row.waitEvent() != null && row.waitEvent().isHeavyweightLock());
        BlockingTree tree = BlockingTree.of(waits ? picture.rows(BlockingRow.class) : List.of());
        List<Node> nodes = new ArrayList<>();
        for (BlockingTree.Root root : tree.roots()) {
            nodes.add(new Node(root.pid(), "", root.victims()));
            below(tree, root.pid(), "", nodes);
        }
        tree.deadlocked().forEach(pid -> nodes.add(new Node(pid, "", 0)));
        return nodes;
    }

    private static int below(BlockingTree tree, int pid, String above, List<Node> nodes) {
        int count = 0;
        List<Integer> victims = tree.under(pid);
        String deeper = above.length() < BRANCH_MAX ? above : above.substring(3);
        for (int i = 0; i < victims.size(); i++) {
            boolean last = i == victims.size() - 1;
            int at = nodes.size();
            nodes.add(new Node(victims.get(i), "", 0));
            int behind = below(tree, victims.get(i), deeper + (last ? "   " : "│  "), nodes);
            nodes.set(at, new Node(victims.get(i), deeper + (last ? "└─ " : "├─ "), behind));
            count += 1 + behind;
        }
        return count;
    }

    /** The processes from top to bottom, as they can be selected. */
    static List<Integer> pids(WatchPicture picture) {
        return of(picture).stream().map(Node::pid).toList();
    }

    List<AttributedString> lines(int height, boolean selectable) {
        List<AttributedString> out = new ArrayList<>();
        long roots = nodes.stream().filter(node -> node.branch().isEmpty()).count();
        Line head = new Line(pen, width).add("Blocking", pen.bold());
        String waiting = "  " + waits.size() + " wait, behind " + roots;
        head.add(nodes.isEmpty() ? "  nobody waits for a lock" : waiting, pen.faint());
        out.add(head.done());
        int room = height - 1;
        int chosen = selectable ? chosen() : -1;
        int first = selectable ? Scrolling.first(chosen, nodes.size(), room) : 0;
        for (int i = first; i < Math.min(nodes.size(), first + room); i++) {
            out.add(line(nodes.get(i), i == chosen));
        }
        return out;
    }

    private int chosen() {
        Integer pid = view.selectedPid;
        for (int i = 0; i < nodes.size(); i++) {
            if (pid != null && nodes.get(i).pid() == pid) {
                return i;
            }
        }
        return Math.min(view.selected, nodes.size() - 1);
    }

    private AttributedString line(Node node, boolean chosen) {
        AttributedStyle base = chosen ? pen.chosen() : pen.plain();
        Line line = new Line(pen, width);
        line.add(node.branch(), base);
        line.add(name(node.pid()), node.branch().isEmpty() && !chosen ? pen.bold() : base);
        if (node.victims() > 0) {
            line.add("  blocks " + node.victims(), node.branch().isEmpty() && !chosen ? pen.bad() : base);
        }
        BlockingRow waiting = waits.get(node.pid());
        ActivityRow session = sessions.get(node.pid());
        if (waiting != null) {
            line.add(
                    "  waits" + since(waiting.waitingSince()) + " for "
                            + waiting.mode().viewName() + " on " + what(waiting),
                    base);
            int others = waiting.blockers() - 1;
            line.add(others > 0 ? " (and " + others + " more before it)" : "", base);
        } else if (session != null) {
            line.add("  " + session.state() + since(session.stateChange()), base);
        }
        if (session != null && session.statement() != null) {
            line.add("  " + session.statement().text(), chosen ? base : pen.faint());
        }
        return chosen ? line.blank(width, base).done() : line.done();
    }

    private String since(@Nullable Instant begin) {
        if (begin == null) {
            return "";
        }
        double seconds = Duration.between(begin, picture.serverNow()).toMillis() / 1000.0;
        return " " + Times.seconds(Math.max(0, seconds)) + (seconds < 600 ? " s" : "");
    }

    /** {@code 4711 user application}. */
    private String name(int pid) {
        if (pid == BlockingRow.PREPARED) {
            return "a prepared transaction";
        }
        ActivityRow session = sessions.get(pid);
        if (session == null) {
            return Integer.toString(pid);
        }
        String user = session.user() == null ? "" : " " + session.user();
        return pid + user + (session.application().isEmpty() ? "" : " " + session.application());
    }

    /** The lock's key, with names for relations. */
    private String what(BlockingRow row) {
        return row.relation() == null
                ? row.object()
                : row.object()
                        .replace("relation " + row.relation(), picture.catalog().nameOf(row.relation()));
    }
}
