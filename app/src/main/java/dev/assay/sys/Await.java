package dev.assay.sys;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that nobody signals, such as the end of a process that is not a child. Looks again every {@value #PAUSE_MILLIS} ms
 * and never longer than it is told to.
 */
public final class Await {

    private static final int PAUSE_MILLIS = 2;

    private Await() {}

    /**
     * Waits until the condition holds.
     *
     * @return whether it held within the limit; it is asked at least once
     * @throws InterruptedException when the thread is interrupted meanwhile
     */
    public static boolean until(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
        return true;
    }

    /** As {@link #until}, but an interrupt is kept for later: for tidying up, which must come to its end. */
    public static boolean untilDespiteInterrupts(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - end >= 0) {
                    return false;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
