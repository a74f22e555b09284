package dev.assay.cli;

import dev.assay.bottleneck.Bottlenecks;
import dev.assay.diagnose.Diagnosis;
import dev.assay.diagnose.Diagnostician;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.Severity;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.Unavailable;
import dev.assay.observe.CatalogReader;
import dev.assay.observe.Observation;
import dev.assay.observe.Sampler;
import dev.assay.observe.host.HostProbes;
import dev.assay.observe.host.LocalServer;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.recording.Recording;
import dev.assay.pg.ServerFacts;
import dev.assay.report.DiagnoseReport;
import dev.assay.report.DiagnosisJson;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code assay diagnose}: watches a server for a while and names what holds it back. */
@Command(
        name = "diagnose",
        description = {
            "Watch a PostgreSQL server and name what holds it back, with evidence and remedies.",
            "Reads only; pg_monitor is enough. Of a recording it says what it would have said then."
        },
        sortOptions = false,
        footer = {
            "",
            "Example:  assay diagnose -d postgresql://monitor@db.example/shop --for 1m",
            "          assay diagnose /var/lib/assay/shop --at 12:34:56/30s"
        })
final class DiagnoseCommand implements Callable<Integer> {

    private static final Duration FIRST_ANSWER = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration USUAL = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec;

    @Mixin
    private Subject subject;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "How long to watch: 30s, 5m (default: 30s).")
    private @Nullable Duration length;

    @Option(
            names = "--fail-on",
            paramLabel = "LEVEL",
            description = "Exit with 3 when there is a finding of this severity or above: info, warning, critical.")
    private @Nullable Severity failOn;

    @Mixin
    private PoolOptions pools;

    @Option(names = "--json", description = "Print one JSON document and nothing else.")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public Integer call() throws InterruptedException {
        Interruption.watch();
        Path folder = subject.folder(pools.given() || length != null, ", --for or --pool");
        return folder == null ? live() : recorded(folder);
    }

    private int recorded(Path folder) {
        try (Recording recorded = Recording.open(folder)) {
            At.Window window = subject.at().window(recorded);
            Observation seen = recorded.observation(window.from(), window.to());
            Evidence.Builder builder = Evidence.of(recorded.server()).catalog(recorded.catalog());
            Evidence evidence = complete(builder, seen, recorded.header().user(), recorded.server());
            Diagnosis diagnosis = new Diagnostician(Bottlenecks.rules()).judge(evidence);
            show(
                    new DiagnoseReport(evidence, diagnosis, seen.cost(), false),
                    spec.commandLine().getOut());
            return exitCode(diagnosis);
        }
    }

    private int live() throws InterruptedException {
        Duration watched = length == null ? USUAL : length;
        if (watched.compareTo(Duration.ofSeconds(1)) < 0 || watched.compareTo(LONGEST) > 0) {
            throw new ParameterException(spec.commandLine(), "--for takes 1s to 1h");
        }
        Diagnostician diagnostician = new Diagnostician(Bottlenecks.rules());
        List<Probe<?>> probes = new ArrayList<>(Probes.close());
        probes.addAll(pools.probes());
        PrintWriter out = spec.commandLine().getOut();
        try (TargetSession watch = TargetSession.open(subject.address());
                TargetSession catalog = TargetSession.open(subject.address())) {
            Optional<LocalServer> here = LocalServer.find(watch);
            here.ifPresent(server -> probes.addAll(HostProbes.of(server)));
            Sampler sampler = Sampler.start(watch, probes);
            Observation seen;
            try (sampler) {
                if (watched.compareTo(FIRST_ANSWER) > 0) {
                    sampler.await(FIRST_ANSWER);
                    if (!json && !Interruption.came()) {
                        firstAnswer(diagnostician.judge(evidence(sampler.soFar(), catalog)), out);
                    }
                    sampler.await(watched.minus(FIRST_ANSWER));
                } else {
                    sampler.await(watched);
                }
                seen = sampler.stop();
            }
            TargetException lost = sampler.lost();
            if (lost != null && seen.samples().isEmpty()) {
                throw lost;
            }
            Evidence evidence = lost == null ? evidence(seen, catalog) : withoutCatalog(seen, catalog);
            Diagnosis diagnosis = diagnostician.judge(evidence);
            show(new DiagnoseReport(evidence, diagnosis, seen.cost(), lost != null), out);
            if (lost != null) {
                throw lost;
            }
            return exitCode(diagnosis);
        }
    }

    private static void firstAnswer(Diagnosis diagnosis, PrintWriter out) {
        String answer = diagnosis.findings().isEmpty()
                ? "nothing found yet"
                : String.join(
                        "; ",
                        diagnosis.findings().stream()
                                .map(finding ->
                                        finding.severity().name().toLowerCase(Locale.ROOT) + ": " + finding.title())
                                .toList());
        out.println("after " + FIRST_ANSWER.toSeconds() + " s: " + answer);
        out.flush();
    }

    private static Evidence evidence(Observation seen, TargetSession catalog) {
        Evidence.Builder builder = Evidence.of(catalog.server()).catalog(CatalogReader.read(catalog, seen.relations()));
        return complete(builder, seen, catalog.user(), catalog.server());
    }

    /** With the server gone its relations have numbers for names. */
    private static Evidence withoutCatalog(Observation seen, TargetSession catalog) {
        return complete(Evidence.of(catalog.server()), seen, catalog.user(), catalog.server());
    }

    private static Evidence complete(Evidence.Builder builder, Observation seen, String role, ServerFacts server) {
        seen.addTo(builder);
        if (!server.vendor().isPostgres()) {
            builder.unavailable(List.of(new Unavailable(
                    "what holds for PostgreSQL only",
                    "this is " + server.vendor().title() + ". "
                            + server.vendor().difference())));
        }
        long hidden = seen.samples(ActivityRow.class).stream()
                .mapToLong(sample ->
                        sample.rows().stream().filter(ActivityRow::hidden).count())
                .max()
                .orElse(0);
        if (hidden > 0) {
            builder.unavailable(List.of(new Unavailable(
                    "what up to " + hidden + " sessions of other roles do",
                    "role " + role + " may not see it; grant it pg_monitor")));
        }
        return builder.between(seen.from(), seen.to());
    }

    private void show(DiagnoseReport report, PrintWriter out) {
        if (json) {
            out.println(DiagnosisJson.text(report, BuildInfo.version(), Instant.now()));
        } else {
            out.print(Terminal.report(System.getenv()).diagnosis(report));
        }
        out.flush();
    }

    private int exitCode(Diagnosis diagnosis) {
        Severity level = failOn;
        boolean fails = level != null
                && diagnosis.findings().stream().map(Finding::severity).anyMatch(found -> found.compareTo(level) >= 0);
        return fails ? ExitCode.FOUND : ExitCode.DONE;
    }
}
