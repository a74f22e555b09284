package dev.assay.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;

/**
 * A non-blocking connection that carries the protocol's bytes, plain or encrypted. Belongs to one thread at a time.
 *
 * <p>Whoever waits for it by a selector has to ask {@link #hasUnread} after each read and {@link #hasUnsent} after each write: what an
 * encrypted connection holds in its own buffers no selector sees.
 */
public interface WireChannel extends AutoCloseable {

    /**
     * Reads what is there.
     *
     * @return the number of bytes, 0 when none are there yet, negative at the end
     */
    int read(ByteBuffer into) throws IOException;

    /** Sends as much as goes without waiting, and moves the buffer's position over it. */
    void write(ByteBuffer from) throws IOException;

    /** Whether bytes have arrived already that the next {@link #read} gives without the socket becoming ready. */
    boolean hasUnread();

    /** Whether bytes that {@link #write} took have not gone out yet; another write, of nothing too, sends them on. */
    boolean hasUnsent();

    /** What a selector can wait for. */
    SelectableChannel selectable();

    /** Closes without a word. */
    @Override
    void close();
}
