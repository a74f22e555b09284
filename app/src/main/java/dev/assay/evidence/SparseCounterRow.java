package dev.assay.evidence;

/**
 * A counter row of which a sample holds only those that have changed since the look before; all of them come in the first sample of a session
 * and again about once an hour.
 *
 * <p>So an increase is the difference to the last sample that held the key, however long ago that was, and it happened after the look before
 * this one: a key that a sample does not hold has not moved since. A key that appears for the first time, while earlier samples of the same
 * session are there, began after the look before: its counters are the increase. A key that was dropped or evicted is not told; one that has
 * not come for more than an hour is gone. One that was evicted and came back shows smaller counters or, where the server tells it, a later
 * {@link #statsReset}.
 */
public interface SparseCounterRow extends CounterRow {}
