package dev.assay.cli;

import dev.assay.bottleneck.Bottlenecks;
import dev.assay.diagnose.Diagnostician;
import dev.assay.diagnose.Rule;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.HorizonRow;
import dev.assay.evidence.HostRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.SessionCountRow;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.SubtransactionsRow;
import dev.assay.evidence.VacuumProgressRow;
import dev.assay.evidence.episode.Span;
import dev.assay.observe.recording.RecordedEpisodes;
import dev.assay.observe.recording.Recording;
import dev.assay.report.watch.WatchModel;
import dev.assay.report.watch.WatchPicture;
import dev.assay.report.watch.WatchRequest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A recording while it is watched: played, paused, moved in. */
final class RecordedWatch implements WatchSource {

    /** What the view shows. */
    private static final List<Class<? extends Row>> SHOWN = List.of(
            ActivityRow.class,
            RelationLocksRow.class,
            SubtransactionsRow.class,
            SessionCountRow.class,
            BlockingRow.class,
            VacuumProgressRow.class,
            HorizonRow.class,
            ServerRow.class,
            SettingRow.class,
            HostRow.class,
            LookRow.class,
            ObserverRow.class);

    private final Recording recording;
    private final WatchModel model = new WatchModel();
    private final Playback playback;
    private final WatchJudge judge;
    private final CompletableFuture<List<Span>> episodes;

    private RecordedWatch(Recording recording, Instant start) {
        this.recording = recording;
        model.names(recording.catalog());
        Set<Class<? extends Row>> rows = new LinkedHashSet<>(SHOWN);
        List<Rule> rules = Bottlenecks.rules();
        rules.forEach(rule -> rows.addAll(rule.needs()));
        this.playback = new Playback(recording, model, rows, start);
        this.judge = new WatchJudge(model, recording.server(), new Diagnostician(rules));
        this.episodes = CompletableFuture.supplyAsync(() -> episodes(recording.path()));
    }

    /**
     * Opens a recording.
     *
     * @param at where to begin, when the option was given
     * @throws CommandException when it is empty or does not hold that time
     */
    static RecordedWatch open(Path path, AtOption at) {
        Recording recording = Recording.open(path);
        try {
            return new RecordedWatch(recording, at.window(recording).from());
        } catch (RuntimeException e) {
            recording.close();
            throw e;
        }
    }

    /** Over a reader of its own, so that the search through all of it does not hold up playing. */
    private static List<Span> episodes(Path path) {
        try (Recording own = Recording.open(path)) {
            return RecordedEpisodes.of(own).spans();
        }
    }

    @Override
    public WatchPicture picture() {
        Playback.State state = playback.state();
        WatchPicture.Playback shown =
                new WatchPicture.Playback(state.from(), state.to(), state.speed(), state.playing());
        return model.picture(
                state.position(),
                new WatchPicture.Scene(
                        String.valueOf(recording.path().getFileName()), recording.server(), null, shown));
    }

    @Override
    public Optional<String> ask(WatchRequest request) {
        if (request instanceof WatchRequest.PlayOrPause) {
            playback.playOrPause();
        } else if (request instanceof WatchRequest.Speed speed) {
            playback.speed(speed.faster());
        } else if (request instanceof WatchRequest.SeekBy seek) {
            playback.seekBy(seek.step());
        } else if (request instanceof WatchRequest.GoTo goTo) {
            playback.goTo(goTo.at());
        } else if (request instanceof WatchRequest.Episode episode) {
            return Optional.of(toEpisode(episode.next()));
        }
        return Optional.empty();
    }

    private String toEpisode(boolean next) {
        if (!episodes.isDone()) {
            return "The recording is still being searched for episodes; try again in a moment.";
        }
        List<Span> spans;
        try {
            spans = episodes.join();
        } catch (CompletionException e) {
            Throwable why = e.getCause();
            return "The episodes cannot be found: " + (why == null ? e : why).getMessage();
        }
        Instant here = playback.state().position();
        int found = -1;
        for (int i = 0; i < spans.size(); i++) {
            Instant begin = spans.get(i).from();
            if (next && begin.isAfter(here)) {
                found = i;
                break;
            }
            // a moment is left to go back over more than one
            if (!next && begin.isBefore(here.minusSeconds(2))) {
                found = i;
            }
        }
        if (found < 0) {
            return "No episode " + (next ? "after" : "before") + " this time; the recording has " + spans.size() + ".";
        }
        playback.goTo(spans.get(found).from());
        return "Episode " + (found + 1) + " of " + spans.size() + ", "
                + Math.round(spans.get(found).seconds()) + " s long.";
    }

    @Override
    public void close() {
        judge.close();
        playback.close();
        recording.close();
    }
}
