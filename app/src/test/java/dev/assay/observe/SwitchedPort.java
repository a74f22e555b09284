package dev.assay.observe;

import dev.assay.server.EmbeddedServer;
import dev.assay.target.TargetAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A port behind which a test puts one server after another, as a virtual address or a proxy does at a fail-over; it can also stop carrying
 * anything, as a network does.
 */
final class SwitchedPort implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile int port;
    private volatile boolean stalled;

    SwitchedPort(EmbeddedServer server) throws IOException {
        port = server.port();
        thread(this::accept);
    }

    private static void thread(Runnable work) {
        Thread thread = new Thread(work, "switched-port");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                if (!stalled) {
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                    open.add(server);
                    thread(() -> carry(client, server));
                    thread(() -> carry(server, client));
                }
            } catch (IOException e) {
                // the server is down, or the test is over
            }
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (!stalled) {
                    out.write(bytes, 0, read);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // one side has ended
        }
    }

    /** Puts another server behind the port; connections to the one before break. */
    void to(EmbeddedServer server) throws IOException {
        port = server.port();
        cut();
    }

    private void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    /** From now on nothing comes through, and nothing is told. */
    void stall() {
        stalled = true;
    }

    TargetAddress address(EmbeddedServer server, String role) {
        return TargetAddress.of(server.database(), "127.0.0.1", listening.getLocalPort(), role, Map.of());
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
