package dev.assay.lab.calibrate;

import dev.assay.lab.LabException;
import dev.assay.lab.RatioInterval;
import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.Script;
import dev.assay.sys.ProcFs;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What a transaction costs the load engine's process, against an installed pgbench: pairs of short runs, one of each, on the same server with
 * the same script, clients and protocol, which of them first drawn and then by turns.
 *
 * <p>A cost is the CPU time of the client's whole process, user and system, from the moment its connections are open, by transaction. The
 * engine's process is this one, with its compiler and collector; it opens its connections anew for every run, as pgbench does, and a first
 * run of some seconds, which does not count, lets its code be compiled. pgbench's time is what the system accounts for it when it has ended,
 * less what it had used when all its connections were open.
 */
public final class Calibration {

    /** Pairs of which an interval can be told that is worth having. */
    public static final int PAIRS_MIN = 2;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration WARM_UP = Duration.ofMillis(300);

    private final Plan plan;
    private final PgbenchPeer peer;
    private final Consumer<String> progress;

    /**
     * What is compared and how long.
     *
     * @param compileFor how long the engine runs first, for its code to be compiled
     * @param trial length of every run, whole seconds
     */
    public record Plan(
            Credentials credentials,
            Protocol protocol,
            int clients,
            int threads,
            int pairs,
            Duration compileFor,
            Duration trial,
            long seed) {}

    /**
     * A script for both; the file is what pgbench reads.
     *
     * @param scale of the standard tables that it needs
     */
    public record Workload(String name, String text, int scale) {}

    /** One run of either. */
    private record Cost(double transactionsPerSecond, double cpuMicrosPerTransaction) {}

    /** Comparisons with this pgbench. */
    public Calibration(Plan plan, PgbenchPeer peer, Consumer<String> progress) {
        this.plan = plan;
        this.peer = peer;
        this.progress = progress;
    }

    /** Compares the two on one workload over one way to the server. Throws what the wire throws when the server refuses. */
    public CalibrationResult compare(Workload workload, Endpoint endpoint) throws InterruptedException {
        Script script = Script.parse(workload.name(), workload.text());
        engine(script, workload, endpoint, plan.compileFor());
        boolean engineFirst = new Random(plan.seed()).nextBoolean();
        List<RatioInterval.Round> cpu = new ArrayList<>();
        List<RatioInterval.Round> throughput = new ArrayList<>();
        for (int pair = 0; pair < plan.pairs(); pair++) {
            Cost[] costs = new Cost[2];
            for (int i = 0; i < 2; i++) {
                boolean engine = engineFirst ^ (pair % 2 == 1) ^ (i == 1);
                costs[engine ? 1 : 0] =
                        engine ? engine(script, workload, endpoint, plan.trial()) : pgbench(workload, endpoint);
            }
            cpu.add(new RatioInterval.Round(costs[0].cpuMicrosPerTransaction, costs[1].cpuMicrosPerTransaction));
            throughput.add(new RatioInterval.Round(costs[0].transactionsPerSecond, costs[1].transactionsPerSecond));
            progress.accept(String.format(
                    Locale.ROOT,
                    "%s over %s, pair %d of %d: pgbench %.2f us and %.0f/s, engine %.2f us and %.0f/s",
                    workload.name(),
                    endpoint.isUnixSocket() ? "socket" : "TCP",
                    pair + 1,
                    plan.pairs(),
                    costs[0].cpuMicrosPerTransaction,
                    costs[0].transactionsPerSecond,
                    costs[1].cpuMicrosPerTransaction,
                    costs[1].transactionsPerSecond));
        }
        return CalibrationResult.of(workload.name(), endpoint.isUnixSocket(), cpu, throughput);
    }

    private Cost engine(Script script, Workload workload, Endpoint endpoint, Duration measured) {
        LoadSettings settings = new LoadSettings(
                endpoint,
                plan.credentials(),
                "calibrate",
                List.of(new WeightedScript(script, 1)),
                plan.protocol(),
                plan.clients(),
                plan.threads(),
                plan.seed(),
                TIMEOUT,
                TIMEOUT,
                new LoadRules(0, null, 1, true, false, false, false, workload.scale(), Map.of()));
        try (LoadClient client = LoadClient.open(settings)) {
            client.run(Duration.ZERO, WARM_UP);
            long before = ownCpuNanos();
            LoadResult result = client.run(Duration.ZERO, measured);
            long spent = ownCpuNanos() - before;
            long transactions = result.transactions() + result.transactionsOutside();
            if (result.transactionsFailed() > 0 || result.connectionsLost() > 0 || transactions == 0) {
                throw new LabException(
                        "the engine's run was not clean: " + result.failureExamples() + " " + result.firstLoss(),
                        "Look at the server.",
                        null);
            }
            return new Cost(result.transactionsPerSecond(), spent / 1e3 / transactions);
        }
    }

    private Cost pgbench(Workload workload, Endpoint endpoint) throws InterruptedException {
        PgbenchPeer.Run run = peer.run(
                endpoint,
                plan.credentials(),
                workload.text(),
                workload.scale(),
                plan.protocol(),
                plan.clients(),
                plan.threads(),
                (int) plan.trial().toSeconds());
        return new Cost(run.transactionsPerSecond(), run.cpuNanos() / 1e3 / run.transactions());
    }

    /** Of this process with all its threads, those that have ended too. */
    private static long ownCpuNanos() {
        long pid = ManagementFactory.getRuntimeMXBean().getPid();
        return ProcFs.system().stat(pid).orElseThrow().cpuNanos();
    }
}
