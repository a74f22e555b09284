package dev.assay.cli;

import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.load.RunPlan;
import dev.assay.lab.load.TransactionLog;
import dev.assay.lab.pgbench.AggregateLog;
import dev.assay.lab.pgbench.PgbenchLog;
import dev.assay.report.PgbenchReport;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a run of {@code assay lab pgbench}. */
final class PgbenchOptions {

    private static final int TRANSACTIONS_DEFAULT = 10;

    @Option(
            names = {"-c", "--client"},
            paramLabel = "NUM",
            description = "Clients, 1 to " + LoadSettings.CLIENTS_MAX + " (default: 1).")
    private @Nullable Integer clients;

    @Option(
            names = {"-j", "--jobs"},
            paramLabel = "NUM",
            description = "Threads that drive them (default: 1).")
    private @Nullable Integer threads;

    @Option(
            names = {"-t", "--transactions"},
            paramLabel = "NUM",
            description = "Transactions of each client (default: 10).")
    private @Nullable Integer transactions;

    @Option(
            names = {"-T", "--time"},
            paramLabel = "SECONDS",
            description = "Run for so long instead.")
    private @Nullable Integer seconds;

    @Option(
            names = {"-M", "--protocol"},
            paramLabel = "simple|extended|prepared",
            description = "Protocol for statements (default: simple).")
    private @Nullable String protocol;

    @Option(
            names = {"-s", "--scale"},
            paramLabel = "NUM",
            description = "Scale factor: made with -i, otherwise the variable scale of own scripts (default: 1).")
    private @Nullable Integer scale;

    @Option(
            names = {"-D", "--define"},
            paramLabel = "NAME=VALUE",
            description = "Define a variable for the scripts.")
    private List<String> defines = List.of();

    @Option(
            names = {"-R", "--rate"},
            paramLabel = "NUM",
            description = "Transactions a second, begun at random moments; latency counts from the moment intended.")
    private @Nullable Double rate;

    @Option(
            names = {"-L", "--latency-limit"},
            paramLabel = "MS",
            description = "Count transactions above this limit; with -R skip those that would begin so late.")
    private @Nullable Double latencyLimit;

    @Option(
            names = "--max-tries",
            paramLabel = "NUM",
            description = "Tries of a transaction that meets a serialization failure or a deadlock, 0 for no limit"
                    + " (default: 1).")
    private @Nullable Integer maxTries;

    @Option(
            names = {"-C", "--connect"},
            description = "A new connection for each transaction.")
    private boolean connect;

    @Option(
            names = {"-P", "--progress"},
            paramLabel = "SECONDS",
            description = "Show progress every so many seconds.")
    private @Nullable Integer progress;

    @Option(names = "--progress-timestamp", description = "Show Unix time in progress lines.")
    private boolean progressTimestamp;

    @Option(
            names = {"-r", "--report-per-command"},
            description = "Report latencies, failures and retries of every command.")
    private boolean perCommand;

    @Option(
            names = {"-l", "--log"},
            description = "Write a line for each transaction to pgbench_log.PID.")
    private boolean log;

    @Option(names = "--log-prefix", paramLabel = "PREFIX", description = "Prefix of the log's name.")
    private @Nullable String logPrefix;

    @Option(names = "--sampling-rate", paramLabel = "NUM", description = "Share of transactions logged, above 0 to 1.")
    private @Nullable Double samplingRate;

    @Option(names = "--aggregate-interval", paramLabel = "SECONDS", description = "Log sums over so many seconds.")
    private @Nullable Integer aggregate;

    @Option(names = "--failures-detailed", description = "Tell kinds of failures apart.")
    private boolean failuresDetailed;

    @Option(names = "--verbose-errors", description = "Accepted; every abort and loss is told anyway.")
    private boolean verboseErrors;

    @Option(names = "--exit-on-abort", description = "End the run when a client is aborted.")
    private boolean exitOnAbort;

    @Option(names = "--continue-on-error", description = "Count a transaction with any SQL error as failed and go on.")
    private boolean goesOn;

