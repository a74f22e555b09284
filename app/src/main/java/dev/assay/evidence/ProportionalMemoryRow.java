package dev.assay.evidence;

/**
 * Memory of the server's processes with each shared page divided among those that map it (proportional set size): {@code
 * /proc/PID/smaps_rollup}. Reading it is dear where shared buffers are large, so the processes with most memory of their own are read first,
 * and not all where there are many.
 *
 * @param processes how many processes the server has
 * @param processesRead how many of them were read; the figures are of these
 * @param proportionalBytes of those read, together
 * @param anonymousBytes the part that is memory of their own
 * @param sharedMemoryBytes the part that is shared memory, buffers above all
 * @param proportionalBytesMax of the largest of them
 * @param pidMax the largest of them
 */
public record ProportionalMemoryRow(
        int processes,
        int processesRead,
        long proportionalBytes,
        long anonymousBytes,
        long sharedMemoryBytes,
        long proportionalBytesMax,
        int pidMax)
        implements Row {}
