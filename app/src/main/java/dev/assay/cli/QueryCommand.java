package dev.assay.cli;

import dev.assay.observe.recording.QueryColumn;
import dev.assay.observe.recording.QuerySink;
import dev.assay.observe.recording.Recording;
import dev.assay.report.Answer;
import dev.assay.report.AnswerCsv;
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

/** {@code assay query}: asks a recording in SQL. */
@Command(
        name = "query",
        description = {
            "Ask a recording in SQL (DuckDB's dialect), also while it goes on.",
            "Each probe is a table; docs/recording.md lists them. Nothing is changed."
        },
        sortOptions = false,
        footer = {
            "",
            "Example:  assay query shop \"select wait_event, sum(sessions) from waits",
            "          group by all order by 2 desc\""
        })
final class QueryCommand implements Callable<Integer> {

    /** More rows than this nobody reads in a terminal; the other forms give all. */
    private static final int TABLE_ROWS_MAX = 10_000;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "Folder that 'assay record -o' wrote to.")
    private Path folder;

    @Parameters(index = "1", paramLabel = "SQL", description = "One SELECT.")
    private String sql;

    @Mixin
    private AtOption at;

    @Option(names = "--csv", description = "Print comma-separated values with a header.")
    private boolean csv;

    @Option(names = "--json", description = "Print one JSON document and nothing else.")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public Integer call() {
        if (csv && json) {
            throw new ParameterException(spec.commandLine(), "--csv and --json exclude each other");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Recording recording = Recording.open(folder)) {
            if (csv) {
                ask(recording, csv(out));
            } else {
                Answer answer = new Answer(json ? Integer.MAX_VALUE : TABLE_ROWS_MAX);
                ask(recording, answer);
                out.print(
                        json
                                ? answer.json(BuildInfo.version(), Instant.now(), sql)
                                : Terminal.report(System.getenv()).answer(answer));
            }
        }
        out.flush();
        return ExitCode.DONE;
    }

    private void ask(Recording recording, QuerySink sink) {
        if (at.given()) {
            At.Window window = at.window(recording);
            recording.query(sql, window.from(), window.to(), sink);
        } else {
            recording.query(sql, sink);
        }
    }

    private static QuerySink csv(PrintWriter out) {
        return new QuerySink() {
            @Override
            public void columns(List<QueryColumn> columns) {
                out.print(AnswerCsv.head(columns));
            }

            @Override
            public void row(List<@Nullable Object> values) {
                out.print(AnswerCsv.line(values));
            }
        };
    }
}
