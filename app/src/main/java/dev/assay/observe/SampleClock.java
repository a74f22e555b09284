package dev.assay.observe;

import dev.assay.sys.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Times of samples: the wall clock as it was at an anchor, moved on by the monotonic one, so that they never go back, however the wall clock
 * is nudged. When the wall clock has been set, or the machine slept without its monotonic clock going on, the two part; from a second on
 * the anchor is laid anew.
 *
 * <p>What readers see then is a {@code CLOCK_MOVED} with the first time by the new anchor. Times before and after it do not compare: after a
 * clock that was set back, samples of one type follow each other with times that overlap earlier ones. A machine that slept and whose both
 * clocks went on shows as a gap alone.
 *
 * <p>Thread-safe.
 */
final class SampleClock {

    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** A reading of both clocks that took longer than this was interrupted, and is taken again. */
    private static final long READING_NANOS_MAX = 1_000_000;

    private static final int READINGS_MAX = 5;

    private final Clock clock;
    private final Anchor first;
    private volatile Anchor anchor;

    SampleClock(Clock clock) {
        this.clock = clock;
        this.first = reading();
        this.anchor = first;
    }

    /** Both clocks at the same moment. */
    private record Anchor(Instant wall, long nanos) {
        Instant at(long other) {
            return wall.plusNanos(other - nanos);
        }
    }

    private Anchor reading() {
        Anchor best = null;
        long bestTook = Long.MAX_VALUE;
        for (int i = 0; i < READINGS_MAX && bestTook > READING_NANOS_MAX; i++) {
            long before = clock.nanos();
            Instant wall = clock.now();
            long took = clock.nanos() - before;
            if (best == null || took < bestTook) {
                best = new Anchor(wall, before + took / 2);
                bestTook = took;
            }
        }
        if (best == null) {
            throw new IllegalStateException("no reading");
        }
        return best;
    }

    /**
     * Compares the clocks and lays the anchor anew when they have parted.
     *
     * @return how far the wall clock moved against the time of samples, negative when it went back; empty while they agree
     */
    Optional<Duration> checked() {
        Anchor now = reading();
        if (agrees(now)) {
            return Optional.empty();
        }
        synchronized (this) {
            if (agrees(now)) { // another thread was quicker
                return Optional.empty();
            }
            Duration moved = Duration.between(anchor.at(now.nanos()), now.wall());
            anchor = now;
            return Optional.of(moved);
        }
    }

    private boolean agrees(Anchor now) {
        return Duration.between(anchor.at(now.nanos()), now.wall()).abs().compareTo(TOLERANCE) <= 0;
    }

    /** When sampling began, by the clock of then. */
    Instant from() {
        return first.wall();
    }

    Instant now() {
        return at(clock.nanos());
    }

    /** The time of a reading of {@link #nanos}. */
    Instant at(long nanos) {
        return anchor.at(nanos);
    }

    /** Nanoseconds since sampling began. */
    long elapsedNanos() {
        return clock.nanos() - first.nanos();
    }

    long nanos() {
        return clock.nanos();
    }
}
