package dev.assay.lab.pgbench;

import dev.assay.lab.load.TransactionLog;
import dev.assay.lab.script.Xoroshiro;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes pgbench's transaction log (manual, pgbench, "Per-Transaction Logging"): a line for each transaction, or a sample of them.
 *
 * <pre>
 * client_id transaction_no time script_no time_epoch time_us [ schedule_lag ] [ retries ]
 * </pre>
 *
 * <p>Belongs to one thread.
 */
public final class PgbenchLog implements TransactionLog {

    private final Writer out;
    private final Format format;
    private final @Nullable Xoroshiro sample;
    private final StringBuilder line = new StringBuilder();

    /**
     * What a line holds.
     *
     * @param samplingRate share of the transactions that are logged; 0 for all
     * @param lag whether there is a rate, so that transactions can be late
     * @param retries whether transactions can be tried again
     * @param detailed whether failures are told apart
     */
    public record Format(double samplingRate, boolean lag, boolean retries, boolean detailed) {}

    public PgbenchLog(Writer out, Format format, long seed) {
        this.out = out;
        this.format = format;
        sample = format.samplingRate > 0 ? new Xoroshiro(seed) : null;
    }

    @Override
    public void transaction(
            int client,
            long count,
            int script,
            double latencyMicros,
            double lagMicros,
            int retries,
            @Nullable String failure) {
        if (sample != null && sample.unit() > format.samplingRate) {
            return;
        }
        Instant now = Instant.now();
        line.setLength(0);
        line.append(client).append(' ').append(count).append(' ');
        if (failure == null) {
            line.append(Math.round(latencyMicros));
        } else {
            line.append(failure.equals("skipped") || format.detailed ? failure : "failed");
        }
        line.append(' ')
                .append(script)
                .append(' ')
                .append(now.getEpochSecond())
                .append(' ')
                .append(now.getNano() / 1000);
        if (format.lag) {
            line.append(' ').append(Math.round(lagMicros));
        }
        if (format.retries) {
            line.append(' ').append(retries);
        }
        line.append('\n');
        write(line);
    }

    private void write(CharSequence text) {
        try {
            out.append(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
