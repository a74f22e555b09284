package dev.assay.lab.load;

import java.time.Duration;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long a run goes on and what it notes.
 *
 * @param warmup not counted; may be zero
 * @param measured in which transactions begin; null for as long as it takes
 * @param transactionsEach after which a client has done enough; 0 for no such limit
 * @param lastCount whether transactions count that finish after the measured time, which then lasts until the last one has
 * @param timesCommands whether every command of the scripts is timed
 * @param log by thread, from 0; null for none
 */
public record RunPlan(
        Duration warmup,
        @Nullable Duration measured,
        long transactionsEach,
        boolean lastCount,
        boolean timesCommands,
        @Nullable IntFunction<TransactionLog> log) {

    public RunPlan {
        if (warmup.isNegative() || transactionsEach < 0) {
            throw new IllegalArgumentException("a run needs no negative figure: " + warmup + ", " + transactionsEach);
        }
        if (measured != null && (measured.isNegative() || measured.isZero())) {
            throw new IllegalArgumentException("a run needs a positive time: " + measured);
        }
        if (measured == null && transactionsEach == 0) {
            throw new IllegalArgumentException("a run needs a time or a number of transactions");
        }
    }

    /** A warm-up, then a window in which counts what finishes. */
    public static RunPlan window(Duration warmup, Duration measured) {
        return new RunPlan(warmup, measured, 0, false, false, null);
    }
}
