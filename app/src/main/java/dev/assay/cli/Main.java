package dev.assay.cli;

import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point: parses the command line, runs the command, turns failures into one line and a hint. */
@Command(
        name = "assay",
        description =
                "The PostgreSQL contention laboratory: observes, names the cause, reproduces it, proves the cure.",
        versionProvider = BuildInfo.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            DiagnoseCommand.class,
            WatchCommand.class,
            RecordCommand.class,
            QueryCommand.class,
            EpisodesCommand.class,
            LabCommand.class
        },
        footer = {"", "Start with:  assay demo", "Then try:    assay diagnose -d postgresql://user@host/database"})
public final class Main implements Runnable {

    /** Held, because the JVM forgets a logger and its level when nobody does. */
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Option(names = "--version", versionHelp = true, description = "Show version, commit and Java.")
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private boolean version;

    @Option(names = "--debug", scope = CommandLine.ScopeType.INHERIT, description = "Show the stack trace of an error.")
    private boolean debug;

    private Main() {}

    boolean debug() {
        return debug;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "missing command: demo, diagnose, watch, record, query, episodes or lab");
    }

    public static void main(String[] args) {
        int exitCode = run(args);
        Interruption.over();
        System.exit(exitCode);
    }

    /** Runs one command line and returns the exit code. */
    static int run(String... args) {
        quietDriver();
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        ErrorLines errors = new ErrorLines(main);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        letLastOptionCount(line);
        line.setExecutionExceptionHandler(errors);
        line.setParameterExceptionHandler(errors);
        return line.execute(args);
    }

    /** As with pgbench, the last one of an option counts there, and its scripts add up. */
    private static void letLastOptionCount(CommandLine line) {
        if (line.getCommand() instanceof PgbenchCommand) {
            line.setOverwrittenOptionsAllowed(true);
        }
        line.getSubcommands().values().forEach(Main::letLastOptionCount);
    }

    /** The driver logs what it also throws; an error is told once, in our words. */
    private static void quietDriver() {
        DRIVER.setLevel(Level.OFF);
    }
}
