package dev.assay.observe.recording;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Outages;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SeenTime;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.episode.Episode;
import dev.assay.evidence.episode.EpisodeFinder;
import dev.assay.evidence.episode.EpisodeReading;
import dev.assay.evidence.episode.LoadPoint;
import dev.assay.evidence.episode.Span;
import dev.assay.observe.recording.PieceReader.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The episodes of a whole recording. Their numbers count all of them from 1, so that a number means the same one whatever is left out when they
 * are listed; they change only when a recording that goes on drops its oldest files.
 *
 * <p>Every look at activity is read once and kept as one point; the samples of an episode are read when it is asked for.
 */
public final class RecordedEpisodes {

    private static final String ACTIVITY = "activity";
    /** Of a day's half a million looks those that may tell of an outage. */
    private static final String NOTABLE = "outcome <> 'ok' OR took_micros >= " + Outages.SLOW_ANSWER_MICROS;

    private static final Duration SERVER_NEAR = Duration.ofSeconds(30);

    private final Recording recording;
    private final Instant from;
    private final Instant to;
    private final List<Instant> looks = new ArrayList<>();
    private final Outages outages;
    private final List<Span> spans;
    private final CatalogSnapshot catalog;

    private RecordedEpisodes(Recording recording) {
        this.recording = recording;
        this.from = recording.from();
        this.to = recording.to();
        List<LoadPoint> points = recording.load(from, to);
        points.forEach(point -> looks.add(point.at()));
        List<Sample<LookRow>> notable = new ArrayList<>();
        recording.read(RowTable.of(LookRow.class), Wanted.all(from, to).where(NOTABLE), notable::add);
        this.outages = Outages.of(ACTIVITY, notable, recording.samples(ObserverRow.class, from, to));
        this.spans = EpisodeFinder.find(from, to, points, outages, Duration.ZERO);
        this.catalog = recording.catalog();
    }

    /** Searches the whole recording. */
    public static RecordedEpisodes of(Recording recording) {
        return new RecordedEpisodes(recording);
    }

    /** All of them, in the order of time: number 1 stands first. */
    public List<Span> spans() {
        return spans;
    }

    /** How much of a window was seen. */
    public SeenTime time(Instant begin, Instant end) {
        List<Instant> within = looks.stream()
                .filter(at -> !at.isBefore(begin) && !at.isAfter(end))
                .toList();
        return SeenTime.of(begin, end, within, outages);
    }

    /**
     * What was seen of one.
     *
     * @param number from 1
     */
    public Episode episode(int number) {
        Span span = spans.get(number - 1);
        EpisodeReading reading = new EpisodeReading(
                recording.samples(ActivityRow.class, span.from().minus(EpisodeReading.BEFORE), span.to()),
                recording.samples(BlockingRow.class, span.from(), span.to().plus(EpisodeReading.BLOCKING_LATE)),
                recording.samples(
                        ServerRow.class,
                        span.from().minus(SERVER_NEAR),
                        span.to().plus(SERVER_NEAR)),
                catalog);
        return reading.episode(number, span);
    }
}
