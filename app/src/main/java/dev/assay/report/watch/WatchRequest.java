package dev.assay.report.watch;

import java.time.Duration;
import java.time.Instant;

/** What a key asks of whoever shows the view; everything else a key does changes the {@link WatchView} alone. */
public sealed interface WatchRequest {

    /** Nothing: draw again. */
    record Redraw() implements WatchRequest {}

    /** End. */
    record Quit() implements WatchRequest {}

    /** Play a recording, or pause. */
    record PlayOrPause() implements WatchRequest {}

    /** Move in a recording; negative to the past. */
    record SeekBy(Duration step) implements WatchRequest {}

    /** Move in a recording to that moment. */
    record GoTo(Instant at) implements WatchRequest {}

    /** To the beginning of the next episode of a recording, or of the one before. */
    record Episode(boolean next) implements WatchRequest {}

    /** Play twice as fast, or half. */
    record Speed(boolean faster) implements WatchRequest {}
}
