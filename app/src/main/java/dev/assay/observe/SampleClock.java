package dev.assay.observe;

import dev.assay.sys.Clock;
import java.time.Instant;

/** Times of samples: the wall clock as it was at the start, moved on by the monotonic one, so that they never go back. Thread-safe. */
final class SampleClock {

    private final Clock clock;
    private final Instant from;
    private final long fromNanos;

    SampleClock(Clock clock) {
        this.clock = clock;
        this.from = clock.now();
        this.fromNanos = clock.nanos();
    }

    Instant from() {
        return from;
    }

    Instant now() {
        return at(clock.nanos());
    }

    /** The time of a reading of {@link #nanos}. */
    Instant at(long nanos) {
        return from.plusNanos(nanos - fromNanos);
    }

    long nanos() {
        return clock.nanos();
    }
}
