package dev.assay.cli;

import dev.assay.report.watch.KeyPress;
import dev.assay.report.watch.Pen;
import dev.assay.report.watch.WatchControls;
import dev.assay.report.watch.WatchPicture;
import dev.assay.report.watch.WatchRequest;
import dev.assay.report.watch.WatchScreen;
import dev.assay.report.watch.WatchView;
import java.io.IOException;
import java.time.Duration;
import org.jline.terminal.Size;
import org.jspecify.annotations.Nullable;

/** Draws twice a second and after each key, until the user wants to end. Belongs to the command's thread. */
final class WatchLoop {

    private static final Duration FRAME = Duration.ofMillis(500);

    /** Keys that wait already, for example of a key that is held down, are taken together. */
    private static final int KEYS_TOGETHER_MAX = 100;

    private final WatchTerminal terminal;
    private final WatchSource source;
    private final Pen pen;
    private final WatchView view = new WatchView();
    private final WatchControls controls = new WatchControls(view);

    WatchLoop(WatchTerminal terminal, WatchSource source, Pen pen) {
        this.terminal = terminal;
        this.source = source;
        this.pen = pen;
    }

    /**
     * Returns when the user ends it.
     *
     * @throws IOException when the terminal has gone
     */
    void run() throws IOException {
        WatchPicture shown = source.picture();
        long nextNanos = System.nanoTime() + FRAME.toNanos();
        while (true) {
            draw(shown);
            long leftMillis = Math.max(1, (nextNanos - System.nanoTime()) / 1_000_000);
            KeyPress press = terminal.key(leftMillis);
            boolean asked = false;
            for (int taken = 0; press != null && taken < KEYS_TOGETHER_MAX; taken++) {
                WatchRequest request = controls.press(press, shown);
                if (request instanceof WatchRequest.Quit) {
                    return;
                }
                asked |= !(request instanceof WatchRequest.Redraw);
                source.ask(request).ifPresent(view::say);
                press = terminal.key(1);
            }
            if (System.nanoTime() - nextNanos >= 0 || asked) {
                shown = view.frozen() ? shown : source.picture();
                nextNanos = System.nanoTime() + FRAME.toNanos();
            }
        }
    }

    private void draw(@Nullable WatchPicture picture) {
        if (picture != null) {
            Size size = terminal.size();
            controls.resized(size.getRows());
            terminal.draw(WatchScreen.render(picture, view, pen, size.getColumns(), size.getRows()));
        }
    }
}
