package dev.assay.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Buffers for TLS records under way, lent to the channels of a thread. A channel that holds no bytes holds no buffer either, so that thousands
 * of idle clients share a handful: 17 KB for each connection in the midst of a record instead of 34 KB for every one that is open. Each
 * thread has its own; a buffer may come back on another thread than it was taken on.
 */
final class RecordBuffers {

    /** How many a thread keeps: 1.1 MB at 17 KB each. */
    private static final int KEPT_MAX = 64;

    private static final ThreadLocal<ArrayDeque<ByteBuffer>> SPARE =
            ThreadLocal.withInitial(() -> new ArrayDeque<>(KEPT_MAX));

    private RecordBuffers() {}

    /** A cleared buffer of that many bytes at least. */
    static ByteBuffer take(int bytes) {
        ByteBuffer spare = SPARE.get().pollLast();
        return spare != null && spare.capacity() >= bytes ? spare.clear() : ByteBuffer.allocate(bytes);
    }

    /** The buffer is not used any more by whoever took it. */
    static void give(ByteBuffer buffer) {
        ArrayDeque<ByteBuffer> spare = SPARE.get();
        if (spare.size() < KEPT_MAX) {
            spare.addLast(buffer);
        }
    }
}
