package dev.assay.cli;

import dev.assay.bottleneck.Bottlenecks;
import dev.assay.diagnose.Diagnostician;
import dev.assay.lab.Experiment;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.LabRun;
import dev.assay.lab.Laboratory;
import dev.assay.lab.Signature;
import dev.assay.lab.VariantResult;
import dev.assay.lab.Verdict;
import dev.assay.lab.compare.Expectation;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.report.HtmlReport;
import dev.assay.report.JUnitReport;
import dev.assay.report.ResultJson;
import dev.assay.report.RunReport;
import dev.assay.report.TerminalReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options and the course that {@code demo} and {@code lab run} share. */
final class ExperimentRun {

    /** To write what was measured, and to drop what was made on a server that stays. */
    private static final Duration TIDY_MAX = Duration.ofSeconds(30);

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
        return run(source, new JudgeOptions(), out);
    }

    /** The same, held against what is expected. */
    int run(Function<Map<String, String>, Experiment> source, JudgeOptions judge, PrintWriter out)
            throws InterruptedException {
        List<Expectation> expectations = judge.expectations();
        Experiment experiment = source.apply(overrides);
        judge.check(
                expectations,
                experiment.comparisons().stream()
                        .map(Experiment.Pair::candidate)
                        .toList());
        ResultFolder.@Nullable File junit = judge.junit();
        CountDownLatch tidy = new CountDownLatch(1);
        Interruption.watch(tidy, TIDY_MAX);
        try {
            return run(experiment, expectations, junit, out);
        } finally {
            tidy.countDown();
        }
    }

    private int run(
            Experiment experiment, List<Expectation> expectations, ResultFolder.@Nullable File junit, PrintWriter out)
            throws InterruptedException {
        TerminalReport report = Terminal.report(System.getenv());
        ResultFolder folder = ResultFolder.of(output, experiment.name());
        LabRun run;
        try (LabProgress progress = new LabProgress(experiment, json ? null : out, report, Terminal.errIsTerminal())) {
            run = new Laboratory(new Diagnostician(Bottlenecks.rules()), progress, data).run(experiment, seed);
        }
        boolean interrupted = Thread.interrupted(); // what was measured is written nevertheless
        ExperimentResult result = run.result();
        List<ExpectationResult> judged = ExpectationResult.of(expectations, result);
        Instant now = Instant.now();
        RunReport whole =
                new RunReport(result, judged, CalibrationFile.ofUser().read().orElse(null));
        String document = ResultJson.text(whole, BuildInfo.version(), now);
        Path written = folder.write(ResultFolder.RESULT, document);
        Path page = folder.write("report.html", HtmlReport.page(whole, BuildInfo.version(), now));
        if (interrupted) {
            System.err.println("assay: interrupted after " + result.trials().size() + " of "
                    + experiment.load().trials() * experiment.variants().size()
                    + " trials; what they gave, marked partial: "
                    + written);
            throw new InterruptedException();
        }
        if (junit != null) {
            junit.write(JUnitReport.of(result, judged));
        }
        if (json) {
            out.println(document);
        } else {
            out.println();
            out.print(report.experiment(whole));
            out.println();
            out.println("report  " + page);
            out.println("data    " + written);
        }
        out.flush();
        return result.partial() ? ExitCode.FAILED : JudgeOptions.exitCode(sound(result), judged);
    }

    private static boolean sound(ExperimentResult result) {
        return result.signatures().stream().allMatch(Signature::ok)
                && result.comparisons().stream().allMatch(comparison -> comparison.verdict() != Verdict.WRONG)
                && result.variants().stream()
                        .allMatch(variant -> variant.checks().stream().allMatch(VariantResult.Check::ok));
    }
}
