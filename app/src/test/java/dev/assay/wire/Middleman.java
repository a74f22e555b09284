package dev.assay.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Somebody between client and server who passes bytes on, each direction on a thread of its own. */
final class Middleman implements AutoCloseable {

    private static final int PIECE_BYTES_MAX = 1500;
    private static final byte[] SSL_REQUEST = {0, 0, 0, 8, 4, (byte) 0xd2, 0x16, 0x2f};

    private final ServerSocket listener;
    private final Endpoint server;
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final Link link;

    private interface Link {
        void join(Socket client, Socket server) throws IOException;
    }

    private Middleman(Endpoint server, Link link) throws IOException {
        this.server = server;
        this.link = link;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Passes the bytes on as they are, in pieces of 1 to 1500 bytes. */
    static Middleman crumbling(Endpoint server, long seed) throws IOException {
        Random sizes = new Random(seed);
        return new Middleman(server, (client, behind) -> {
                    spawn(() -> pass(client.getInputStream(), behind.getOutputStream(), new Random(sizes.nextLong())));
                    spawn(() -> pass(behind.getInputStream(), client.getOutputStream(), new Random(sizes.nextLong())));
                })
                .begin();
    }

    /** Shows the client a certificate of its own and talks to the server as a client of its own. */
    static Middleman decrypting(Endpoint server, SSLContext shown, SSLContext trusting) throws IOException {
        return new Middleman(server, (client, behind) -> {
                    readRequest(client);
                    client.getOutputStream().write('S');
                    SSLSocket front = (SSLSocket) shown.getSocketFactory().createSocket(client, null, true);
                    front.setUseClientMode(false);
                    behind.getOutputStream().write(SSL_REQUEST);
                    if (behind.getInputStream().read() != 'S') {
                        throw new IOException("the server does not encrypt");
                    }
                    SSLSocket back = (SSLSocket)
                            trusting.getSocketFactory().createSocket(behind, server.host(), server.port(), true);
                    front.startHandshake();
                    back.startHandshake();
                    spawn(() -> pass(front.getInputStream(), back.getOutputStream(), null));
                    spawn(() -> pass(back.getInputStream(), front.getOutputStream(), null));
                })
                .begin();
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", listener.getLocalPort());
    }

    static void readRequest(Socket client) throws IOException {
        byte[] request = new byte[SSL_REQUEST.length];
        new DataInputStream(client.getInputStream()).readFully(request);
    }

    private Middleman begin() {
        spawn(() -> {
            while (!listener.isClosed()) {
                Socket client = listener.accept();
                open.add(client);
                Socket behind = new Socket(server.host(), server.port());
                open.add(behind);
                client.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                spawn(() -> link.join(client, behind));
            }
        });
        return this;
    }

    /** Until one of the two closes; with random sizes, in pieces of these. */
    private static void pass(InputStream from, OutputStream to, @Nullable Random sizes) throws IOException {
        byte[] buffer = new byte[PIECE_BYTES_MAX];
        int read = 0;
        while (read >= 0) {
            to.write(buffer, 0, read);
            to.flush();
            read = from.read(buffer, 0, sizes == null ? buffer.length : 1 + sizes.nextInt(buffer.length));
        }
        to.close();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void spawn(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // one of the two has gone, or the test is over
                    }
                },
                "middleman");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
