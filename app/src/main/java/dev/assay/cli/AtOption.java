package dev.assay.cli;

import dev.assay.evidence.episode.Span;
import dev.assay.observe.recording.RecordedEpisodes;
import dev.assay.observe.recording.Recording;
import dev.assay.report.TerminalReport;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --at}: narrows a command to a part of a recording. */
final class AtOption {

    @Option(
            names = "--at",
            paramLabel = "TIME|EPISODE",
            converter = At.Text.class,
            description = {
                "Only a part of the recording, in UTC: the minute",
                "around 12:34:56 or 2026-03-14T12:34:56Z, what",
                "follows with 12:34:56/30s, or episode 3 of",
                "'assay episodes'."
            })
    private @Nullable At at;

    boolean given() {
        return at != null;
    }

    /**
     * The part that the command is to look at: all of the recording without the option.
     *
     * @throws CommandException when the recording is empty or does not hold it
     */
    At.Window window(Recording recording) {
        return window(recording, () -> RecordedEpisodes.of(recording).spans());
    }

    /** The same where the episodes are already known, or soon will be. */
    At.Window window(Recording recording, Supplier<List<Span>> episodes) {
        At.Window all = whole(recording);
        At part = at;
        if (part == null) {
            return all;
        }
        Integer number = part.episode();
        if (number != null) {
            return episode(recording, number, episodes.get());
        }
        return part.within(all.from(), all.to()).orElseThrow(() -> outside(recording, all, "--at"));
    }

    /**
     * All of a recording.
     *
     * @throws CommandException when it is empty
     */
    static At.Window whole(Recording recording) {
        Instant from = recording.from();
        Instant to = recording.to();
        if (!from.isBefore(to)) {
            throw new CommandException(
                    "the recording " + recording.path() + " holds no samples",
                    "Was it ended at once? Record for a while: assay record --for 1m -o DIR",
                    null);
        }
        return new At.Window(from, to);
    }

    private static At.Window episode(Recording recording, int number, List<Span> spans) {
        if (number < 1 || number > spans.size()) {
            String has = spans.isEmpty() ? "none" : spans.size() == 1 ? "one" : spans.size() + " of them";
            throw new CommandException(
                    "no episode " + number + ": the recording has " + has,
                    "List them: assay episodes " + recording.path(),
                    null);
        }
        Span span = spans.get(number - 1);
        return new At.Window(span.from(), span.to());
    }

    /** What to say of a time that the recording does not hold. */
    static CommandException outside(Recording recording, At.Window all, String option) {
        return new CommandException(
                option + " is outside of the recording " + recording.path(),
                "It spans " + TerminalReport.second(all.from()) + " to " + TerminalReport.second(all.to()) + " (UTC).",
                null);
    }
}
