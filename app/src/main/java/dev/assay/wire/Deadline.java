package dev.assay.wire;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A moment by which a call must be over, on the monotonic clock, and how long the call was given. */
record Deadline(long startNanos, long limitNanos) {

    static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime(), limit.toNanos());
    }

    long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    long limitMillis() {
        return TimeUnit.NANOSECONDS.toMillis(limitNanos);
    }

    /** Rounded up, so that a wait of that length is enough; 0 when the deadline has passed. */
    long remainingMillis() {
        long left = limitNanos - (System.nanoTime() - startNanos);
        return left <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1;
    }
}
