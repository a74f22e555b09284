package dev.assay.observe.probe;

import java.time.Duration;

/**
 * When a probe looks.
 *
 * @param cadence time between two looks
 * @param lane which of the observer's sessions asks: a slow answer delays the probes of its own lane only
 * @param costly whether the cadence must stretch so that looking never takes more than a twentieth of the time
 * @param onLockWaits whether to look only after the activity probe has just seen a session wait for a heavyweight lock
 */
public record Pace(Duration cadence, Lane lane, boolean costly, boolean onLockWaits) {

    /** Which session asks. */
    public enum Lane {
        /** Quick functions that read shared memory. */
        QUICK,
        /** Views that may take long: large, joined, or on disk. */
        PATIENT,
        /** No session at all: this machine's {@code /proc}, or an HTTP endpoint. */
        LOCAL
    }

    public Pace {
        if (cadence.isNegative() || cadence.isZero()) {
            throw new IllegalArgumentException("a probe looks every " + cadence);
        }
    }

    /** In the quick lane. */
    public static Pace every(Duration cadence) {
        return new Pace(cadence, Lane.QUICK, false, false);
    }

    public Pace in(Lane other) {
        return new Pace(cadence, other, costly, onLockWaits);
    }

    public Pace whenCheap() {
        return new Pace(cadence, lane, true, onLockWaits);
    }

    public Pace whenLocksAreWaitedFor() {
        return new Pace(cadence, lane, costly, true);
    }

    /** The same with another cadence. */
    public Pace at(Duration other) {
        return new Pace(other, lane, costly, onLockWaits);
    }
}