    @Option(names = "--reconnect", description = "Open a connection anew that breaks, instead of losing the client.")
    private boolean reconnect;

    @Option(
            names = "--random-seed",
            paramLabel = "SEED",
            description = "An integer, time, or rand (default: PGBENCH_RANDOM_SEED or time).")
    private @Nullable String seed;

    @Option(
            names = {"-n", "--no-vacuum"},
            description = "No vacuum before the run, or with -i.")
    private boolean noVacuum;

    @Option(
            names = {"-v", "--vacuum-all"},
            description = "Vacuum all four standard tables before the run.")
    private boolean vacuumAll;

    @Option(names = "--show-script", paramLabel = "NAME", description = "Show a built-in script and exit.")
    private @Nullable String shownScript;

    /** The seed, once it was asked for. */
    private @Nullable Long drawn;

    /** Whether any option was given that means nothing with -i. */
    boolean given() {
        return clients != null
                || threads != null
                || transactions != null
                || seconds != null
                || protocol != null
                || !defines.isEmpty()
                || rate != null
                || latencyLimit != null
                || maxTries != null
                || connect
                || progress != null
                || progressTimestamp
                || perCommand
                || log
                || logPrefix != null
                || samplingRate != null
                || aggregate != null
                || failuresDetailed
                || verboseErrors
                || exitOnAbort
                || goesOn
                || reconnect
                || seed != null
                || vacuumAll;
    }

