package dev.assay.cli;

import dev.assay.report.watch.Pen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code assay watch}: the live view of a server, or of a recording. */
@Command(
        name = "watch",
        description = {
            "Watch a PostgreSQL server live on the terminal: load by wait class, sessions, blocking, vacuum, findings.",
            "Reads only; pg_monitor is enough. The key ? shows all keys, q ends."
        },
        sortOptions = false,
        footer = {"", "Example:  assay watch -d postgresql://monitor@db.example/shop"})
final class WatchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private Subject subject;

    @Mixin
    private PoolOptions pools;

    @Option(names = "--ascii", description = "Draw with ASCII alone (default where the locale is not UTF-8).")
    private boolean ascii;

    @Option(names = "--keep-literals", description = "Show statements with their literals.")
    private boolean keepLiterals;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public Integer call() throws IOException {
        if (!Terminal.inIsTerminal() || !Terminal.outIsTerminal()) {
            spec.commandLine().getErr().println("assay: watch needs a terminal for its input and its output");
            spec.commandLine().getErr().println("hint: Into a file or a pipe, 'assay diagnose' prints what it found.");
            return ExitCode.USAGE;
        }
        Interruption.watch(() -> {});
        Map<String, String> environment = System.getenv();
        Pen pen = WatchTerminal.pen(environment, ascii);
        // the terminal is given back first: ending the looks may take a second
        try (WatchSource source = source();
                WatchTerminal terminal = WatchTerminal.open(environment)) {
            new WatchLoop(terminal, source, pen).run();
        }
        return ExitCode.DONE;
    }

    private WatchSource source() {
        Path folder = subject.folder(pools.given(), " and no --pool: it shows those recorded");
        return folder == null
                ? LiveWatch.start(subject.address(), pools.probes(), keepLiterals)
                : RecordedWatch.open(folder, subject.at());
    }
}
