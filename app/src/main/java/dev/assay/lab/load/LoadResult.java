package dev.assay.lab.load;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one run did. A transaction is one execution of a script; it belongs to the window in which it finishes, wherever it began.
 *
 * @param counts of the measured window
 * @param transactionsOutside succeeded in the warm-up and after the window, while the last ones in flight were awaited
 * @param measuredNanos real length of the measured window; 0 when the run ended before it
 * @param latency of the transactions of the window that succeeded, nanoseconds, three significant digits; the caller's to keep
 * @param scripts in their order
 * @param statementsFailed ErrorResponses of the window by SQLSTATE, besides {@link #OPEN_BLOCK}
 * @param failureExamples the first message for each key of {@code statementsFailed}
 * @param connectNanos spent on opening and closing connections of single transactions
 * @param connectionsOpen when the run returned
 * @param connectionsLost at any time of the run; whether a transaction in flight on one was committed is not known, it is counted nowhere
 * @param firstLoss why the first of them was lost
 * @param clientsAborted whose scripts could not go on
 * @param firstAbort why the first of them was aborted
 * @param clientCpuNanos processor time of the client's threads in the window
 * @param busiestThreadNanos of the thread that took the most of it
 * @param clientAllocatedBytes heap allocated by the client's threads in the window
 * @param gcMillis of the whole process in the window
 * @param timerLatenessMicrosMax the latest that a timer of 10 ms in the client's threads fired in the window; up to 1,000 is rounding
 */
public record LoadResult(
        LoadCounts counts,
        long transactionsOutside,
        long measuredNanos,
        Histogram latency,
        List<ScriptResult> scripts,
        Map<String, Long> statementsFailed,
        Map<String, String> failureExamples,
        long connectNanos,
        int connectionsOpen,
        int connectionsLost,
        @Nullable String firstLoss,
        int clientsAborted,
        @Nullable String firstAbort,
        long clientCpuNanos,
        long busiestThreadNanos,
        long clientAllocatedBytes,
        long gcMillis,
        long timerLatenessMicrosMax) {

    /** Key in {@code statementsFailed} for scripts that ended inside a transaction block; every other key is an SQLSTATE. */
    public static final String OPEN_BLOCK = "open block";

    private static final double SATURATED_SHARE = 0.9;

    public LoadResult {
        scripts = List.copyOf(scripts);
        statementsFailed = Map.copyOf(statementsFailed);
        failureExamples = Map.copyOf(failureExamples);
    }

    /** Transactions that succeeded in the window. */
    public long transactions() {
        return counts.succeeded();
    }

    /** Transactions given up in the window, as a statement failed or the script ended inside a transaction block. */
    public long transactionsFailed() {
        return counts.failures();
    }

    /** Transactions a second that succeeded in the window; 0 for a run without one. */
    public double transactionsPerSecond() {
        return measuredNanos == 0 ? 0 : transactions() * 1e9 / measuredNanos;
    }

    /** One of the client's threads was busy for more than 90 % of the window: the client may have been the limit, not the server. */
    public boolean clientSaturated() {
        return busiestThreadNanos > SATURATED_SHARE * measuredNanos;
    }
}
