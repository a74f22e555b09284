package dev.assay.observe;

import dev.assay.sys.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Two clocks that a test moves by hand, together or apart. */
final class HandClock implements Clock {

    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(7_000_000_000L);
    private final AtomicReference<Instant> wall = new AtomicReference<>(START);

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return wall.get();
    }

    /** Time passes. */
    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        wall.updateAndGet(now -> now.plus(time));
    }

    /** Somebody sets the wall clock. */
    void set(Duration ahead) {
        wall.updateAndGet(now -> now.plus(ahead));
    }
}
