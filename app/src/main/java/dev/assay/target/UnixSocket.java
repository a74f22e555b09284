package dev.assay.target;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket in the clothes of {@link Socket}, which is what the driver wants: the JDK has such sockets as channels only, and those know no
 * time-out for reading. So the channel is non-blocking, and a selector waits for it as long as a read may take.
 *
 * <p>One thread may read, one may write; {@link #close} may be called from any and ends both.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // a lock would let close() wait for a read
final class UnixSocket extends Socket {

    private final String path;
    private volatile @Nullable Open open;
    private volatile boolean closed;
    private volatile int readMillisMax;

    /** What there is once it is connected. */
    private record Open(SocketChannel channel, Selector readable, Selector writable) {}

    UnixSocket(String path) {
        this.path = path;
    }

    @Override
    public void connect(SocketAddress ignored) throws IOException {
        connect(ignored, 0);
    }

    /** Connects to the path; a server whose queue is full lets it wait, which the caller's own deadline ends. */
    @Override
    public void connect(SocketAddress ignored, int timeoutMillis) throws IOException {
        if (!Files.exists(Path.of(path))) {
            throw new SocketException("there is no socket " + path);
        }
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
            channel.configureBlocking(false);
            Selector readable = Selector.open();
            Selector writable = Selector.open();
            channel.register(readable, SelectionKey.OP_READ);
            channel.register(writable, SelectionKey.OP_WRITE);
            open = new Open(channel, readable, writable);
        } catch (IOException e) {
            channel.close();
            String why = e.getMessage();
            throw new SocketException(
                    "socket " + path + ": " + (why == null ? e.getClass().getSimpleName() : why));
        }
    }

    private Open opened() throws SocketException {
        Open now = open;
        if (now == null || closed) {
            throw new SocketException(closed ? "Socket closed" : "Socket is not connected");
        }
        return now;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        Open now = opened();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return UnixSocket.this.read(now, ByteBuffer.wrap(bytes, offset, length));
            }

            @Override
            public void close() throws IOException {
                UnixSocket.this.close();
            }
        };
    }

    private int read(Open now, ByteBuffer into) throws IOException {
        if (!into.hasRemaining()) {
            return 0;
        }
        int millisMax = readMillisMax;
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
        try {
            int read = now.channel().read(into);
            while (read == 0) {
                long left = millisMax == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime() + 999_999);
                if (millisMax > 0 && left <= 0) {
                    throw new SocketTimeoutException("Read timed out");
                }
                await(now.readable(), left);
                read = now.channel().read(into);
            }
            return read;
        } catch (ClosedChannelException | ClosedSelectorException e) {
            throw new SocketException("Socket closed");
        }
    }

    private static void await(Selector selector, long millisMax) throws IOException {
        selector.select(millisMax); // 0 is without end
        selector.selectedKeys().clear();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        Open now = opened();
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                ByteBuffer from = ByteBuffer.wrap(bytes, offset, length);
                try {
                    while (from.hasRemaining()) {
                        if (now.channel().write(from) == 0) {
                            await(now.writable(), 0);
                        }
                    }
                } catch (ClosedChannelException | ClosedSelectorException e) {
                    throw new SocketException("Socket closed");
                }
            }

            @Override
            public void close() throws IOException {
                UnixSocket.this.close();
            }
        };
    }

    @Override
    public void close() throws IOException {
        closed = true;
        Open now = open;
        if (now != null) {
            now.channel().close();
            now.readable().close();
            now.writable().close();
        }
    }

    @Override
    public boolean isConnected() {
        return open != null;
    }

    @Override
    public boolean isBound() {
        return open != null;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void setSoTimeout(int millis) {
        readMillisMax = millis;
    }

    @Override
    public int getSoTimeout() {
        return readMillisMax;
    }

    @Override
    public void setSendBufferSize(int bytes) throws SocketException {
        try {
            opened().channel().setOption(StandardSocketOptions.SO_SNDBUF, bytes);
        } catch (IOException e) {
            throw new SocketException(e.getMessage());
        }
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        try {
            return opened().channel().getOption(StandardSocketOptions.SO_SNDBUF);
        } catch (IOException e) {
            throw new SocketException(e.getMessage());
        }
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        try {
            opened().channel().setOption(StandardSocketOptions.SO_RCVBUF, bytes);
        } catch (IOException e) {
            throw new SocketException(e.getMessage());
        }
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        try {
            return opened().channel().getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException e) {
            throw new SocketException(e.getMessage());
        }
    }

    /** There are no packets to hold back. */
    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public boolean getTcpNoDelay() {
        return true;
    }

    /** Both ends are on one machine: it is known at once when the other has gone. */
    @Override
    public void setKeepAlive(boolean on) {}

    @Override
    public boolean getKeepAlive() {
        return false;
    }

    @Override
    public String toString() {
        return "socket " + path;
    }
}
