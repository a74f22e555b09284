package dev.assay.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/**
 * Makes the sockets of one session for the driver, so that somebody else can close them: a login that hangs has no other handle. The driver
 * makes the factory itself, by its name and a text, so that text leads to the sockets.
 *
 * <p>The kernel watches the other end ({@code SO_KEEPALIVE}): a login may wait long for a lock on a catalog, but not for a machine that is
 * gone. Thread-safe.
 */
public final class SessionSockets extends SocketFactory {

    private static final int IDLE_SECONDS = 10;
    private static final int INTERVAL_SECONDS = 5;
    private static final int PROBES = 3;

    private static final AtomicLong NUMBER = new AtomicLong();

    /** Sockets by session; a session that was given up has no entry. Each list is guarded by itself. */
    private static final Map<String, List<Socket>> OPEN = new ConcurrentHashMap<>();

    private final String session;

    /** For the driver. */
    public SessionSockets(String session) {
        this.session = session;
    }

    /** A new session's text. */
    static String register() {
        String session = Long.toString(NUMBER.incrementAndGet());
        OPEN.put(session, new ArrayList<>());
        return session;
    }

    /** Closes the session's sockets, whatever waits for them, and lets it make no others. */
    static void abort(String session) {
        List<Socket> sockets = OPEN.remove(session);
        if (sockets == null) {
            return;
        }
        synchronized (sockets) {
            for (Socket socket : sockets) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // it is of no use any more in any case
                }
            }
        }
    }

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = new Socket();
        socket.setKeepAlive(true);
        option(socket, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
        option(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
        option(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        List<Socket> sockets = OPEN.get(session);
        if (sockets == null) {
            socket.close();
            throw new SocketException("the session was given up");
        }
        synchronized (sockets) {
            sockets.removeIf(Socket::isClosed);
            sockets.add(socket);
        }
        if (!OPEN.containsKey(session)) { // given up in between
            socket.close();
        }
        return socket;
    }

    private static void option(Socket socket, SocketOption<Integer> option, int value) throws IOException {
        if (socket.supportedOptions().contains(option)) {
            socket.setOption(option, value);
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        throw unconnectedOnly();
    }

    private static IOException unconnectedOnly() {
        return new IOException("the driver connects its sockets itself, so that connecting has a deadline");
    }
}
