package dev.assay.evidence;

/**
 * Memory that belongs to the server's processes alone, shared buffers not included: {@code RssAnon} of {@code /proc/PID/status}.
 *
 * <p>Pages that a process still shares with the postmaster since its start count for each.
 *
 * @param processes how many processes were read
 * @param anonymousBytes of all of them together
 * @param anonymousBytesMax of the largest
 * @param pidMax the largest process
 * @param swappedBytes of all of them, moved out to swap
 */
public record ServerMemoryRow(int processes, long anonymousBytes, long anonymousBytesMax, int pidMax, long swappedBytes)
        implements Row {}
