package dev.assay.cli;

import dev.assay.lab.Signature;
import dev.assay.lab.compare.Expectation;
import dev.assay.lab.compare.ExpectationResult;
import dev.assay.lab.compare.RunsComparison;
import dev.assay.lab.compare.StoredRun;
import dev.assay.report.JUnitReport;
import dev.assay.report.RunsJson;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code assay lab compare}: two stored runs of one experiment. */
@Command(
        name = "compare",
        description = {
            "Compare two stored runs of one experiment, before and after.",
            "Every variant that both have is compared on every metric. The runs were not",
            "interleaved, so drift of the machine between them is not cancelled."
        },
        footer = {"", "Example:  assay lab compare before/ after/ --expect 'tps>=0.98'"})
final class CompareCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BEFORE", description = "Folder of a run, as 'lab run -o' wrote it.")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "Folder of the run to judge.")
    private Path after;

    @Option(
            names = "--margin",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Inside of it a difference does not matter (default: ${DEFAULT-VALUE}).")
    private double margin;

    @Option(names = "--json", description = "Print one JSON document and nothing else.")
    private boolean json;

    @Mixin
    private JudgeOptions judge;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public Integer call() {
        if (!(margin > 0 && margin < 1)) {
            throw new ParameterException(
                    spec.commandLine(), "--margin takes a share above 0 and below 1, for example 0.05");
        }
        List<Expectation> expectations = judge.expectations();
        ResultFolder.@Nullable File junit = judge.junit();
        RunsComparison runs = RunsComparison.of(StoredResult.read(before), StoredResult.read(after), margin);
        judge.check(
                expectations,
                runs.after().variants().stream()
                        .map(StoredRun.Variant::name)
                        .filter(name -> !runs.onlyAfter().contains(name))
                        .toList());
        List<ExpectationResult> results = ExpectationResult.of(expectations, runs);
        if (junit != null) {
            junit.write(JUnitReport.of(runs, results));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                json
                        ? RunsJson.text(runs, results, BuildInfo.version(), Instant.now())
                        : Terminal.report(System.getenv()).runs(runs, results));
        out.flush();
        return JudgeOptions.exitCode(sound(runs.after()), results);
    }

    private static boolean sound(StoredRun run) {
        return run.signatures().stream().allMatch(Signature::ok)
                && run.variants().stream().allMatch(variant -> variant.wrong().isEmpty());
    }
}
