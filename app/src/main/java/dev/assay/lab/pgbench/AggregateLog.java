package dev.assay.lab.pgbench;

import dev.assay.lab.load.TransactionLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes pgbench's aggregated log (manual, pgbench, "Aggregated Logging"): a line for each interval, empty ones too.
 *
 * <pre>
 * interval_start num_transactions sum_latency sum_latency_2 min_latency max_latency sum_lag sum_lag_2 min_lag max_lag skipped
 *   retried retries serialization_failures deadlock_failures
 * </pre>
 *
 * <p>Belongs to one thread.
 */
public final class AggregateLog implements TransactionLog {

    private final Writer out;
    private final int seconds;
    private long start = System.currentTimeMillis() / 1000;

    private long count;
    private long skipped;
    private long retried;
    private long retries;
    private long serializations;
    private long deadlocks;
    private final Sums latency = new Sums();
    private final Sums lag = new Sums();

    private static final class Sums {
        private double sum;
        private double squares;
        private double min;
        private double max;
        private boolean any;

        void add(double value) {
            sum += value;
            squares += value * value;
            min = any ? Math.min(min, value) : value;
            max = any ? Math.max(max, value) : value;
            any = true;
        }

        void clear() {
            sum = 0;
            squares = 0;
            min = 0;
            max = 0;
            any = false;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.0f %.0f %.0f %.0f", sum, squares, min, max);
        }
    }

    public AggregateLog(Writer out, int seconds) {
        this.out = out;
        this.seconds = seconds;
    }

    @Override
    public void transaction(
            int client,
            long number,
            int script,
            double latencyMicros,
            double lagMicros,
            int tried,
            @Nullable String failure) {
        long now = System.currentTimeMillis();
        while ((start + seconds) * 1000 <= now) {
            write();
            start += seconds;
        }
        if (failure != null && failure.equals("skipped")) {
            skipped++;
            return;
        }
        retried += tried > 0 ? 1 : 0;
        retries += tried;
        if (failure == null) {
            count++;
            latency.add(latencyMicros);
            lag.add(lagMicros);
        } else if (failure.equals("serialization")) {
            serializations++;
        } else if (failure.equals("deadlock")) {
            deadlocks++;
        }
    }

    private void write() {
        try {
            out.write(start + " " + count + " " + latency + " " + lag + " " + skipped + " " + retried + " " + retries
                    + " " + serializations + " " + deadlocks + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        count = 0;
        skipped = 0;
        retried = 0;
        retries = 0;
        serializations = 0;
        deadlocks = 0;
        latency.clear();
        lag.clear();
    }

    @Override
    public void close() {
        write();
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
