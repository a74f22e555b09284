package dev.assay.cli;

import dev.assay.bottleneck.Bottlenecks;
import dev.assay.diagnose.Diagnostician;
import dev.assay.lab.Experiment;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.LabRun;
import dev.assay.lab.Laboratory;
import dev.assay.lab.Signature;
import dev.assay.report.HtmlReport;
import dev.assay.report.ResultJson;
import dev.assay.report.TerminalReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options and the course that {@code demo} and {@code lab run} share. */
final class ExperimentRun {

    @Option(names = "--json", description = "Print one JSON document and nothing else.")
    private boolean json;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Folder for report.html and result.json (default: assay-results/NAME-TIME).")
    private @Nullable Path output;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the order of trials and of every draw (default: ${DEFAULT-VALUE}).",
            defaultValue = "2025")
    private long seed;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder under which the servers keep their data while they run (default: a temporary one).")
    private @Nullable Path data;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Change a value of the experiment, for example load.trials=10 or partitions=24.")
    private Map<String, String> overrides = new LinkedHashMap<>();

    /**
     * Runs it and shows it; the exit code.
     *
     * @param source makes the experiment from what {@code --set} gave
     */
    int run(Function<Map<String, String>, Experiment> source, PrintWriter out) throws InterruptedException {
        Experiment experiment = source.apply(overrides);
        Interruption.watch();
        TerminalReport report = Terminal.report(System.getenv());
        ResultFolder folder = ResultFolder.of(output, experiment.name());
        LabRun run;
        try (LabProgress progress = new LabProgress(experiment, json ? null : out, report, Terminal.errIsTerminal())) {
            run = new Laboratory(new Diagnostician(Bottlenecks.rules()), progress, data).run(experiment, seed);
        }
        ExperimentResult result = run.result();
        Instant now = Instant.now();
        String document = ResultJson.text(result, BuildInfo.version(), now);
        Path written = folder.write("result.json", document);
        Path page = folder.write("report.html", HtmlReport.page(result, BuildInfo.version(), now));
        if (json) {
            out.println(document);
        } else {
            out.println();
            out.print(report.experiment(result));
            out.println();
            out.println("report  " + page);
            out.println("data    " + written);
        }
        out.flush();
        if (result.partial()) {
            return ExitCode.FAILED;
        }
        return result.signatures().stream().allMatch(Signature::ok) ? ExitCode.DONE : ExitCode.FOUND;
    }
}
