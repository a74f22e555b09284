package dev.assay.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * A socket under TLS.
 *
 * <pre>
 * socket --fetch--> netIn (records) --unwrap--> the reader's buffer, or plain where that has too little room
 * the writer's buffer --wrap--> netOut (one record) --flush--> socket
 * </pre>
 *
 * <p>Bytes are read straight into the reader's buffer. A record goes out as a whole before the next one is made, so that what a writer's
 * buffer is relieved of is at most one record ahead of the socket.
 *
 * <p>The engine may have something of its own to say at any time: an answer to a KeyUpdate of TLS 1.3, or its own one after many bytes. It
 * goes out with the read that brought it about, or with the next write where the socket takes no more; until then the channel {@link #owes}
 * it. Session tickets need no answer. A new handshake under TLS 1.2 is refused, as by libpq: no PostgreSQL since 9.5 asks for one.
 *
 * <p>Memory: an idle channel has no buffers ({@link RecordBuffers}); what stays is Java's engine with its keys and the server's
 * certificates, 4 to 12 KB (measured: 200 idle clients, Java 17). A record of {@code SSLSession.getPacketBufferSize()}, 17 KB, is held while
 * it is under way in one direction. Nothing is allocated here for a message; Java's engine allocates on its own account, 1.3 KB for each
 * record sent or received (measured: 10.5 KB a transaction of four statements, TLS 1.3 with AES-GCM, against 0.5 bytes in clear).
 */
final class TlsChannel implements WireChannel {

    /** An alert and the farewell are two records; a third would be a fault. */
    private static final int LAST_RECORDS_MAX = 3;

    private static final String TLS_1_3 = "TLSv1.3";
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel socket;
    private final SSLEngine engine;
    /** Received records, ready to be read from; {@link #NOTHING} when there are none. */
    private ByteBuffer netIn = NOTHING;
    /** The record that is being sent, ready to be read from; {@link #NOTHING} when there is none. */
    private ByteBuffer netOut = NOTHING;
    /** What did not fit into the reader's buffer, ready to be read from. */
    private ByteBuffer plain = NOTHING;

    private boolean begun;
    private boolean established;
    /** What is in {@link #netIn} is not a whole record. */
    private boolean starved;

    private boolean owes;
    /** The server has said farewell. */
    private boolean ended;

    TlsChannel(SocketChannel socket, SSLEngine engine) {
        this.socket = socket;
        this.engine = engine;
    }

    /**
     * Goes on with the handshake as far as it goes without waiting.
     *
     * @return what to wait for, {@link SelectionKey#OP_READ} or {@link SelectionKey#OP_WRITE}; 0 when the handshake is done
     * @throws IOException when the two cannot agree, or the server is not whom it should be
     */
    int handshake() throws IOException {
        if (!begun) {
            begun = true;
            engine.beginHandshake();
        }
        while (true) {
            flush();
            if (netOut.hasRemaining()) {
                return SelectionKey.OP_WRITE;
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (starved || !netIn.hasRemaining()) {
                        int read = fetch();
                        if (read < 0) {
                            throw new EOFException("the connection was closed in the midst of the handshake");
                        }
                        if (read == 0) {
                            return SelectionKey.OP_READ;
                        }
                    }
                    unwrap(NOTHING);
                    if (ended) {
                        throw new EOFException("the handshake was broken off");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    established = true;
                    releaseIn();
                    return 0;
                }
            }
        }
    }

    /** The server's certificate; null where it has shown none. */
    @Nullable
    X509Certificate serverCertificate() {
        try {
            return engine.getSession().getPeerCertificates()[0] instanceof X509Certificate shown ? shown : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int start = into.position();
        if (plain.hasRemaining()) {
            give(into);
            return into.position() - start;
        }
        while (!ended && into.position() == start && into.hasRemaining()) {
            if (starved || !netIn.hasRemaining()) {
                int read = fetch();
                if (read < 0) {
                    throw new EOFException("the connection was cut off without TLS's end");
                }
                if (read == 0) {
                    releaseIn();
                    return 0;
                }
            }
            unwrap(into);
            if (owes) {
                write(NOTHING);
            }
        }
        releaseIn();
        int count = into.position() - start;
        return count == 0 && ended ? -1 : count;
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        flush();
        while (!netOut.hasRemaining() && (owes || from.hasRemaining())) {
            int before = from.remaining();
            Status status = wrap(from);
            if (status == Status.CLOSED && from.hasRemaining()) {
                throw new IOException("the connection was closed");
            }
            if (from.remaining() == before && !netOut.hasRemaining()) {
                owes = false;
                return; // the engine wants to hear something first
            }
            flush();
        }
    }

    @Override
    public boolean hasUnread() {
        return plain.hasRemaining() || (netIn.hasRemaining() && !starved && !ended);
    }

    @Override
    public boolean hasUnsent() {
        return owes || netOut.hasRemaining();
    }

    @Override
    public SelectableChannel selectable() {
        return socket;
    }

    /** As much of the farewell as the socket takes at once. */
    @Override
    public void close() {
        try {
            engine.closeOutbound();
            flush();
            for (int i = 0; i < LAST_RECORDS_MAX && !netOut.hasRemaining() && !engine.isOutboundDone(); i++) {
                wrap(NOTHING);
                flush();
            }
        } catch (IOException e) {
            // the server is gone already, which is what closing is for
        }
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is left to lose: the socket is gone either way
        }
        netIn = NOTHING;
        netOut = NOTHING;
        plain = NOTHING;
    }

    private void give(ByteBuffer into) {
        int whole = plain.limit();
        plain.limit(plain.position() + Math.min(plain.remaining(), into.remaining()));
        into.put(plain);
        plain.limit(whole);
    }

    /** Reads what the socket has; as {@link SocketChannel#read}. */
    private int fetch() throws IOException {
        int record = engine.getSession().getPacketBufferSize();
        if (netIn.capacity() == 0) {
            netIn = RecordBuffers.take(record);
        } else if (netIn.capacity() < record) {
            netIn = ByteBuffer.allocate(record).put(netIn);
        } else {
            netIn.compact();
        }
        if (!netIn.hasRemaining()) {
            throw new SSLException("a record of more than " + netIn.capacity() + " bytes");
        }
        try {
            int read = socket.read(netIn);
            if (read > 0) {
                starved = false;
            }
            return read;
        } finally {
            netIn.flip();
        }
    }

    /** One record out of {@link #netIn}, if it is whole. */
    private void unwrap(ByteBuffer into) throws IOException {
        SSLEngineResult result = engine.unwrap(netIn, into);
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            int wanted = engine.getSession().getApplicationBufferSize();
            plain = plain.capacity() < wanted ? ByteBuffer.allocate(wanted) : plain.clear();
            result = engine.unwrap(netIn, plain);
            plain.flip();
            give(into);
        }
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> starved = true;
            case CLOSED -> ended = true;
            default -> attend(result.getHandshakeStatus());
        }
    }

    /** One record of what is there to be sent into {@link #netOut}, which is empty. */
    private Status wrap(ByteBuffer from) throws IOException {
        ByteBuffer out = RecordBuffers.take(engine.getSession().getPacketBufferSize());
        SSLEngineResult result = engine.wrap(from, out);
        if (out.position() == 0) {
            RecordBuffers.give(out);
        } else {
            netOut = out.flip();
        }
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            throw new SSLException("a record of more than " + out.capacity() + " bytes");
        }
        attend(result.getHandshakeStatus());
        return result.getStatus();
    }

    /** What the engine asks for after the handshake; during it {@link #handshake} looks at it. */
    private void attend(HandshakeStatus asked) throws SSLException {
        if (!established) {
            return;
        }
        HandshakeStatus status = asked;
        if (status == HandshakeStatus.NEED_TASK) {
            runTasks();
            status = engine.getHandshakeStatus();
        }
        boolean done = status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED;
        owes = status == HandshakeStatus.NEED_WRAP && !ended;
        if (!done
                && !engine.isOutboundDone()
                && !engine.getSession().getProtocol().equals(TLS_1_3)) {
            throw new SSLException("the server wants to negotiate its encryption anew, which is not done");
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private void flush() throws IOException {
        if (netOut.capacity() == 0) {
            return;
        }
        socket.write(netOut);
        if (!netOut.hasRemaining()) {
            RecordBuffers.give(netOut);
            netOut = NOTHING;
        }
    }

    private void releaseIn() {
        if (netIn.capacity() > 0 && !netIn.hasRemaining()) {
            RecordBuffers.give(netIn);
            netIn = NOTHING;
        }
    }
}
