package dev.assay.evidence;

import org.jspecify.annotations.Nullable;

/**
 * The memory of the machine that the server runs on, from {@code /proc/meminfo}.
 *
 * @param totalBytes all of it
 * @param availableBytes what programs can still get without swapping, by the kernel's estimate
 * @param cachedBytes page cache, shared memory included
 * @param sharedBytes shared memory that is in use: the server's buffers are part of it unless they are in huge pages
 * @param dirtyBytes written by programs and not yet on disk
 * @param writebackBytes on its way to the disk now
 * @param hugePagesBytes set aside as huge pages, used or not
 * @param swapTotalBytes swap space
 * @param swapFreeBytes swap space that is free
 * @param stalledMicros time since the machine started in which at least one process waited for memory; null where the kernel does not keep it
 */
public record MemoryRow(
        long totalBytes,
        long availableBytes,
        long cachedBytes,
        long sharedBytes,
        long dirtyBytes,
        long writebackBytes,
        long hugePagesBytes,
        long swapTotalBytes,
        long swapFreeBytes,
        @Nullable Long stalledMicros)
        implements Row {}
