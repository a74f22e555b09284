package dev.assay.evidence;

import org.jspecify.annotations.Nullable;

/**
 * What shared buffers hold at one moment, from {@code pg_buffercache_summary()}; all but the last in buffers. On 16 and later, where the
 * extension pg_buffercache is installed in the observed database.
 *
 * @param used buffers that hold a page
 * @param unused buffers that never held one, or not any more
 * @param dirty buffers that are not written yet
 * @param pinned buffers in use at that very moment
 * @param usageCountAverage of the used ones, 0 to 5; null when none is used
 */
public record BufferCacheRow(
        long used,
        long unused,
        long dirty,
        long pinned,
        @Nullable Double usageCountAverage) implements Row {}
