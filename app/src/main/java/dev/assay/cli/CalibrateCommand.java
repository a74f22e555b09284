package dev.assay.cli;

import dev.assay.lab.calibrate.Calibration;
import dev.assay.lab.calibrate.CalibrationResult;
import dev.assay.lab.calibrate.PgbenchPeer;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.pgbench.StandardTables;
import dev.assay.lab.script.BuiltinScripts;
import dev.assay.report.CalibrationJson;
import dev.assay.report.CalibrationReport;
import dev.assay.report.CalibrationText;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerSettings;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import dev.assay.wire.WireSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code assay lab calibrate}: what the load engine costs against an installed pgbench, on an embedded server. */
@Command(
        name = "calibrate",
        description = {
            "Measure what the load engine costs against an installed pgbench: CPU time of the",
            "client by transaction and throughput, in interleaved pairs of short runs on an",
            "embedded server, over its Unix socket and TCP. Needs a quiet machine."
        },
        sortOptions = false,
        footer = {"", "Example:  assay lab calibrate --pairs 30"})
final class CalibrateCommand implements Callable<Integer> {

    private static final int SCALE = 10;
    private static final int ROWS = 1000;

    /** The engine's code is compiled within this time; so few pairs that they would not take as long tell nothing anyway. */
    private static final int COMPILE_SECONDS_MAX = 10;

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--pgbench",
            paramLabel = "FILE",
            description = "The pgbench to compare with (default: of the path or of Debian's packages).")
    private @Nullable Path pgbench;

    @Option(
            names = "--server",
            paramLabel = "VERSION",
            defaultValue = "18",
            description = "Version of the embedded server (default: ${DEFAULT-VALUE}).")
    private String version;

    @Option(names = "--pairs", paramLabel = "NUM", defaultValue = "30", description = "Pairs of runs (default: 30).")
    private int pairs;

    @Option(
            names = "--seconds",
            paramLabel = "NUM",
            defaultValue = "2",
            description = "Length of a run (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = {"-c", "--client"},
            paramLabel = "NUM",
            defaultValue = "50",
            description = "Clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = {"-j", "--jobs"},
            paramLabel = "NUM",
            defaultValue = "1",
            description = "Threads of either (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = {"-M", "--protocol"},
            paramLabel = "simple|extended|prepared",
            defaultValue = "simple",
            description = "Protocol for statements (default: ${DEFAULT-VALUE}).")
    private Protocol protocol;

    @Option(names = "--workload", paramLabel = "NAME", description = "Only this one: select-only, tpcb-like or rows.")
    private @Nullable String only;

    @Option(names = "--transport", paramLabel = "socket|tcp", description = "Only this way to the server.")
    private @Nullable String transport;

    @Option(names = "--random-seed", paramLabel = "SEED", description = "Seed of the draws (default: from the time).")
    private @Nullable Long seed;

    @Option(names = "--json", description = "Print one JSON document and nothing else.")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public Integer call() throws InterruptedException {
        check(pairs >= Calibration.PAIRS_MIN, "--pairs takes " + Calibration.PAIRS_MIN + " or more");
        check(seconds >= 1, "--seconds takes 1 or more");
        check(clients >= 1, "-c takes 1 or more");
        check(threads >= 1, "-j takes 1 or more");
        check(transport == null || List.of("socket", "tcp").contains(transport), "--transport takes socket or tcp");
        List<Calibration.Workload> workloads = workloads().stream()
                .filter(workload -> only == null || workload.name().equals(only))
                .toList();
        check(!workloads.isEmpty(), "--workload takes select-only, tpcb-like or rows");
        Path binary = pgbench == null ? PgbenchPeer.installed().orElse(null) : pgbench;
        if (binary == null) {
            throw new CommandException(
                    "no pgbench is installed", "Install it (Debian: postgresql-15), or name it with --pgbench.");
        }
        Interruption.watch();
        PgbenchPeer peer = new PgbenchPeer(binary);
        String peerVersion = peer.version();
        try (EmbeddedServer server = EmbeddedServer.start(
                ServerSettings.of(version).withMaxConnections(clients + 20).withoutFsync())) {
            return calibrate(server, workloads, peer, peerVersion);
        }
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static List<Calibration.Workload> workloads() {
        return List.of(
                new Calibration.Workload("select-only", BuiltinScripts.SELECT_ONLY.text(), SCALE),
                new Calibration.Workload("tpcb-like", BuiltinScripts.TPCB_LIKE.text(), SCALE),
                new Calibration.Workload(
                        "rows",
                        "\\set aid random(1, " + BuiltinScripts.ACCOUNTS + " * :scale - " + ROWS + ")\n"
                                + "SELECT aid, abalance FROM pgbench_accounts WHERE aid BETWEEN :aid AND :aid + "
                                + (ROWS - 1) + ";\n",
                        SCALE));
    }

    private int calibrate(
            EmbeddedServer server, List<Calibration.Workload> workloads, PgbenchPeer peer, String peerVersion)
            throws InterruptedException {
        Credentials credentials =
                new Credentials(server.user(), server.password().orElse(null), server.database());
        Endpoint tcp = new Endpoint(server.host(), server.port());
        try (WireSession session = WireSession.connect(tcp, credentials, "calibrate", TIMEOUT)) {
            new StandardTables(
                            session,
                            new StandardTables.Options(
                                    SCALE, 100, false, StandardTables.PartitionMethod.NONE, 0, null, null),
                            this::say)
                    .run(StandardTables.DEFAULT_STEPS);
        }
        Calibration calibration = new Calibration(
                new Calibration.Plan(
                        credentials,
                        protocol,
                        clients,
                        threads,
                        pairs,
                        Duration.ofSeconds(Math.min(COMPILE_SECONDS_MAX, pairs)),
                        Duration.ofSeconds(seconds),
                        seed == null ? System.nanoTime() : seed),
                peer,
                this::say);
        List<CalibrationResult> results = new ArrayList<>();
        for (Endpoint endpoint : endpoints(server, tcp)) {
            for (Calibration.Workload workload : workloads) {
                results.add(calibration.compare(workload, endpoint));
            }
        }
        CalibrationReport report = new CalibrationReport(
                peerVersion,
                server.version().toString(),
                protocol.name().toLowerCase(Locale.ROOT),
                clients,
                threads,
                pairs,
                seconds,
                results);
        String document = CalibrationJson.text(report, BuildInfo.version(), Instant.now());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? document : CalibrationText.of(report));
        out.flush();
        if (only == null && transport == null) {
            keep(document);
        }
        return ExitCode.DONE;
    }

    /** A whole one goes into the reports of later runs. */
    private void keep(String document) {
        CalibrationFile kept = CalibrationFile.ofUser();
        try {
            kept.write(document);
            say("kept for the reports of later runs: " + kept.file());
        } catch (IOException e) {
            say("not kept for the reports of later runs: " + e.getMessage());
        }
    }

    private List<Endpoint> endpoints(EmbeddedServer server, Endpoint tcp) {
        List<Endpoint> endpoints = new ArrayList<>();
        if (!"tcp".equals(transport)) {
            server.socketFolder()
                    .ifPresentOrElse(
                            folder -> endpoints.add(new Endpoint(folder.toString(), server.port())),
                            () -> say("the server has no Unix socket: its folder's path is too long"));
        }
        if (!"socket".equals(transport)) {
            endpoints.add(tcp);
        }
        return endpoints;
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}
