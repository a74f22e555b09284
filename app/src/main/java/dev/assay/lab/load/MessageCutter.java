package dev.assay.lab.load;

import dev.assay.wire.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Cuts what arrives on a connection into messages. A message whose handler does not need it as a whole is told by its header and passed over as it
 * comes, however long it is. Not thread-safe.
 */
final class MessageCutter {

    /** Bytes of the current message still to be passed over. */
    private long skip;

    /** What becomes of messages. */
    interface Handler {

        /** Whether messages are still wanted. */
        boolean isOpen();

        /** Whether a message of this type has to be seen as a whole. */
        boolean needs(byte type);

        /** Something has arrived at this moment. */
        void heard(long nanos);

        /** A message, whose body begins at the buffer's position; as much of it is there as {@code available} says. */
        void message(byte type, ByteBuffer in, int available, LoadLoop loop) throws IOException;
    }

    /** The next byte is the first of a message. */
    void begin() {
        skip = 0;
    }

    /**
     * Hands over the messages in the buffer; what it leaves there is the beginning of one that is needed as a whole.
     *
     * @throws IOException when the bytes are no message
     */
    void cut(ByteBuffer in, Handler handler, LoadLoop loop) throws IOException {
        while (handler.isOpen()) {
            if (skip > 0) {
                int step = (int) Math.min(skip, in.remaining());
                in.position(in.position() + step);
                skip -= step;
            }
            if (skip > 0 || in.remaining() < Messages.HEADER_BYTES) {
                return;
            }
            int at = in.position();
            byte type = in.get(at);
            int length = in.getInt(at + 1);
            if (length < 4) {
                throw new IOException("a message of type " + type + " has length " + length + ", at least 4 expected");
            }
            if (in.remaining() <= length && handler.needs(type)) {
                return;
            }
            in.position(at + Messages.HEADER_BYTES);
            skip = length - 4L;
            handler.message(type, in, (int) Math.min(skip, in.remaining()), loop);
        }
    }
}
