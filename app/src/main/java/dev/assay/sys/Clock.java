package dev.assay.sys;

import java.time.Instant;

/** The time, handed in so that a test can hand in another. Implementations are thread-safe. */
public interface Clock {

    /** Nanoseconds from an arbitrary origin that never go back; for durations only. */
    long nanos();

    /** The wall clock, UTC. */
    Instant now();

    /** The machine's own clock. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
