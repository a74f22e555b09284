package dev.assay.wire;

/**
 * Where a server listens.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {

    public Endpoint {
        if (host.isBlank()) {
            throw new IllegalArgumentException("an endpoint needs a host");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("a port is 1 to 65535: " + port);
        }
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
