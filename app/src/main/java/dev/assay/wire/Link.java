package dev.assay.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One socket and framed messages over it, every wait under a {@link Deadline}. The channel never blocks: a selector of its own does the
 * waiting, because a blocking channel in Java 17 has a time-out for reading (through its socket's stream) but none for writing. Belongs to
 * one thread at a time.
 */
final class Link implements AutoCloseable {

    /** Longest answer taken in one message; a DataRow can hold a field of 1 GB, which this client has no use for. */
    static final int MESSAGE_BYTES_MAX = 64 << 20;

    private static final int BUFFER_BYTES = 16 * 1024;

    private final Endpoint endpoint;
    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final WireBuffer out = new WireBuffer(BUFFER_BYTES);
    /** Always ready to be read from; what lies before its position is used up. */
    private ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    private ByteBuffer body = ByteBuffer.allocate(0);
    private WireChannel channel;
    /** Null for a link in clear. */
    private @Nullable TlsChannel encrypted;

    private Link(Endpoint endpoint, SocketChannel socket, Selector selector, SelectionKey key) {
        this.endpoint = endpoint;
        this.socket = socket;
        channel = new PlainChannel(socket);
        this.selector = selector;
        this.key = key;
    }

    /**
     * Connects to the first address of the host that takes the connection.
     *
     * @throws WireException when none does before the deadline
     */
    static Link connect(Endpoint endpoint, Deadline deadline) {
        if (endpoint.isUnixSocket()) {
            try {
                return connect(endpoint, UnixDomainSocketAddress.of(endpoint.socketFile()), deadline);
            } catch (IOException | IllegalArgumentException e) {
                throw new WireException("cannot connect to " + endpoint + ": " + e.getMessage(), e);
            }
        }
        InetAddress[] addresses = resolve(endpoint, deadline);
        WireException last = null;
        for (InetAddress address : addresses) {
            try {
                return connect(endpoint, new InetSocketAddress(address, endpoint.port()), deadline);
            } catch (IOException e) {
                last = new WireException(
                        "cannot connect to " + endpoint + " after " + deadline.elapsedMillis() + " ms: " + reason(e),
                        e);
            }
        }
        throw last != null ? last : new WireException("cannot connect to " + endpoint + ": the name has no address");
    }

    private static Link connect(Endpoint endpoint, SocketAddress address, Deadline deadline) throws IOException {
        boolean local = address instanceof UnixDomainSocketAddress;
        SocketChannel channel = local ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        Selector selector = null;
        boolean done = false;
        try {
            selector = Selector.open();
            channel.configureBlocking(false);
            if (!local) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            }
            boolean connected = channel.connect(address);
            Link link = new Link(endpoint, channel, selector, channel.register(selector, 0));
            while (!connected) {
                link.await(SelectionKey.OP_CONNECT, "connection", deadline);
                connected = channel.finishConnect();
            }
            done = true;
            return link;
        } finally {
            if (!done) {
                channel.close();
                if (selector != null) {
                    selector.close();
                }
            }
        }
    }

    private static InetAddress[] resolve(Endpoint endpoint, Deadline deadline) {
        FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> InetAddress.getAllByName(endpoint.host()));
        boolean literal = endpoint.host().indexOf(':') >= 0 || endpoint.host().matches("[0-9.]+");
        if (literal) {
            lookup.run();
        } else {
            Thread thread = new Thread(lookup, "assay-resolve");
            thread.setDaemon(true);
            thread.start();
        }
        try {
            return lookup.get(Math.max(1, deadline.remainingMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new WireException(
                    "the name of " + endpoint + " was not resolved in " + deadline.elapsedMillis() + " ms (limit "
                            + deadline.limitMillis() + " ms)",
                    e);
        } catch (ExecutionException e) {
            boolean unknown = e.getCause() instanceof UnknownHostException;
            throw new WireException(
                    "cannot connect to " + endpoint + ": " + (unknown ? "unknown host" : e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WireException("interrupted while connecting to " + endpoint, e);
        }
    }

    /**
     * Asks the server to encrypt; to be followed by {@link #encrypt} when it will, and by the start-up in clear when it cannot.
     *
     * @return whether it will
     * @throws WireException when the link breaks, the deadline passes, or the server answers anything else. What stands in an error is not
     *     told: anybody on the way may have written it
     */
    boolean askForEncryption(Deadline deadline) {
        Messages.sslRequest(out());
        send(deadline);
        fill(1, deadline);
        byte answer = in.get();
        switch (answer) {
            case Messages.ENCRYPTS -> {
                if (in.hasRemaining()) {
                    throw new WireException(endpoint + " agreed to encrypt and sent " + in.remaining()
                            + " bytes in clear behind that: somebody on the way may have slipped them in");
                }
                return true;
            }
            case Messages.ENCRYPTS_NOT -> {
                return false;
            }
            case Messages.ERROR -> throw new WireException(endpoint + " answered the request to encrypt with an error");
            default ->
                throw new WireException(endpoint + " answered the request to encrypt with byte " + answer
                        + " (expected S or N): not a PostgreSQL server?");
        }
    }

    /**
     * Encrypts the link, as the server has agreed to.
     *
     * @throws WireException when the two cannot agree how, the server is not whom it should be, or the deadline passes
     */
    void encrypt(TlsContext tls, Deadline deadline) {
        TlsChannel securing = tls.channel(socket, endpoint);
        channel = securing;
        encrypted = securing;
        try {
            for (int wanted = securing.handshake(); wanted != 0; wanted = securing.handshake()) {
                await(wanted, "end of the TLS handshake", deadline);
            }
        } catch (IOException e) {
            throw new WireException("TLS with " + endpoint + " failed: " + tls.reason(e), e);
        }
    }

    boolean isEncrypted() {
        return encrypted != null;
    }

    /** What the server has shown of itself; null for a link in clear. */
    @Nullable
    X509Certificate serverCertificate() {
        return encrypted == null ? null : encrypted.serverCertificate();
    }

    /**
     * Waits until the server has closed the link.
     *
     * @throws WireException when the deadline passes
     */
    void awaitEnd(Deadline deadline) {
        try {
            int read = 0;
            while (read >= 0) {
                in.clear();
                read = channel.read(in);
                if (read == 0) {
                    await(SelectionKey.OP_READ, "end", deadline);
                }
            }
        } catch (IOException e) {
            // an end as well
        } finally {
            in.limit(0);
        }
    }

    /** An empty buffer for messages that {@link #send} then sends. */
    WireBuffer out() {
        out.clear();
        return out;
    }

    /**
     * Sends what was written to {@link #out}.
     *
     * @throws WireException when the connection breaks or the deadline passes
     */
    void send(Deadline deadline) {
        try {
            while (true) {
                channel.write(out.unsent());
                out.sent();
                if (out.size() == 0 && !channel.hasUnsent()) {
                    return;
                }
                await(SelectionKey.OP_WRITE, "chance to send", deadline);
            }
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /**
     * Waits for the next whole message; its body is then in {@link #body}.
     *
     * @return the message's type
     * @throws WireException when the connection breaks, the deadline passes or the bytes are no message
     */
    byte receive(Deadline deadline) {
        fill(Messages.HEADER_BYTES, deadline);
        byte type = in.get();
        int length = in.getInt();
        if (length < 4 || length > MESSAGE_BYTES_MAX) {
            throw new WireException(endpoint + " sent a message of type " + type + " with length " + length
                    + " (expected 4 to " + MESSAGE_BYTES_MAX + "): not a PostgreSQL server?");
        }
        fill(length - 4, deadline);
        body = in.slice(in.position(), length - 4);
        in.position(in.position() + length - 4);
        return type;
    }

    /** The body of the message that {@link #receive} returned; valid until the next one. */
    ByteBuffer body() {
        return body;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Gives the channel away, registered nowhere; what is {@link #pending} goes with it. */
    WireChannel release() {
        try {
            selector.close();
        } catch (IOException e) {
            throw broken(e);
        }
        return channel;
    }

    /** Bytes that have arrived and are not yet received; whoever takes the channel over starts with them. */
    ByteBuffer pending() {
        return in;
    }

    @Override
    public void close() {
        channel.close();
        try {
            selector.close();
        } catch (IOException e) {
            // nothing is left to lose: the socket is gone either way
        }
    }

    private void fill(int wanted, Deadline deadline) {
        if (in.remaining() >= wanted) {
            return;
        }
        if (in.capacity() < wanted) {
            in = ByteBuffer.allocate(Math.max(wanted, 2 * in.capacity())).put(in);
        } else {
            in.compact();
        }
        try {
            while (in.position() < wanted) {
                int read = channel.read(in);
                if (read < 0) {
                    throw new WireException(
                            endpoint + " closed the connection after " + deadline.elapsedMillis() + " ms");
                }
                if (read == 0) {
                    await(SelectionKey.OP_READ, "answer", deadline);
                }
            }
        } catch (IOException e) {
            throw broken(e);
        }
        in.flip();
    }

    private void await(int operation, String what, Deadline deadline) throws IOException {
        key.interestOps(operation);
        long millis = deadline.remainingMillis();
        if (millis > 0) {
            selector.select(ready -> {}, millis);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new WireException("interrupted after " + deadline.elapsedMillis() + " ms of waiting for " + endpoint);
        }
        if (deadline.remainingMillis() == 0) {
            throw new WireException("no " + what + " from " + endpoint + " in " + deadline.elapsedMillis()
                    + " ms (limit " + deadline.limitMillis() + " ms)");
        }
    }

    private WireException broken(IOException e) {
        return new WireException("connection to " + endpoint + " broke: " + reason(e), e);
    }

    static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
