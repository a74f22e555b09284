package dev.assay.report;

import dev.assay.lab.load.CommandResult;
import dev.assay.lab.load.LoadCounts;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.ScriptResult;
import dev.assay.lab.load.Summary;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The closing block of {@code assay lab pgbench}: pgbench's own lines in pgbench's own order, then what pgbench does not tell. */
public final class PgbenchText {

    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final PgbenchReport report;
    private final StringBuilder text = new StringBuilder();

    private PgbenchText(PgbenchReport report) {
        this.report = report;
    }

    /** The block, with a line feed at the end. */
    public static String of(PgbenchReport report) {
        PgbenchText text = new PgbenchText(report);
        text.parameters();
        if (report.result().counts().total() > 0) {
            text.counts();
            text.latency();
            text.rate();
            text.scripts();
            text.more();
        }
        return text.text.toString();
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static double percent(long part, long whole) {
        return whole == 0 ? 0 : 100.0 * part / whole;
    }

    private void parameters() {
        LoadResult result = report.result();
        line(
                "transaction type: %s",
                result.scripts().size() == 1 ? result.scripts().get(0).name() : "multiple scripts");
        line("scaling factor: %d", report.scale());
        if (!report.partitionMethod().isEmpty()) {
            line("partition method: %s%npartitions: %d", report.partitionMethod(), report.partitions());
        }
        line("query mode: %s", report.protocol());
        line("number of clients: %d", report.clients());
        line("number of threads: %d", report.threads());
        if (report.triesMax() > 0) {
            line("maximum number of tries: %d", report.triesMax());
        }
        if (report.seconds() > 0) {
            line("duration: %d s", report.seconds());
            line("number of transactions actually processed: %d", result.transactions());
        } else {
            line("number of transactions per client: %d", report.transactionsEach());
            line(
                    "number of transactions actually processed: %d/%d",
                    result.transactions(), report.transactionsEach() * report.clients());
        }
    }

    private void counts() {
        counts("", report.result().counts());
        if (report.latencyLimitMillis() > 0) {
            LoadCounts counts = report.result().counts();
            line(
                    "number of transactions above the %.1f ms latency limit: %d/%d (%.3f%%)",
                    report.latencyLimitMillis(),
                    counts.late(),
                    counts.succeeded(),
                    percent(counts.late(), counts.succeeded()));
        }
    }

    private void counts(String indent, LoadCounts counts) {
        long total = counts.total();
        line(
                "%snumber of failed transactions: %d (%.3f%%)",
                indent, counts.failures(), percent(counts.failures(), total));
        if (report.failuresDetailed()) {
            line(
                    "%snumber of serialization failures: %d (%.3f%%)",
                    indent, counts.serializationFailures(), percent(counts.serializationFailures(), total));
            line(
                    "%snumber of deadlock failures: %d (%.3f%%)",
                    indent, counts.deadlocks(), percent(counts.deadlocks(), total));
            if (report.goesOn()) {
                line(
                        "%snumber of other failures: %d (%.3f%%)",
                        indent, counts.otherFailures(), percent(counts.otherFailures(), total));
            }
        }
        if (report.triesMax() != 1) {
            line(
                    "%snumber of transactions retried: %d (%.3f%%)",
                    indent, counts.retried(), percent(counts.retried(), total));
            line("%stotal number of retries: %d", indent, counts.retries());
        }
        if (report.rate() > 0 && report.latencyLimitMillis() > 0) {
            line(
                    "%snumber of transactions skipped: %d (%.3f%%)",
                    indent, counts.skipped(), percent(counts.skipped(), total));
        }
    }

    private void latency() {
        LoadCounts counts = report.result().counts();
        if (report.rate() > 0 || report.progress() || report.latencyLimitMillis() > 0) {
            summary("latency", counts.latency());
        } else {
            line(
                    "latency average = %.3f ms%s",
                    report.result().measuredNanos() / NANOS_PER_MILLI * report.clients() / counts.total(),
                    counts.failures() > 0 ? " (including failures)" : "");
        }
        if (report.rate() > 0) {
            line(
                    "rate limit schedule lag: avg %.3f (max %.3f) ms",
                    counts.lag().mean() / MICROS_PER_MILLI, counts.lag().max() / MICROS_PER_MILLI);
        }
    }

    private void summary(String prefix, Summary latency) {
        if (latency.count() > 0) {
            line("%s average = %.3f ms", prefix, latency.mean() / MICROS_PER_MILLI);
            line("%s stddev = %.3f ms", prefix, latency.standardDeviation() / MICROS_PER_MILLI);
        }
    }

    private void rate() {
        double tps = report.result().transactionsPerSecond();
        if (report.connectsEach()) {
            LoadResult result = report.result();
            long done = result.counts().succeeded() + result.counts().failures();
            line("average connection time = %.3f ms", result.connectNanos() / NANOS_PER_MILLI / Math.max(1, done));
            line("tps = %f (including reconnection times)", tps);
        } else {
            line("initial connection time = %.3f ms", report.connectMillis());
            line("tps = %f (without initial connection time)", tps);
        }
    }

    private void scripts() {
        LoadResult result = report.result();
        boolean several = result.scripts().size() > 1;
        long weights = result.scripts().stream().mapToLong(ScriptResult::weight).sum();
        for (int i = 0; i < result.scripts().size(); i++) {
            ScriptResult script = result.scripts().get(i);
            if (several) {
                script(i, script, weights);
            }
            if (!script.commands().isEmpty()) {
                line(
                        "%sstatement latencies in milliseconds%s:",
                        several ? " - " : "", report.triesMax() == 1 ? " and failures" : ", failures and retries");
                script.commands().forEach(this::command);
            }
        }
    }

    private void script(int number, ScriptResult script, long weights) {
        LoadCounts counts = script.counts();
        LoadResult result = report.result();
        line("SQL script %d: %s", number + 1, script.name());
        line(" - weight: %d (targets %.1f%% of total)", script.weight(), percent(script.weight(), weights));
        line(
                " - %d transactions (%.1f%% of total, tps = %f)",
                counts.total(),
                percent(counts.total(), result.counts().total()),
                result.measuredNanos() == 0 ? 0 : counts.succeeded() * 1e9 / result.measuredNanos());
        if (counts.total() > 0) {
            counts(" - ", counts);
        }
        summary(" - latency", counts.latency());
    }

    private void command(CommandResult command) {
        double millis = command.time().mean() / MICROS_PER_MILLI;
        if (report.triesMax() == 1) {
            line("   %11.3f  %10d %s", millis, command.failures(), command.text());
        } else {
            line("   %11.3f  %10d %10d %s", millis, command.failures(), command.retries(), command.text());
        }
    }

    private void more() {
        LoadResult result = report.result();
        Histogram latency = result.latency();
        if (latency.getTotalCount() > 0) {
            line(
                    "latency percentiles: p50 %.3f, p90 %.3f, p95 %.3f, p99 %.3f, p99.9 %.3f, max %.3f ms",
                    millis(latency, 50),
                    millis(latency, 90),
                    millis(latency, 95),
                    millis(latency, 99),
                    millis(latency, 99.9),
                    latency.getMaxValue() / NANOS_PER_MILLI);
        }
        Map<String, Long> states = new TreeMap<>(result.statementsFailed());
        states.forEach(
                (state, count) -> line("failed with %s: %d, the first: %s", state, count, example(result, state)));
        if (report.latencyLimitMillis() > 0 || result.counts().failures() > 0) {
            line(
                    "goodput = %f transactions/s (succeeded%s)",
                    result.measuredNanos() == 0 ? 0 : result.counts().good() * 1e9 / result.measuredNanos(),
                    report.latencyLimitMillis() > 0 ? " within the latency limit" : "");
        }
        if (result.clientSaturated()) {
            line("the client was busy for over 90 %% of the time: it may have been the limit; see -j");
        }
    }

    private static double millis(Histogram latency, double percentile) {
        return latency.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    private static String example(LoadResult result, String state) {
        @Nullable String example = result.failureExamples().get(state);
        return example == null ? "" : example.replaceAll("\\s+", " ");
    }
}
