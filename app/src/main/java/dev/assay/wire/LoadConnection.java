package dev.assay.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a load client: a state machine that sends a statement, skips through the answer to ReadyForQuery and goes on. It parses
 * in place and allocates nothing but on the first sight of a failure. An answer may come in any number of pieces; only ErrorResponse and
 * ReadyForQuery must lie in the buffer as a whole, and an ErrorResponse larger than the buffer is read as far as it fits.
 *
 * <p>Only the loop's thread calls it while a run lasts; {@link #isOpen} may be called from any thread.
 */
final class LoadConnection {

    private static final int IN_BYTES = 16 * 1024;
    private static final int OUT_BYTES = 1024;

    private final Endpoint endpoint;
    private final int backendPid;
    private final int secret;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Protocol protocol;
    private final LoadScript[] scripts;
    private final Draws draws;
    private final long[] values;
    /** By {@link LoadScript.Request#number}. */
    private final boolean[] prepared;

    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);
    private final WireBuffer out = new WireBuffer(OUT_BYTES);
    private volatile boolean open = true;

    private LoadScript script;
    private int nextStep;
    private LoadScript.@Nullable Request request;
    private boolean inFlight;
    private boolean failed;
    private boolean rollingBack;
    private long startedNanos;
    private long heardNanos;
    /** Bytes of the current message still to be passed over. */
    private long skip;

    private @Nullable String fatal;

    LoadConnection(WireSession session, Selector selector, LoadSettings settings, LoadScript[] scripts, int client)
            throws IOException {
        endpoint = settings.endpoint();
        protocol = settings.protocol();
        backendPid = session.backendPid();
        secret = session.secret();
        this.scripts = scripts;
        script = scripts[0];
        draws = Draws.ofClient(settings.seed(), client);
        int valueCount = 0;
        for (LoadScript each : scripts) {
            valueCount = Math.max(valueCount, each.variableCount);
        }
        values = new long[valueCount];
        prepared = new boolean[LoadScript.requestCount(scripts)];
        in.put(session.pending());
        channel = session.release();
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    boolean isOpen() {
        return open;
    }

    boolean isInFlight() {
        return inFlight;
    }

    int backendPid() {
        return backendPid;
    }

    int secret() {
        return secret;
    }

    /** Begins a transaction: draws a script, and sends up to its first statement. */
    void start(long now) throws IOException {
        script = scripts.length == 1 ? scripts[0] : scripts[(int) draws.between(0, scripts.length - 1)];
        nextStep = 0;
        failed = false;
        inFlight = true;
        startedNanos = now;
        boolean sent = advance(now);
        assert sent : "every script has a statement";
    }

    /**
     * The socket can be read or written.
     *
     * @throws IOException when the connection is lost; its message is one line
     */
    void ready(int operations, LoadLoop loop) throws IOException {
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            drain();
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            int read = channel.read(in);
            if (read < 0) {
                throw new IOException("the server closed the connection");
            }
            heardNanos = System.nanoTime();
            in.flip();
            parse(loop);
            if (in.hasRemaining()) {
                in.compact();
            } else {
                in.clear();
            }
        }
    }

    /** How long the server has been silent with a statement waiting; 0 when nothing is in flight. */
    long silentNanos(long now) {
        return inFlight ? Math.max(0, now - heardNanos) : 0;
    }

    /** What it waits for, for messages. */
    private String place() {
        LoadScript.Request waiting = request;
        return "script " + script.name + (waiting == null ? "" : ", line " + waiting.line);
    }

    /** Why the connection is lost: the server's own last word where it said one. */
    String lossReason(IOException e) {
        String said = fatal;
        return this + ": " + (said != null ? said : Link.reason(e)) + (inFlight ? ", in " + place() : "");
    }

    /** Closes without a word; the loop counts the loss. */
    void lose() {
        open = false;
        inFlight = false;
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // the loss is told with its cause, which came before this
        }
    }

    /** Says farewell as far as the socket takes it without waiting, and closes. */
    void close() {
        if (open) {
            try {
                out.clear();
                Messages.terminate(out);
                channel.write(out.flip());
            } catch (IOException e) {
                // the server is gone already, which is what closing is for
            }
            lose();
        }
    }

    @Override
    public String toString() {
        return endpoint + " (backend " + backendPid + ")";
    }

    private void parse(LoadLoop loop) throws IOException {
        while (true) {
            if (skip > 0) {
                int step = (int) Math.min(skip, in.remaining());
                in.position(in.position() + step);
                skip -= step;
            }
            if (skip > 0 || in.remaining() < Messages.HEADER_BYTES) {
                return;
            }
            int at = in.position();
            byte type = in.get(at);
            int length = in.getInt(at + 1);
            if (length < 4) {
                throw new IOException("a message of type " + type + " has length " + length + ", at least 4 expected");
            }
            boolean whole = in.remaining() > length;
            boolean needed = type == Messages.READY || type == Messages.ERROR;
            if (needed && !whole && (at > 0 || in.limit() < in.capacity())) {
                return;
            }
            in.position(at + Messages.HEADER_BYTES);
            skip = length - 4L;
            handle(type, loop);
        }
    }

    private void handle(byte type, LoadLoop loop) throws IOException {
        switch (type) {
            case Messages.READY -> answered(in.get(in.position()), loop);
            case Messages.ERROR -> {
                int end = (int) Math.min(in.limit(), in.position() + skip);
                loop.failures().count(in, in.position(), end);
                failed = true;
                if (isFatal(in.position(), end)) {
                    fatal = Messages.error(in.slice(in.position(), end - in.position()))
                            .line();
                }
            }
            case Messages.PARSE_COMPLETE -> {
                LoadScript.Request parsed = request;
                if (parsed != null && protocol == Protocol.PREPARED) {
                    prepared[parsed.number] = true;
                }
            }
            case Messages.COPY_IN -> {
                if (out.unsent().hasRemaining()) {
                    throw new IOException("the server asks for COPY data before it has read the statement");
                }
                out.clear();
                Messages.copyFail(out);
                if (protocol != Protocol.SIMPLE) {
                    Messages.sync(out);
                }
                send();
            }
            default -> {
                // rows, tags, notices, parameters: passed over
            }
        }
    }

    /** An ErrorResponse begins with its severity; whatever the language, the field V follows in English. */
    private boolean isFatal(int at, int end) {
        int place = at;
        while (place < end && in.get(place) != 0) {
            if (in.get(place) == 'V') {
                return place + 1 < end && in.get(place + 1) != 'E';
            }
            while (place < end && in.get(place) != 0) {
                place++;
            }
            place++;
        }
        return false;
    }

    private void answered(byte status, LoadLoop loop) throws IOException {
        if (!inFlight) {
            return;
        }
        boolean idle = status == Messages.STATUS_IDLE;
        if (rollingBack) {
            rollingBack = false;
            if (!idle) {
                throw new IOException("ROLLBACK left the session in a transaction block");
            }
            finish(loop);
        } else if (!failed && advance(heardNanos)) {
            return;
        } else if (idle) {
            finish(loop);
        } else {
            if (!failed) {
                failed = true;
                loop.failures().countOpenBlock(script.name);
            }
            rollback();
        }
    }

    private void finish(LoadLoop loop) throws IOException {
        inFlight = false;
        request = null;
        if (failed) {
            loop.failed(this, heardNanos);
        } else {
            loop.completed(this, heardNanos, heardNanos - startedNanos);
        }
    }

    private void rollback() throws IOException {
        rollingBack = true;
        out.clear();
        Messages.query(out, "ROLLBACK");
        send();
    }

    /** Goes on to the next statement; false when there is none. */
    private boolean advance(long now) throws IOException {
        while (nextStep < script.steps.length) {
            Object step = script.steps[nextStep++];
            if (step instanceof Step.Assignment assignment) {
                assignment.perform(values, draws);
            } else {
                LoadScript.Request next = (LoadScript.Request) step;
                encode(next);
                request = next;
                heardNanos = now;
                send();
                return true;
            }
        }
        return false;
    }

    private void encode(LoadScript.Request next) {
        out.clear();
        if (protocol == Protocol.SIMPLE) {
            Messages.query(out, next.pieces, next.variables, values);
            return;
        }
        if (protocol == Protocol.EXTENDED || !prepared[next.number]) {
            Messages.parse(out, next.name, next.text);
        }
        Messages.bindExecuteSync(out, next.name, next.variables, values);
    }

    private void send() throws IOException {
        out.flip();
        drain();
    }

    private void drain() throws IOException {
        ByteBuffer bytes = out.unsent();
        channel.write(bytes);
        int wanted = bytes.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }
}
