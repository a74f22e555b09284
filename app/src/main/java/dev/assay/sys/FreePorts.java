package dev.assay.sys;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports that nobody listens on. They lie below the range from which the kernel gives ports to outgoing connections, so that a server
 * that is restarted finds its port free. Another process may take a port before the server does: the caller tries again.
 */
public final class FreePorts {

    /** Chooses a port for a server. */
    public interface Picker {
        int pick() throws IOException;
    }

    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final byte[] LOOPBACK = {127, 0, 0, 1}; // the name is not asked for, as it may be another
    private static final int LOW = 15_000;
    private static final int HIGH_OTHERWISE = 32_768;
    private static final int WIDTH_MIN = 1_000;
    private static final int TRIES_MAX = 50;

    private FreePorts() {}

    /**
     * A port that is free now, on 127.0.0.1.
     *
     * @throws IOException when there is none
     */
    public static int pick() throws IOException {
        int high = firstOutgoing();
        for (int attempt = 0; attempt < TRIES_MAX && high - LOW >= WIDTH_MIN; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOW, high);
            if (isFree(port)) {
                return port;
            }
        }
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
            return any.getLocalPort();
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // as PostgreSQL does
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int firstOutgoing() {
        try {
            String text = Files.readString(RANGE).strip();
            return Integer.parseInt(text.replaceFirst("\\s.*", ""));
        } catch (IOException | NumberFormatException e) {
            return HIGH_OTHERWISE;
        }
    }
}
