package dev.assay.report;

/**
 * What observing cost the server under study and its machine.
 *
 * @param clientCpuMillis CPU time of the observing process
 * @param backendBusyMillis how long the observing sessions' backends were busy
 * @param shareOfCores backend time divided by the time that the server's cores had in the window, 0 to 1; NaN when the cores are unknown
 * @param queries how many queries were sent
 * @param rows how many rows they returned
 */
public record SelfCost(
        double clientCpuMillis, double backendBusyMillis, double shareOfCores, long queries, long rows) {}
