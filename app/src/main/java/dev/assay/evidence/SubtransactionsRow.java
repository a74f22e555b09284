package dev.assay.evidence;

/**
 * A backend in whose transaction subtransactions are at work, from {@code pg_stat_get_backend_subxact} (16+).
 *
 * @param pid the backend's process id
 * @param count subtransactions with a transaction id that the backend lists in shared memory, 64 at most
 * @param overflowed whether there are more than it can list: whoever takes a snapshot then has to look them up in {@code pg_subtrans}
 */
public record SubtransactionsRow(int pid, int count, boolean overflowed) implements Row {}
