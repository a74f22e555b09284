package dev.assay.lab.load;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a load treats its transactions.
 *
 * @param transactionsPerSecond all clients together begin so many, at random moments (a Poisson process), and latency counts from the moment
 *     intended; 0 for as fast as they can
 * @param latencyLimit a transaction that took longer is counted late; one that would begin later than that is skipped when there is a rate;
 *     null for none
 * @param triesMax how often a transaction is tried that meets a serialization failure (40001) or a deadlock (40P01); 0 for no limit
 * @param goesOn whether a client goes on after any other error, whose transaction counts as failed, or is aborted
 * @param endsOnAbort whether the run ends when a client is aborted
 * @param connectsEach whether every transaction has a connection of its own
 * @param reconnects whether a client whose connection breaks opens another one or is lost
 * @param scale of the standard tables, for the variable {@code scale}
 * @param variables defined from the start, by name
 */
public record LoadRules(
        double transactionsPerSecond,
        @Nullable Duration latencyLimit,
        int triesMax,
        boolean goesOn,
        boolean endsOnAbort,
        boolean connectsEach,
        boolean reconnects,
        long scale,
        Map<String, String> variables) {

    public LoadRules {
        variables = Map.copyOf(variables);
        if (!(transactionsPerSecond >= 0) || Double.isInfinite(transactionsPerSecond)) {
            throw new IllegalArgumentException("a rate is 0 or more: " + transactionsPerSecond);
        }
        if (triesMax < 0) {
            throw new IllegalArgumentException("tries are 0 or more: " + triesMax);
        }
        if (latencyLimit != null && (latencyLimit.isNegative() || latencyLimit.isZero())) {
            throw new IllegalArgumentException("a latency limit is positive: " + latencyLimit);
        }
    }

    /** As fast as possible; failures are counted and the client goes on. */
    public static LoadRules closedLoop() {
        return new LoadRules(0, null, 1, true, false, false, false, 1, Map.of());
    }
}
