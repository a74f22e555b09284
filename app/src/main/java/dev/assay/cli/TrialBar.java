package dev.assay.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * One line at the bottom of a terminal: which trial runs, how much is done, how long the rest will take.
 *
 * <p>A thread of the library draws it twice a second and the command's thread prints finished lines above it; a lock keeps the two from
 * writing into each other. Nothing is drawn once the program has been interrupted.
 */
final class TrialBar implements AutoCloseable {

    private static final String CLEAR_LINE = "\r\u001b[2K";
    private static final int REFRESH_MILLIS = 500;
    private static final int BAR_MIN = 10;
    private static final int BAR_MAX = 40;

    private final PrintStream terminal;
    private final int trials;
    private final long estimateNanos;
    private final long startNanos = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private int done; // guarded by lock, as are the next three
    private long doneNanos = startNanos;
    private String variant = "";
    private boolean closed;
    private final ProgressBar bar;

    /**
     * Draws it for the first time.
     *
     * @param estimate how long all trials will take
     */
    TrialBar(PrintStream terminal, int trials, Duration estimate) {
        this.terminal = terminal;
        this.trials = trials;
        this.estimateNanos = estimate.toNanos();
        this.bar = new ProgressBarBuilder()
                .setInitialMax(trials)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .continuousUpdate()
                .setRenderer((state, width) -> line(width))
                .setConsumer(new Line(terminal))
                .build();
    }

    /** A trial of that variant begins. */
    void begin(String name) {
        lock.lock();
        try {
            variant = name;
        } finally {
            lock.unlock();
        }
        bar.refresh();
    }

    /** A trial is over. */
    void advance() {
        lock.lock();
        try {
            done++;
            doneNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** Prints whole lines where the bar is; it comes back below them. */
    void printAbove(Runnable lines) {
        lock.lock();
        try {
            terminal.print(CLEAR_LINE);
            terminal.flush();
            lines.run();
        } finally {
            lock.unlock();
        }
    }

    private String line(int width) {
        lock.lock();
        try {
            String head = "trial " + Math.min(done + 1, trials) + " of " + trials + " " + variant + " [";
            String tail = "] " + clock(left(System.nanoTime())) + " left";
            int length = Math.min(BAR_MAX, width - head.length() - tail.length());
            if (length < BAR_MIN) {
                return (head + tail).replace(" []", ",");
            }
            int filled = done * length / trials;
            return head + "=".repeat(filled) + " ".repeat(length - filled) + tail;
        } finally {
            lock.unlock();
        }
    }

    /** From the trials so far, before the first from the estimate. */
    private long left(long now) {
        long each = done == 0 ? estimateNanos / trials : (doneNanos - startNanos) / done;
        return Math.max(0, each * (trials - done) - (now - doneNanos));
    }

    private static String clock(long nanos) {
        Duration left = Duration.ofNanos(nanos);
        String seconds = String.format(Locale.ROOT, "%02d", left.toSecondsPart());
        return left.toHours() == 0
                ? left.toMinutes() + ":" + seconds
                : String.format(Locale.ROOT, "%d:%02d:%s", left.toHours(), left.toMinutesPart(), seconds);
    }

    @Override
    public void close() {
        bar.close();
    }

    /** The library's way to the terminal. */
    private final class Line extends ConsoleProgressBarConsumer {

        private final PrintStream out;

        Line(PrintStream out) {
            super(out);
            this.out = out;
        }

        @Override
        public void accept(String text) {
            lock.lock();
            try {
                if (!closed && !Interruption.came()) {
                    out.print(CLEAR_LINE + text);
                    out.flush();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!closed && !Interruption.came()) {
                    out.print(CLEAR_LINE);
                    out.flush();
                }
                closed = true;
            } finally {
                lock.unlock();
            }
        }
    }
}
