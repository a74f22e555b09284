package dev.assay.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A server that a test plays, one connection at a time, with blocking sockets of the JDK. */
final class PlayedServer implements AutoCloseable {

    private static final int SECONDS_MAX = 10;

    private final ServerSocket listener;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private volatile String protocol = "TLSv1.3";

    /** What the server does on a connection, which is closed then. */
    interface Part {
        void play(Socket socket) throws Exception;
    }

    /** What it does on one that is encrypted; the raw socket lies below. */
    interface Encrypted {
        void play(SSLSocket socket, Socket raw) throws Exception;
    }

    private PlayedServer() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    static PlayedServer answering(Part part) throws IOException {
        PlayedServer server = new PlayedServer();
        server.begin(part);
        return server;
    }

    static PlayedServer encrypting(SSLContext shown, Encrypted part) throws IOException {
        PlayedServer server = new PlayedServer();
        server.begin(raw -> {
            Middleman.readRequest(raw);
            raw.getOutputStream().write('S');
            SSLSocket socket = (SSLSocket) shown.getSocketFactory().createSocket(raw, null, false);
            socket.setUseClientMode(false);
            socket.setEnabledProtocols(new String[] {server.protocol});
            socket.startHandshake();
            part.play(socket, raw);
        });
        return server;
    }

    PlayedServer speaking(String tls) {
        protocol = tls;
        return this;
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", listener.getLocalPort());
    }

    private void begin(Part part) {
        Thread thread = new Thread(
                () -> {
                    while (!listener.isClosed()) {
                        try (Socket socket = listener.accept()) {
                            socket.setTcpNoDelay(true);
                            part.play(socket);
                            first.complete(null);
                        } catch (Exception | AssertionError e) {
                            first.completeExceptionally(e);
                        }
                    }
                },
                "played-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until the first connection was played to its end, and fails as that did. */
    void awaitEnd() throws Exception {
        first.get(SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** Takes the start-up message and lets everybody in. */
    static void welcome(Socket socket) throws IOException {
        readUntyped(socket);
        letIn(socket);
    }

    static void letIn(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 0, 'Z', 0, 0, 0, 5, 'I'});
        out.flush();
    }

    /** The first number of a message without a type. */
    static int readUntyped(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] body = new byte[in.readInt() - 4];
        in.readFully(body);
        return ByteBuffer.wrap(body).getInt();
    }

    /** Its type. */
    static int readMessage(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int type = in.readUnsignedByte();
        in.readFully(new byte[in.readInt() - 4]);
        return type;
    }

    /** One row of one column, and ReadyForQuery, in one write. */
    static void answer(Socket socket, String value) throws IOException {
        WireBuffer out = new WireBuffer(1024);
        out.begin(Messages.DATA_ROW);
        out.putShort(1);
        out.putParameter(value.getBytes(StandardCharsets.UTF_8));
        out.end();
        out.begin(Messages.READY);
        out.putByte('I');
        out.end();
        byte[] bytes = new byte[out.size()];
        out.unsent().get(bytes);
        socket.getOutputStream().write(bytes);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