    /** @throws ParameterException when they contradict each other or are out of range */
    void check(CommandLine line) {
        positive(line, "-c", clients);
        if (clients() > LoadSettings.CLIENTS_MAX) {
            throw new ParameterException(line, "-c takes up to " + LoadSettings.CLIENTS_MAX);
        }
        positive(line, "-j", threads);
        positive(line, "-t", transactions);
        positive(line, "-T", seconds);
        positive(line, "-P", progress);
        positive(line, "-s", scale);
        positive(line, "--aggregate-interval", aggregate);
        require(line, rate == null || rate > 0, "-R takes a number above 0");
        require(line, latencyLimit == null || latencyLimit > 0, "-L takes a number above 0");
        require(line, maxTries == null || maxTries >= 0, "--max-tries takes 0 or more");
        require(
                line,
                transactions == null || seconds == null,
                "specify either a number of transactions (-t) or a duration (-T), not both");
        require(
                line,
                maxTries == null || maxTries > 0 || latencyLimit != null || seconds != null,
                "an unlimited number of tries needs --latency-limit or a duration (-T)");
        require(
                line,
                samplingRate == null || (samplingRate > 0 && samplingRate <= 1),
                "--sampling-rate takes above 0 to 1");
        require(line, log || samplingRate == null, "--sampling-rate needs -l");
        require(line, log || aggregate == null, "--aggregate-interval needs -l");
        require(line, log || logPrefix == null, "--log-prefix needs -l");
        require(
                line,
                samplingRate == null || aggregate == null,
                "--sampling-rate and --aggregate-interval cannot be used at the same time");
        if (aggregate != null && seconds != null) {
            require(
                    line,
                    aggregate <= seconds && seconds % aggregate == 0,
                    "duration (" + seconds + ") must be a multiple of aggregation interval (" + aggregate + ")");
        }
        require(line, !progressTimestamp || progress != null, "--progress-timestamp needs -P");
        require(
                line,
                protocol == null || List.of("simple", "extended", "prepared").contains(protocol),
                "invalid query mode (-M): " + protocol + "; it is simple, extended or prepared");
        for (String define : defines) {
            int equals = define.indexOf('=');
            require(
                    line,
                    equals > 0 && equals < define.length() - 1,
                    "invalid variable definition: \"" + define + "\"; write NAME=VALUE");
        }
        try {
            seed();
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    line, "unrecognized random seed: expecting an unsigned integer, \"time\" or \"rand\"", e);
        }
    }

    private static void positive(CommandLine line, String option, @Nullable Integer value) {
        require(line, value == null || value > 0, option + " takes 1 or more");
    }

    private static void require(CommandLine line, boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(line, otherwise);
        }
    }

    int clients() {
        return clients == null ? 1 : clients;
    }

    int threads() {
        return threads == null ? 1 : Math.min(threads, clients());
    }

    int scale() {
        return scale == null ? 1 : scale;
    }

    boolean scaleGiven() {
        return scale != null;
    }

    boolean noVacuum() {
        return noVacuum;
    }

    boolean vacuumAll() {
        return vacuumAll;
    }

    @Nullable
    String shownScript() {
        return shownScript;
    }

    /** Seconds between two progress lines; 0 for none. */
    int progressSeconds() {
        return progress == null ? 0 : progress;
    }

    boolean progressTimestamp() {
        return progressTimestamp;
    }

    boolean hasRate() {
        return rate != null;
    }

    boolean hasLatencyLimit() {
        return latencyLimit != null;
    }

    int triesMax() {
        return maxTries == null ? 1 : maxTries;
    }

    Protocol protocol() {
        return Protocol.valueOf((protocol == null ? "simple" : protocol).toUpperCase(Locale.ROOT));
    }

    /** The seed, the same at every call. */
    long seed() {
        Long known = drawn;
        if (known == null) {
            String environment = System.getenv("PGBENCH_RANDOM_SEED");
            String word = seed != null ? seed : environment == null ? "time" : environment;
            known = switch (word) {
                case "time" -> System.currentTimeMillis() * 1000;
                case "rand" -> new SecureRandom().nextLong();
                default -> Long.parseUnsignedLong(word);
            };
            drawn = known;
        }
        return known;
    }

    LoadRules rules(int tableScale) {
        Map<String, String> variables = new HashMap<>();
        for (String define : defines) {
            int equals = define.indexOf('=');
            variables.put(define.substring(0, equals), define.substring(equals + 1));
        }
        Duration limit = latencyLimit == null ? null : Duration.ofNanos((long) (latencyLimit * 1e6));
        return new LoadRules(
                rate == null ? 0 : rate,
                limit,
                triesMax(),
                goesOn,
                exitOnAbort,
                connect,
                reconnect,
                tableScale,
                variables);
    }

    RunPlan plan(long loadSeed) {
        return new RunPlan(
                Duration.ZERO,
                seconds == null ? null : Duration.ofSeconds(seconds),
                seconds != null ? 0 : transactionsEach(),
                true,
                perCommand,
                log ? logs(loadSeed) : null);
    }

    private int transactionsEach() {
        return transactions == null ? TRANSACTIONS_DEFAULT : transactions;
    }

    private IntFunction<TransactionLog> logs(long loadSeed) {
        String prefix = (logPrefix == null ? "pgbench_log" : logPrefix) + "."
                + ProcessHandle.current().pid();
        return thread -> {
            Path file = Path.of(thread == 0 ? prefix : prefix + "." + thread);
            try {
                Writer out = Files.newBufferedWriter(file);
                return aggregate == null
                        ? new PgbenchLog(
                                out,
                                new PgbenchLog.Format(
                                        samplingRate == null ? 0 : samplingRate,
                                        hasRate(),
                                        triesMax() != 1,
                                        failuresDetailed),
                                loadSeed + thread)
                        : new AggregateLog(out, aggregate);
            } catch (IOException e) {
                throw new CommandException(
                        "could not open logfile \"" + file + "\": " + e.getMessage(),
                        "Choose another place with --log-prefix.",
                        e);
            }
        };
    }

    PgbenchReport report(
            LoadSettings settings,
            LoadResult result,
            int tableScale,
            String partitionMethod,
            int partitions,
            double connectMillis) {
        return new PgbenchReport(
                result,
                tableScale,
                partitionMethod,
                partitions,
                settings.protocol().name().toLowerCase(Locale.ROOT),
                settings.clients(),
                settings.threads(),
                triesMax(),
                seconds == null ? 0 : seconds,
                seconds == null ? transactionsEach() : 0,
                rate == null ? 0 : rate,
                latencyLimit == null ? 0 : latencyLimit,
                progress != null,
                failuresDetailed,
                goesOn,
                connect,
                connectMillis);
    }
}
