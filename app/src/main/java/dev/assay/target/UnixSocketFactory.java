package dev.assay.target;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Makes the driver connect to a Unix socket, whatever host and port it was told. Public, as the driver makes it by its name with the socket's
 * path as the argument.
 */
public final class UnixSocketFactory extends SocketFactory {

    private final String path;

    /** For the socket at this path. */
    public UnixSocketFactory(String path) {
        this.path = path;
    }

    @Override
    public Socket createSocket() {
        return new UnixSocket(path);
    }

    @Override
    public Socket createSocket(String host, int port) {
        return createSocket();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        return createSocket();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return createSocket();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        return createSocket();
    }
}
