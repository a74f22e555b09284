package dev.assay.wire;

import java.nio.file.Path;

/**
 * Where a server listens.
 *
 * @param host a name or an address, IPv6 without brackets; one that begins with a slash is the folder of a Unix socket
 * @param port 1 to 65535
 * @param encryption how connections to it are encrypted; without a meaning for a Unix socket
 */
public record Endpoint(String host, int port, Encryption encryption) {

    public Endpoint {
        if (host.isBlank()) {
            throw new IllegalArgumentException("an endpoint needs a host");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("a port is 1 to 65535: " + port);
        }
    }

    /** Encrypted where the server can, as libpq does when it is told nothing. */
    public Endpoint(String host, int port) {
        this(host, port, Encryption.preferred());
    }

    /** The same place, with its connections encrypted in another way. */
    public Endpoint withEncryption(Encryption other) {
        return new Endpoint(host, port, other);
    }

    /** Whether it is a Unix socket. */
    public boolean isUnixSocket() {
        return host.startsWith("/");
    }

    /** The file of a Unix socket. */
    Path socketFile() {
        return Path.of(host, ".s.PGSQL." + port);
    }

    @Override
    public String toString() {
        if (isUnixSocket()) {
            return socketFile().toString();
        }
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
