package dev.assay.lab.load;

/**
 * How a run is getting on, at most 10 ms old; values of one moment need not fit each other exactly.
 *
 * @param transactions completed since the run began, warm-up included
 * @param transactionsFailed since the run began
 * @param connectionsOpen now
 */
public record LoadProgress(long transactions, long transactionsFailed, int connectionsOpen) {}
