package dev.assay.cli;

import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.observe.CostBudget;
import dev.assay.observe.LookTally;
import dev.assay.observe.SampleSink;
import dev.assay.observe.Sampler;
import dev.assay.observe.SamplerPlan;
import dev.assay.observe.host.HostProbes;
import dev.assay.observe.host.LocalServer;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.recording.RecordingException;
import dev.assay.observe.recording.RecordingHeader;
import dev.assay.observe.recording.RecordingLimits;
import dev.assay.observe.recording.RecordingWriter;
import dev.assay.report.RecordingReport;
import dev.assay.sys.Clock;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetSession;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code assay record}: writes everything that probes see into a folder, for as long as it is told to. */
@Command(
        name = "record",
        description = {
            "Record what a PostgreSQL server does into a folder, to be asked later.",
            "Reads only; pg_monitor is enough. Ends after --for, or with Ctrl-C; a killed",
            "recording can be read up to its last second."
        },
        sortOptions = false,
        footer = {"", "Example:  assay record -d postgresql://monitor@db.example/shop --for 1h -o shop"})
final class RecordCommand implements Callable<Integer> {

    private static final Duration EVERY_MIN = Duration.ofMillis(100);
    private static final Duration EVERY_MAX = Duration.ofMinutes(1);
    private static final long BYTES_MIN = 1 << 20;
    private static final Duration TIDY_MAX = Duration.ofSeconds(60);
    private static final Duration TICK = Duration.ofMillis(200);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "DIR",
            description = "Folder of the recording: new, empty, or one of this server to go on with.")
    private Path folder;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "How long to record: 5m, 24h, 7d (default: until stopped).")
    private @Nullable Duration recorded;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = DurationText.class,
            description = "How often to look at sessions, 100ms to 1m (default: ${DEFAULT-VALUE}).")
    private Duration every;

    @Option(
            names = "--max-size",
            paramLabel = "SIZE",
            defaultValue = "1GiB",
            converter = ByteSizeText.class,
            description = "Drop the oldest samples beyond this: 500MB, 2GiB (default: ${DEFAULT-VALUE}).")
    private Long bytesMax;

    @Option(
            names = "--max-age",
            paramLabel = "TIME",
            defaultValue = "7d",
            converter = DurationText.class,
            description = "Drop samples older than this (default: ${DEFAULT-VALUE}).")
    private Duration ageMax;

    @Mixin
    private PoolOptions pools;

    @Option(
            names = "--keep-literals",
            description = "Record statements with their literals as well (default: without).")
    private boolean keepLiterals;

    @Option(names = "--json", description = "Print one JSON document at the end and nothing else.")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    /** The server, and what can be asked of it and its machine. */
    private record Target(RecordingHeader header, List<Probe<?>> probes) {}

    /** Counts what did not come. */
    private static final class Tally implements SampleSink {
        private final LookTally looks = new LookTally(); // guarded by this
        private int connections; // guarded by this

        @Override
        public synchronized <R extends Row> void add(Class<R> row, Sample<R> sample) {
            if (!row.equals(LookRow.class) && !row.equals(ObserverRow.class)) {
                return;
            }
            for (Row one : sample.rows()) {
                if (one instanceof LookRow look) {
                    looks.add(sample.at(), look);
                } else if (one instanceof ObserverRow event && event.kind() == ObserverRow.Kind.CONNECTED) {
                    connections++;
                }
            }
        }
    }

    @Override
    public Integer call() {
        checkOptions();
        CountDownLatch tidy = new CountDownLatch(1);
        Interruption.watch(tidy, TIDY_MAX);
        try {
            return record();
        } finally {
            tidy.countDown();
        }
    }

    private void checkOptions() {
        if (every.compareTo(EVERY_MIN) < 0 || every.compareTo(EVERY_MAX) > 0) {
            throw usage("--every takes 100ms to 1m");
        }
        if (recorded != null && recorded.compareTo(Duration.ofSeconds(1)) < 0) {
            throw usage("--for takes 1s or more");
        }
        if (bytesMax < BYTES_MIN) {
            throw usage("--max-size takes 1MiB or more");
        }
        if (ageMax.compareTo(Duration.ofMinutes(1)) < 0) {
            throw usage("--max-age takes 1m or more");
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }

    private int record() {
        TargetAddress address = connection.address();
        Target target = target(address);
        Instant start = Instant.now();
        RecordingHeader.Run run = new RecordingHeader.Run(BuildInfo.version(), start, null, options());
        RecordingLimits limits = RecordingLimits.DEFAULT.withBytesMax(bytesMax).withAgeMax(ageMax);
        RecordingWriter writer = RecordingWriter.open(folder, target.header(), run, limits, Clock.system());
        Tally tally = new Tally();
        Sampler sampler;
        Instant end;
        try (writer) {
            List<Probe<?>> probes = new ArrayList<>(target.probes());
            probes.add(writer.catalogProbe());
            CostBudget budget = CostBudget.recording().ofWholeProcess(); // this program does nothing else
            sampler = Sampler.start(new SamplerPlan(address, probes, keepLiterals, budget), writer.and(tally));
            try (sampler) {
                if (!json) {
                    say("recording " + address + " into " + folder
                            + (recorded == null ? " until stopped (Ctrl-C)" : ""));
                }
                follow(sampler, writer);
            }
            end = Instant.now();
        }
        RecordingException failure = writer.failure();
        RecordingReport report;
        synchronized (tally) {
            report = new RecordingReport(
                    folder,
                    target.header().server(),
                    start,
                    end,
                    writer.samples(),
                    writer.bytes(),
                    writer.droppedBytes(),
                    tally.connections,
                    sampler.cost(),
                    tally.looks.unavailable(),
                    failure != null || Interruption.came());
        }
        if (failure != null) {
            throw failure;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                json
                        ? report.json(BuildInfo.version(), Instant.now())
                        : Terminal.report(System.getenv()).recording(report));
        out.flush();
        return ExitCode.DONE;
    }

    private Target target(TargetAddress address) {
        try (TargetSession session = TargetSession.open(address)) {
            Optional<LocalServer> here = LocalServer.find(session);
            List<Probe<?>> probes = new ArrayList<>();
            for (Probe<?> probe : Probes.all()) {
                probes.add(probe.name().equals("activity") ? scaled(probe) : probe);
            }
            here.ifPresent(server -> probes.addAll(HostProbes.of(server)));
            probes.addAll(pools.probes());
            RecordingHeader header = RecordingHeader.of(
                    session, address, here.isPresent() ? Runtime.getRuntime().availableProcessors() : null);
            return new Target(header, probes);
        }
    }

    private Probe<?> scaled(Probe<?> probe) {
        Pace pace = probe.pace();
        return probe.at(pace.at(every));
    }

    private Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        options.put("every_millis", Long.toString(every.toMillis()));
        options.put("max_size_bytes", Long.toString(bytesMax));
        options.put("max_age_seconds", Long.toString(ageMax.toSeconds()));
        options.put("keep_literals", Boolean.toString(keepLiterals));
        options.put("pools", Integer.toString(pools.count()));
        return options;
    }

    /** Until the time is over, somebody ends it, or nothing can be written any more. */
    private void follow(Sampler sampler, RecordingWriter writer) {
        long startNanos = System.nanoTime();
        Duration limit = recorded;
        RecordingProgress progress = new RecordingProgress(System.err, Terminal.errIsTerminal() && !json);
        try {
            while (writer.failure() == null && !Interruption.came()) {
                Duration done = Duration.ofNanos(System.nanoTime() - startNanos);
                Duration left = limit == null ? TICK : limit.minus(done);
                if (left.isNegative() || left.isZero()) {
                    break;
                }
                sampler.check();
                progress.show(done, limit, writer, sampler);
                Thread.sleep(Math.min(left.toMillis() + 1, TICK.toMillis()));
            }
        } catch (InterruptedException e) {
            // told to end; what follows must not be interrupted
        } finally {
            progress.end();
        }
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
