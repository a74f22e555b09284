package dev.assay.cli;

import dev.assay.evidence.SeenTime;
import dev.assay.evidence.episode.Episode;
import dev.assay.evidence.episode.Span;
import dev.assay.observe.recording.RecordedEpisodes;
import dev.assay.observe.recording.Recording;
import dev.assay.report.EpisodesJson;
import dev.assay.report.EpisodesReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code assay episodes}: stalls of some seconds in a recording. */
@Command(
        name = "episodes",
        description = {
            "List the stalls in a recording: when more sessions than usual were blocked,",
            "waiting or active, and when the server did not answer.",
            "Their numbers narrow other commands: assay diagnose DIR --at 3."
        },
        sortOptions = false,
        footer = {"", "Example:  assay episodes /var/lib/assay/shop --from 09:00 --min-length 3s"})
final class EpisodesCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The folder of a recording.")
    private Path folder;

    @Mixin
    private AtOption at;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = At.Text.class,
            description = {"Only those that end after this time, in UTC: 12:34:56 or", "2026-03-14T12:34:56Z."})
    private @Nullable At from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = At.Text.class,
            description = "Only those that begin before this time.")
    private @Nullable At to;

    @Option(
            names = "--min-length",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = DurationText.class,
            description = "Leave shorter ones out (default: ${DEFAULT-VALUE}).")
    private Duration lengthMin;

    @Option(names = "--json", description = "Print one JSON document and nothing else.")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private HelpOption help;

    @Override
    public Integer call() {
        if (from != null) {
            from.mustBeMoment(spec, "--from");
        }
        if (to != null) {
            to.mustBeMoment(spec, "--to");
        }
        Interruption.watch();
        try (Recording recording = Recording.open(folder)) {
            At.Window all = AtOption.whole(recording);
            RecordedEpisodes episodes = RecordedEpisodes.of(recording);
            At.Window window = at.window(recording, episodes::spans);
            Instant begin = from == null ? window.from() : from.moment(all.to());
            Instant end = to == null ? window.to() : to.moment(all.to());
            window = At.cut(new At.Window(begin, end), window.from(), window.to())
                    .orElseThrow(() -> AtOption.outside(recording, all, "the time from --from to --to"));
            show(report(recording, episodes, window));
        }
        return ExitCode.DONE;
    }

    private EpisodesReport report(Recording recording, RecordedEpisodes episodes, At.Window window) {
        List<Episode> shown = new ArrayList<>();
        int omitted = 0;
        List<Span> spans = episodes.spans();
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            if (span.to().isAfter(window.from()) && span.from().isBefore(window.to())) {
                if (span.length().compareTo(lengthMin) >= 0) {
                    shown.add(episodes.episode(i + 1));
                } else {
                    omitted++;
                }
            }
        }
        SeenTime time = episodes.time(window.from(), window.to());
        return new EpisodesReport(
                recording.server(), folder.toString(), window.from(), window.to(), time, shown, omitted, List.of());
    }

    private void show(EpisodesReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(EpisodesJson.text(report, BuildInfo.version(), Instant.now()));
        } else {
            out.print(Terminal.report(System.getenv()).episodes(report));
        }
        out.flush();
    }
}
