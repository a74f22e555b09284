package dev.assay.evidence;

/**
 * One look of one probe, successful or not: what was asked, what it cost, and where the series of samples has a gap.
 *
 * @param probe its name
 * @param outcome how it ended
 * @param tookMicros until the answer was complete, in microseconds
 * @param rows how many rows came back
 * @param detail why it did not succeed, empty when it did
 */
public record LookRow(String probe, Outcome outcome, long tookMicros, int rows, String detail) implements Row {

    /** How a look ended. */
    public enum Outcome {
        /** With a sample. */
        OK,
        /** The server did not answer in time or a catalog was locked; it is tried again. */
        MISSED,
        /** The server has no such view or the role may not read it; it is asked again some minutes later. */
        REFUSED,
        /** The session broke. */
        LOST
    }
}
