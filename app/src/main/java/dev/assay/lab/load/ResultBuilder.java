package dev.assay.lab.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Adds up what the lanes of a run did. */
final class ResultBuilder {

    private final LoadSettings settings;
    private final RunPlan plan;
    private final ScriptCounts counts = new ScriptCounts();
    private final ScriptCounts[] byScript;
    private final CommandCounts[][] byCommand;
    private final FailureTally tally = new FailureTally();
    private @Nullable Histogram latency;
    private int lanes;
    private long outside;
    private long windowNanos;
    private long windowNanosMax;
    private long connectNanos;
    private int open;
    private int lost;
    private @Nullable String firstLoss;
    private int aborted;
    private @Nullable String firstAbort;
    private long cpuNanos;
    private long busiestNanos;
    private long allocatedBytes;
    private long gcMillis;
    private long latenessMicros;

    ResultBuilder(LoadSettings settings, RunPlan plan) {
        this.settings = settings;
        this.plan = plan;
        byScript = new ScriptCounts[settings.scripts().size()];
        byCommand = new CommandCounts[byScript.length][];
        for (int i = 0; i < byScript.length; i++) {
            byScript[i] = new ScriptCounts();
            byCommand[i] = CommandCounts.of(settings.scripts().get(i).script(), plan.timesCommands());
        }
    }

    void add(ScriptCounts of, long transactionsOutside, long nanos, Histogram latencies, FailureTally failures) {
        counts.add(of);
        outside += transactionsOutside;
        windowNanos += nanos;
        windowNanosMax = Math.max(windowNanosMax, nanos);
        lanes++;
        tally.add(failures);
        Histogram all = latency;
        if (all == null) {
            latency = latencies;
        } else {
            all.add(latencies);
        }
    }

    void addScript(int script, ScriptCounts of, CommandCounts[] commands) {
        byScript[script].add(of);
        for (int i = 0; i < commands.length; i++) {
            byCommand[script][i].add(commands[i]);
        }
    }

    void addLosses(int connections, @Nullable String loss, int clients, @Nullable String abort) {
        lost += connections;
        firstLoss = firstLoss == null ? loss : firstLoss;
        aborted += clients;
        firstAbort = firstAbort == null ? abort : firstAbort;
    }

    void addCosts(ThreadCost cost, long lateness) {
        cpuNanos += cost.cpuNanos();
        busiestNanos = Math.max(busiestNanos, cost.cpuNanos());
        allocatedBytes += cost.allocatedBytes();
        gcMillis = Math.max(gcMillis, cost.gcMillis());
        latenessMicros = Math.max(latenessMicros, lateness);
    }

    void addConnecting(long nanos) {
        connectNanos += nanos;
    }

    void addOpen(boolean isOpen) {
        open += isOpen ? 1 : 0;
    }

    LoadResult build() {
        List<ScriptResult> scripts = new ArrayList<>();
        for (int i = 0; i < byScript.length; i++) {
            WeightedScript script = settings.scripts().get(i);
            List<CommandResult> commands = new ArrayList<>();
            for (int j = 0; j < byCommand[i].length; j++) {
                CommandCounts command = byCommand[i][j];
                commands.add(new CommandResult(
                        script.script().commands().get(j).text(),
                        command.time.summary(),
                        command.failures,
                        command.retries));
            }
            ScriptCounts of = byScript.length == 1 ? counts : byScript[i];
            scripts.add(new ScriptResult(script.script().name(), script.weight(), of.counts(), commands));
        }
        Histogram all = latency;
        return new LoadResult(
                counts.counts(),
                outside,
                plan.lastCount() || lanes == 0 ? windowNanosMax : windowNanos / lanes,
                all == null ? LoadLoop.newHistogram() : all,
                scripts,
                tally.countsByState(),
                tally.examplesByState(),
                connectNanos,
                open,
                lost,
                firstLoss,
                aborted,
                firstAbort,
                cpuNanos,
                busiestNanos,
                allocatedBytes,
                gcMillis,
                latenessMicros);
    }
}
