package dev.assay.cli;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadCounts;
import dev.assay.lab.load.Summary;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Prints pgbench's progress lines while a run goes on. */
final class PgbenchProgress {

    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final LoadClient client;
    private final PgbenchOptions options;
    private final PrintWriter err;
    private final ScheduledExecutorService timer;
    private final long start = System.nanoTime();
    private long last = start;
    private Total before = new Total(0, 0, 0, 0, 0, Summary.NONE, Summary.NONE);

    /** Of all threads since the run began. */
    private record Total(
            long succeeded, long failed, long skipped, long retried, long retries, Summary latency, Summary lag) {

        static Total of(List<LoadCounts> threads) {
            Total total = new Total(0, 0, 0, 0, 0, Summary.NONE, Summary.NONE);
            for (LoadCounts counts : threads) {
                total = new Total(
                        total.succeeded + counts.succeeded(),
                        total.failed + counts.failures(),
                        total.skipped + counts.skipped(),
                        total.retried + counts.retried(),
                        total.retries + counts.retries(),
                        total.latency.plus(counts.latency()),
                        total.lag.plus(counts.lag()));
            }
            return total;
        }
    }

    private PgbenchProgress(LoadClient client, PgbenchOptions options, PrintWriter err) {
        this.client = client;
        this.options = options;
        this.err = err;
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "assay-progress");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins; without -P nothing is printed. */
    static PgbenchProgress start(LoadClient client, PgbenchOptions options, PrintWriter err) {
        PgbenchProgress progress = new PgbenchProgress(client, options, err);
        int seconds = options.progressSeconds();
        if (seconds > 0) {
            var unused = progress.timer.scheduleAtFixedRate(progress::line, seconds, seconds, TimeUnit.SECONDS);
        }
        return progress;
    }

    private void line() {
        try {
            Total now = Total.of(client.counts());
            long at = System.nanoTime();
            Summary latency = now.latency.since(before.latency);
            double seconds = (at - last) / NANOS_PER_SECOND;
            String time = options.progressTimestamp()
                    ? String.format(Locale.ROOT, "%.3f s", System.currentTimeMillis() / 1e3)
                    : String.format(Locale.ROOT, "%.1f s", (at - start) / NANOS_PER_SECOND);
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    "progress: %s, %.1f tps, lat %.3f ms stddev %.3f, %d failed",
                    time,
                    (now.succeeded - before.succeeded) / seconds,
                    latency.mean() / MICROS_PER_MILLI,
                    latency.standardDeviation() / MICROS_PER_MILLI,
                    now.failed - before.failed));
            if (options.hasRate()) {
                line.append(String.format(
                        Locale.ROOT, ", lag %.3f ms", now.lag.since(before.lag).mean() / MICROS_PER_MILLI));
                if (options.hasLatencyLimit()) {
                    line.append(", ").append(now.skipped - before.skipped).append(" skipped");
                }
            }
            if (options.triesMax() != 1) {
                line.append(String.format(
                        Locale.ROOT,
                        ", %d retried, %d retries",
                        now.retried - before.retried,
                        now.retries - before.retries));
            }
            err.println(line);
            before = now;
            last = at;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Prints no more. */
    void close() {
        timer.shutdownNow();
    }
}
