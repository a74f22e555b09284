package dev.assay.report;

import dev.assay.lab.load.LoadResult;

/**
 * A run of {@code assay lab pgbench} and what it was asked for.
 *
 * @param partitionMethod how the accounts are partitioned; empty where they are not or are not used
 * @param protocol simple, extended or prepared
 * @param triesMax 0 for no limit
 * @param seconds asked for; 0 when a number of transactions was
 * @param transactionsEach asked for; 0 when a time was
 * @param rate transactions a second asked for; 0 for none
 * @param latencyLimitMillis 0 for none
 * @param progress whether progress was shown, so that latencies were asked for
 * @param goesOn whether clients went on after errors
 * @param connectMillis it took to open the first connections
 */
public record PgbenchReport(
        LoadResult result,
        int scale,
        String partitionMethod,
        int partitions,
        String protocol,
        int clients,
        int threads,
        int triesMax,
        long seconds,
        long transactionsEach,
        double rate,
        double latencyLimitMillis,
        boolean progress,
        boolean failuresDetailed,
        boolean goesOn,
        boolean connectsEach,
        double connectMillis) {}
