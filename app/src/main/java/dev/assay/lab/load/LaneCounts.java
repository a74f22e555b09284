package dev.assay.lab.load;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What one lane counts in one run, within the measured window and outside it. Belongs to the lane's thread. */
final class LaneCounts {

    /** Latencies above are recorded as this. */
    static final Duration LATENCY_MAX = Duration.ofHours(1);

    private static final long LATENCY_NANOS_MAX = LATENCY_MAX.toNanos();
    private static final double NANOS_PER_MICRO = 1e3;

    private final RunPlan plan;
    private final boolean hasRate;
    private final long lateNanos;
    private final Histogram latency;
    private final @Nullable TransactionLog log;
    private final ScriptCounts counts = new ScriptCounts();
    private final ScriptCounts outside = new ScriptCounts();
    private final ScriptCounts[] byScript;
    private final CommandCounts[][] byCommand;
    private final FailureTally tally = new FailureTally();
    /** Failures outside the window; nobody reads it. */
    private final FailureTally discarded = new FailureTally();

    private boolean measured;

    LaneCounts(LoadSettings settings, RunPlan plan, Histogram latency, @Nullable TransactionLog log) {
        this.plan = plan;
        this.latency = latency;
        this.log = log;
        LoadRules rules = settings.rules();
        Duration limit = rules.latencyLimit();
        hasRate = rules.transactionsPerSecond() > 0;
        lateNanos = limit == null ? Long.MAX_VALUE : limit.toNanos();
        byScript = new ScriptCounts[settings.scripts().size()];
        byCommand = new CommandCounts[byScript.length][];
        for (int i = 0; i < byScript.length; i++) {
            byScript[i] = new ScriptCounts();
            byCommand[i] = CommandCounts.of(settings.scripts().get(i).script(), plan.timesCommands());
        }
    }

    /** Whether what follows counts. */
    void measure(boolean counting) {
        measured = counting;
    }

    /** Of the window so far. */
    LoadCounts published() {
        return counts.counts();
    }

    long succeededSoFar() {
        return counts.succeeded + outside.succeeded;
    }

    long failedSoFar() {
        return counts.failures() + outside.failures();
    }

    /** Whether every command is timed. */
    boolean timesCommands() {
        return plan.timesCommands();
    }

    FailureTally failures() {
        return measured ? tally : discarded;
    }

    void commandDone(int script, int command, long nanos) {
        if (measured) {
            byCommand[script][command].time.add(nanos / NANOS_PER_MICRO);
        }
    }

    void retries(int script, int command) {
        if (measured && plan.timesCommands()) {
            byCommand[script][command].retries++;
        }
    }

    void succeeded(LoadConnection client, long at) {
        Attempt attempt = client.attempt();
        long nanos = at - attempt.scheduledNanos;
        double micros = nanos / NANOS_PER_MICRO;
        double lag = attempt.lagNanos() / NANOS_PER_MICRO;
        if (measured) {
            latency.recordValue(Math.max(0, Math.min(nanos, LATENCY_NANOS_MAX)));
            succeeded(counts, attempt, micros, lag, nanos > lateNanos);
            if (byScript.length > 1) {
                succeeded(byScript[attempt.script], attempt, micros, lag, nanos > lateNanos);
            }
        } else {
            outside.succeeded++;
        }
        if (log != null) {
            log.transaction(client.number, attempt.count, attempt.script, micros, lag, attempt.tries - 1, null);
        }
    }

    private void succeeded(ScriptCounts to, Attempt attempt, double micros, double lag, boolean late) {
        to.succeeded++;
        to.tried(attempt.tries);
        to.latency.add(micros);
        if (late) {
            to.late++;
        }
        if (hasRate) {
            to.lag.add(lag);
        }
    }

    void failed(LoadConnection client, Outcome outcome) {
        Attempt attempt = client.attempt();
        if (measured) {
            failed(counts, attempt, outcome);
            if (byScript.length > 1) {
                failed(byScript[attempt.script], attempt, outcome);
            }
            if (plan.timesCommands()) {
                byCommand[attempt.script][client.command()].failures++;
            }
        } else {
            outside.failed(outcome);
        }
        if (log != null) {
            double lag = attempt.lagNanos() / NANOS_PER_MICRO;
            log.transaction(client.number, attempt.count, attempt.script, 0, lag, attempt.tries - 1, outcome.logged());
        }
    }

    private static void failed(ScriptCounts to, Attempt attempt, Outcome outcome) {
        to.failed(outcome);
        to.tried(attempt.tries);
    }

    void skipped(LoadConnection client) {
        Attempt attempt = client.attempt();
        if (measured) {
            counts.skipped++;
            if (byScript.length > 1) {
                byScript[attempt.script].skipped++;
            }
        }
        if (log != null) {
            log.transaction(client.number, attempt.count, attempt.script, 0, 0, 0, "skipped");
        }
    }

    void addTo(ResultBuilder result, long windowNanos) {
        result.add(counts, outside.succeeded, windowNanos, latency, tally);
        for (int i = 0; i < byScript.length; i++) {
            result.addScript(i, byScript[i], byCommand[i]);
        }
    }

    /** Closes the log. */
    void close() {
        if (log != null) {
            log.close();
        }
    }
}
