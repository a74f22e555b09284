package dev.assay.cli;

import dev.assay.lab.ExperimentFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code assay demo}: the built-in experiment on partitions and the lock manager. */
@Command(
        name = "demo",
        description = {
            "Start real PostgreSQL servers, measure what unpruned partitions cost, name the cause and prove the cure.",
            "Takes about four minutes and leaves nothing behind but the report."
        },
        footer = {"", "Example:  assay demo -o /tmp/demo"})
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Mixin
    private ExperimentRun run;

    @Override
    public Integer call() throws InterruptedException {
        return run.run(
                overrides -> ExperimentFile.builtIn("lock-partitions", overrides),
                spec.commandLine().getOut());
    }
}
