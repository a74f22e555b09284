package dev.assay.cli;

import dev.assay.lab.Experiment;
import dev.assay.lab.ExperimentFile;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code assay lab}: experiments. */
@Command(
        name = "lab",
        description = "Run experiments on real PostgreSQL servers.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            LabCommand.ListCommand.class,
            LabCommand.RunCommand.class,
            CompareCommand.class,
            PgbenchCommand.class,
            CalibrateCommand.class
        },
        footer = {"", "Example:  assay lab run lock-partitions --set load.trials=10"})
final class LabCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command: list, run, compare, pgbench or calibrate");
    }

    /** {@code assay lab list}. */
    @Command(
            name = "list",
            description = "List the built-in experiments.",
            footer = {"", "Example:  assay lab list"})
    static final class ListCommand implements Runnable {

        @Spec
        private CommandSpec spec;

        @Mixin
        @SuppressWarnings("UnusedVariable") // picocli reads the annotation
        private HelpOption help;

        @Override
        public void run() {
            PrintWriter out = spec.commandLine().getOut();
            for (String name : ExperimentFile.builtInNames()) {
                out.printf("%-20s %s%n", name, ExperimentFile.builtIn(name).question());
            }
            out.flush();
        }
    }

    /** {@code assay lab run}. */
    @Command(
            name = "run",
            description = "Run a built-in experiment or one of your own.",
            footer = {"", "Example:  assay lab run my-experiment.yaml --set load.clients=20"})
    static final class RunCommand implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        @SuppressWarnings("UnusedVariable") // picocli reads the annotation
        private HelpOption help;

        @Parameters(index = "0", paramLabel = "NAME|FILE", description = "A built-in experiment or a YAML file.")
        private String experiment;

        @Mixin
        private ExperimentRun run;

        @Mixin
        private JudgeOptions judge;

        @Override
        public Integer call() throws InterruptedException {
            return run.run(this::read, judge, spec.commandLine().getOut());
        }

        /** A name without separator or ending is a built-in experiment, unless such a file exists. */
        private Experiment read(Map<String, String> overrides) {
            Path file = Path.of(experiment);
            boolean named = !experiment.contains("/") && !experiment.contains(".");
            return named && !Files.exists(file)
                    ? ExperimentFile.builtIn(experiment, overrides)
                    : ExperimentFile.read(file, overrides);
        }
    }
}
