package dev.assay.report.watch;

import java.util.List;

/** Which lines of a long list are on the screen. */
final class Scrolling {

    private Scrolling() {}

    /** Where the selected session is now: where it moved to, or the one at its old place when it is gone; -1 in an empty list. */
    static int chosen(List<SessionLine> lines, WatchView view) {
        Integer pid = view.selectedPid;
        if (pid != null) {
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).pid() == pid) {
                    return i;
                }
            }
        }
        return Math.min(view.selected, lines.size() - 1);
    }

    /** The first line to show so that the chosen one is on the screen, in the middle where there is more on both sides. */
    static int first(int chosen, int count, int room) {
        return Math.max(0, Math.min(chosen - room / 2, count - room));
    }
}
