package dev.assay.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;

/** A socket as it is. */
final class PlainChannel implements WireChannel {

    private final SocketChannel socket;

    PlainChannel(SocketChannel socket) {
        this.socket = socket;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return socket.read(into);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        socket.write(from);
    }

    @Override
    public boolean hasUnread() {
        return false;
    }

    @Override
    public boolean hasUnsent() {
        return false;
    }

    @Override
    public SelectableChannel selectable() {
        return socket;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is left to lose: the socket is gone either way
        }
    }
}
