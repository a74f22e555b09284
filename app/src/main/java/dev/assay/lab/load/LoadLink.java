package dev.assay.lab.load;

import dev.assay.wire.Messages;
import dev.assay.wire.WireBuffer;
import dev.assay.wire.WireChannel;
import dev.assay.wire.WireSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The socket of one client: sends what is written, and cuts what arrives into messages. It reads through the buffer that all clients of its
 * thread share; an answer may come in any number of pieces, and what has to be seen as a whole is kept aside until it is.
 *
 * <p>Only the loop's thread calls it while a run lasts; {@link #isOpen} may be called from any thread.
 */
final class LoadLink {

    private static final int OUT_BYTES = 512;
    private static final long HEAR_PAUSE_NANOS = 100_000;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final LoadLane lane;
    private final MessageCutter.Handler handler;
    private final WireBuffer out = new WireBuffer(OUT_BYTES);
    private final MessageCutter cutter = new MessageCutter();

    private volatile boolean open;
    private int backendPid;
    private int secret;
    private @Nullable WireChannel channel;
    private @Nullable SelectionKey key;
    /** The beginning of a message of which the rest has not arrived; ready to be written to. */
    private ByteBuffer partial = NOTHING;

    LoadLink(LoadLane lane, MessageCutter.Handler handler) {
        this.lane = lane;
        this.handler = handler;
    }

    /** Takes a session over that has just logged in; the selector's key carries the owner. */
    void attach(WireSession session, Object owner) throws IOException {
        backendPid = session.backendPid();
        secret = session.secret();
        partial = NOTHING;
        cutter.begin();
        out.clear();
        ByteBuffer pending = session.pending();
        if (pending.hasRemaining()) {
            partial = ByteBuffer.allocate(pending.remaining()).put(pending);
        }
        WireChannel released = session.release();
        channel = released;
        key = released.selectable().register(lane.selector, SelectionKey.OP_READ, owner);
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    int backendPid() {
        return backendPid;
    }

    int secret() {
        return secret;
    }

    /** Where messages are written that {@link #send} sends. */
    WireBuffer out() {
        return out;
    }

    /** Sends as much of what is written as the socket takes; the rest goes when it takes more. */
    void send() throws IOException {
        WireChannel to = channel;
        SelectionKey registered = key;
        if (to == null || registered == null) {
            throw new IOException("the connection is closed");
        }
        to.write(out.unsent());
        out.sent();
        boolean unsent = out.size() > 0 || to.hasUnsent();
        int wanted = unsent ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (registered.interestOps() != wanted) {
            registered.interestOps(wanted);
        }
    }

    /**
     * The socket can be read or written.
     *
     * @throws IOException when the connection is lost; its message is one line
     */
    void ready(int operations, LoadLoop loop) throws IOException {
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            send();
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            WireChannel from = channel;
            while (from != null && open) {
                read(from, loop);
                if (!from.hasUnread()) {
                    return;
                }
            }
        }
    }

    private void read(WireChannel from, LoadLoop loop) throws IOException {
        boolean apart = partial.capacity() > lane.in.capacity();
        ByteBuffer in = apart ? partial : lane.in;
        if (!apart) {
            in.clear();
            if (partial.position() > 0) {
                in.put(partial.flip());
                partial.clear();
            }
        }
        if (from.read(in) < 0) {
            throw new IOException("the server closed the connection");
        }
        handler.heard(System.nanoTime());
        in.flip();
        cutter.cut(in, handler, loop);
        keep(in, apart);
    }

    /** Puts aside what has arrived of a message of which the rest has not. */
    private void keep(ByteBuffer in, boolean apart) throws IOException {
        if (apart) {
            partial = in.hasRemaining() ? partial.compact() : NOTHING;
            return;
        }
        partial.clear();
        if (!in.hasRemaining()) {
            return;
        }
        int wanted = in.remaining();
        if (wanted >= Messages.HEADER_BYTES) {
            long whole = 1L + in.getInt(in.position() + 1);
            if (whole > WireBuffer.BYTES_MAX) {
                throw new IOException("a message of " + whole + " bytes has to be read as a whole, at most "
                        + WireBuffer.BYTES_MAX + " are taken");
            }
            if (whole > in.capacity()) {
                wanted = (int) whole;
            }
        }
        if (partial.capacity() < wanted) {
            partial = ByteBuffer.allocate(wanted);
        }
        partial.put(in);
    }

    /** Sends a statement between two runs; {@link #hear} waits for its end. */
    void ask(String sql) {
        if (open) {
            try {
                out.clear();
                Messages.query(out, sql);
                send();
            } catch (IOException e) {
                lose();
            }
        }
    }

    /** Passes over the answer to {@link #ask}, to its ReadyForQuery. */
    void hear(long endNanos) {
        WireChannel from = channel;
        if (!open || from == null) {
            return;
        }
        ByteBuffer in = lane.in.clear();
        try {
            while (!Messages.isReady(in)) {
                if (out.size() > 0 || from.hasUnsent()) {
                    send();
                }
                int bytes = from.read(in);
                if (bytes < 0 || !in.hasRemaining() || System.nanoTime() - endNanos >= 0) {
                    throw new IOException("no answer between two runs");
                }
                if (bytes == 0) {
                    LockSupport.parkNanos(HEAR_PAUSE_NANOS);
                }
            }
        } catch (IOException e) {
            lose();
        }
    }

    /** Closes without a word. */
    void lose() {
        open = false;
        SelectionKey registered = key;
        WireChannel closing = channel;
        key = null;
        channel = null;
        if (registered != null) {
            registered.cancel();
        }
        if (closing != null) {
            closing.close();
        }
    }

    /** Says farewell as far as the socket takes it without waiting, and closes. */
    void close() {
        WireChannel closing = channel;
        if (open && closing != null) {
            try {
                out.clear();
                Messages.terminate(out);
                closing.write(out.unsent());
            } catch (IOException e) {
                // the server is gone already, which is what closing is for
            }
            lose();
        }
    }

    static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
