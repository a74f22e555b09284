package dev.assay.wire;

import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one run did. A transaction is one execution of a script; it belongs to the window in which it finishes, wherever it began.
 *
 * @param transactions completed in the measured window
 * @param transactionsOutside completed in the warm-up and after the window, while the last ones in flight were awaited
 * @param measuredNanos real length of the measured window; 0 when the run ended before it
 * @param latency of the completed transactions of the window, nanoseconds, three significant digits; the caller's to keep
 * @param transactionsFailed in the window, given up because a statement failed or because the script ended inside a transaction block
 * @param statementsFailed ErrorResponses of the window by SQLSTATE, besides {@link #OPEN_BLOCK}
 * @param failureExamples the first message for each key of {@code statementsFailed}
 * @param connectionsOpen when the run returned
 * @param connectionsLost at any time of the run; whether a transaction in flight on one was committed is not known, it is counted nowhere
 * @param firstLoss why the first of them was lost
 * @param clientCpuNanos processor time of the client's thread in the window
 * @param clientAllocatedBytes heap allocated by the client's thread in the window
 * @param gcMillis of the whole process in the window
 * @param timerLatenessMicrosMax the latest that a timer of 10 ms in the client's thread fired in the window; up to 1,000 is rounding
 */
public record LoadResult(
        long transactions,
        long transactionsOutside,
        long measuredNanos,
        Histogram latency,
        long transactionsFailed,
        Map<String, Long> statementsFailed,
        Map<String, String> failureExamples,
        int connectionsOpen,
        int connectionsLost,
        @Nullable String firstLoss,
        long clientCpuNanos,
        long clientAllocatedBytes,
        long gcMillis,
        long timerLatenessMicrosMax) {

    /** Key in {@code statementsFailed} for scripts that ended inside a transaction block; every other key is an SQLSTATE. */
    public static final String OPEN_BLOCK = "open block";

    private static final double SATURATED_SHARE = 0.9;

    public LoadResult {
        statementsFailed = Map.copyOf(statementsFailed);
        failureExamples = Map.copyOf(failureExamples);
    }

    /** Completed transactions a second in the window; 0 for a run without one. */
    public double transactionsPerSecond() {
        return measuredNanos == 0 ? 0 : transactions * 1e9 / measuredNanos;
    }

    /** The client's thread was busy for more than 90 % of the window: the client may have been the limit, not the server. */
    public boolean clientSaturated() {
        return clientCpuNanos > SATURATED_SHARE * measuredNanos;
    }
}
