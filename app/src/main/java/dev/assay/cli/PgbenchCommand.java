package dev.assay.cli;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.RunPlan;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.pgbench.StandardTables;
import dev.assay.lab.pgbench.TableInfo;
import dev.assay.lab.script.BuiltinScripts;
import dev.assay.report.PgbenchJson;
import dev.assay.report.PgbenchReport;
import dev.assay.report.PgbenchText;
import dev.assay.target.TargetAddress;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireSession;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code assay lab pgbench}: pgbench's scripts, options and closing block on the lab's load engine. */
@Command(
        name = "pgbench",
        description = {
            "Run pgbench scripts, with pgbench's own options, and print pgbench's closing",
            "block with percentiles, failures by SQLSTATE and goodput below it.",
            "Exits as pgbench does: 0 done, 1 failed, 2 when clients were aborted."
        },
        sortOptions = false,
        footer = {
            "",
            "Example:  assay lab pgbench -i -s 10 bench",
            "          assay lab pgbench -c 50 -T 60 -P 5 -M prepared bench"
        })
final class PgbenchCommand implements Callable<Integer> {

    static final String APPLICATION_NAME = "pgbench";

    private static final int ABORTED = 2;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration TIDY_MAX = Duration.ofSeconds(10);

    /** A statement, also one that makes an index, may take that long; Ctrl-C ends it. */
    private static final Duration PATIENCE = Duration.ofDays(7);

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "DBNAME", description = "The database, as -d.")
    private @Nullable String database;

    @Mixin
    private ConnectionOptions connection;

    @Mixin
    private PgbenchScripts scripts;

    @Mixin
    private PgbenchOptions options;

    @Mixin
    private PgbenchInitOptions init;

    @Option(names = "--json", description = "Print one JSON document and nothing else.")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public Integer call() throws InterruptedException {
        if (scripts.asksForList()) {
            spec.commandLine().getErr().print(PgbenchScripts.list());
            return ExitCode.DONE;
        }
        String shown = options.shownScript();
        if (shown != null) {
            BuiltinScripts script = PgbenchScripts.find(shown);
            spec.commandLine()
                    .getErr()
                    .printf("-- %s: %s%n%s%n", script.scriptName(), script.description(), script.text());
            return ExitCode.DONE;
        }
        CountDownLatch tidy = new CountDownLatch(1);
        Interruption.watch(tidy, TIDY_MAX);
        try {
            return init.isAsked() ? initialise() : bench();
        } finally {
            tidy.countDown();
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private TargetAddress address() {
        return connection.address(database);
    }

    private int initialise() {
        if (options.given() || scripts.given()) {
            throw usage("some of the options cannot be used in initialization (-i) mode");
        }
        StandardTables.Options tables = init.tables(spec.commandLine(), options.scale());
        try (WireSession session = address().wireSession(APPLICATION_NAME, PATIENCE)) {
            new StandardTables(session, tables, this::progress).run(init.steps(spec.commandLine(), options.noVacuum()));
        }
        return ExitCode.DONE;
    }

    private void progress(String line) {
        spec.commandLine().getErr().println(line);
    }

    private int bench() throws InterruptedException {
        if (init.given()) {
            throw usage("some of the options cannot be used in benchmarking mode; -i initializes");
        }
        options.check(spec.commandLine());
        List<WeightedScript> loaded = scripts.scripts();
        TargetAddress address = address();
        TableInfo tables = new TableInfo(options.scale(), StandardTables.PartitionMethod.NONE, 0);
        try (WireSession session = address.wireSession(APPLICATION_NAME, PATIENCE)) {
            if (scripts.anyBuiltIn()) {
                tables = TableInfo.read(session, address.database());
                if (options.scaleGiven()) {
                    progress("scale option ignored, using count from pgbench_branches table (" + tables.scale() + ")");
                }
            }
            vacuum(session);
        }
        return run(address, loaded, tables);
    }

    private void vacuum(WireSession session) {
        if (options.noVacuum()) {
            return;
        }
        tell("starting vacuum...");
        attempt(session, "vacuum pgbench_branches");
        attempt(session, "vacuum pgbench_tellers");
        attempt(session, "truncate pgbench_history");
        progress("end.");
        if (options.vacuumAll()) {
            tell("starting vacuum pgbench_accounts...");
            attempt(session, "vacuum analyze pgbench_accounts");
            progress("end.");
        }
    }

    private void tell(String words) {
        PrintWriter err = spec.commandLine().getErr();
        err.print(words);
        err.flush();
    }

    private void attempt(WireSession session, String statement) {
        try {
            session.execute(statement);
        } catch (ErrorResponseException e) {
            progress(e.line() + " (ignoring this error and continuing anyway)");
        }
    }

    private int run(TargetAddress address, List<WeightedScript> loaded, TableInfo tables) throws InterruptedException {
        LoadRules rules = options.rules(tables.scale());
        LoadSettings settings = new LoadSettings(
                address.endpoint(),
                address.credentials(),
                APPLICATION_NAME,
                loaded,
                options.protocol(),
                options.clients(),
                options.threads(),
                options.seed(),
                CONNECT_TIMEOUT,
                PATIENCE,
                rules);
        long start = System.nanoTime();
        try (LoadClient client = LoadClient.open(settings, this::progress)) {
            double connectMillis = (System.nanoTime() - start) / 1e6;
            RunPlan plan = options.plan(settings.seed());
            PgbenchProgress progress =
                    PgbenchProgress.start(client, options, spec.commandLine().getErr());
            LoadResult result;
            try {
                result = client.run(plan);
            } finally {
                progress.close();
            }
            return report(settings, tables, result, connectMillis);
        }
    }

    private int report(LoadSettings settings, TableInfo tables, LoadResult result, double connectMillis) {
        boolean partitioned = tables.method() != StandardTables.PartitionMethod.NONE;
        PgbenchReport report = options.report(
                settings,
                result,
                tables.scale(),
                partitioned ? tables.method().toString() : "",
                tables.partitions(),
                connectMillis);
        boolean interrupted = Interruption.came() || Thread.currentThread().isInterrupted();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                json
                        ? PgbenchJson.text(report, BuildInfo.version(), Instant.now(), interrupted)
                        : PgbenchText.of(report));
        out.flush();
        if (interrupted) {
            progress("Run was interrupted; the above results are partial.");
            return ExitCode.FAILED;
        }
        boolean lost = result.connectionsLost() > 0 && !settings.rules().reconnects();
        if (result.clientsAborted() > 0 || lost) {
            progress("Run was aborted; the above results are incomplete.");
            return ABORTED;
        }
        return ExitCode.DONE;
    }
}
