package dev.assay.lab.load;

/**
 * What became of transactions.
 *
 * @param serializationFailures that were not tried again with success
 * @param deadlocks that were not tried again with success
 * @param otherFailures counted where clients go on after an error
 * @param skipped not begun, as they would have been later than the latency limit
 * @param retried transactions that were tried more than once
 * @param retries tries beyond the first
 * @param late succeeded, and took longer than the latency limit
 * @param latency of those that succeeded, microseconds, from the moment intended
 * @param lag how much later than intended they began, microseconds; without a rate there are none
 */
public record LoadCounts(
        long succeeded,
        long serializationFailures,
        long deadlocks,
        long otherFailures,
        long skipped,
        long retried,
        long retries,
        long late,
        Summary latency,
        Summary lag) {

    public long failures() {
        return serializationFailures + deadlocks + otherFailures;
    }

    /** All of them: succeeded, failed and skipped. */
    public long total() {
        return succeeded + failures() + skipped;
    }

    /** What succeeded and was not late. */
    public long good() {
        return succeeded - late;
    }
}
