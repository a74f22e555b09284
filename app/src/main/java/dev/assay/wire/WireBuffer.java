package dev.assay.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way to the server. Written at the end by the encoders of {@link Messages}, sent from the beginning. It grows to the most
 * it ever held and allocates nothing after that. Not thread-safe.
 *
 * <pre>
 * channel.write(buffer.unsent());
 * buffer.sent();
 * </pre>
 */
public final class WireBuffer {

    /** Longest text of one call; the server itself takes messages of almost 1 GiB. */
    public static final int BYTES_MAX = 64 << 20;

    private ByteBuffer bytes;
    /** The same bytes with a position of its own, for whoever sends them. */
    private ByteBuffer view;

    private int lengthAt;
    private int sentTo;

    public WireBuffer(int capacity) {
        bytes = ByteBuffer.allocateDirect(capacity);
        view = bytes.duplicate();
    }

    /** Forgets what is in it. */
    public void clear() {
        bytes.clear();
        sentTo = 0;
    }

    /** How many bytes are still to be sent. */
    public int size() {
        return bytes.position() - sentTo;
    }

    /** What is still to be sent; after reading some of it call {@link #sent}. Good until something is written. */
    public ByteBuffer unsent() {
        return view.limit(bytes.position()).position(sentTo);
    }

    /** What was read from {@link #unsent} is forgotten. */
    public void sent() {
        sentTo = view.position();
        if (sentTo == bytes.position()) {
            clear();
        }
    }

    /** Begins a message. */
    public void begin(byte type) {
        ensure(5);
        bytes.put(type);
        lengthAt = bytes.position();
        bytes.putInt(0);
    }

    /** The start-up messages carry no type. */
    public void beginUntyped() {
        ensure(4);
        lengthAt = bytes.position();
        bytes.putInt(0);
    }

    /** Ends the message that was begun last. */
    public void end() {
        bytes.putInt(lengthAt, bytes.position() - lengthAt);
    }

    public void putByte(int value) {
        ensure(1);
        bytes.put((byte) value);
    }

    public void putShort(int value) {
        ensure(2);
        bytes.putShort((short) value);
    }

    public void putInt(int value) {
        ensure(4);
        bytes.putInt(value);
    }

    public void putBytes(byte[] value) {
        ensure(value.length);
        bytes.put(value);
    }

    /** UTF-8 and a zero byte. */
    public void putText(String text) {
        putBytes(text.getBytes(StandardCharsets.UTF_8));
        putByte(0);
    }

    /** The digits of a number, with a minus where it is negative. */
    public void putDecimal(long value) {
        ensure(20);
        int digits = digits(value);
        int at = bytes.position() + digits + (value < 0 ? 1 : 0);
        int end = at;
        long rest = value > 0 ? -value : value;
        do {
            bytes.put(--at, (byte) ('0' - rest % 10));
            rest /= 10;
        } while (rest != 0);
        if (value < 0) {
            bytes.put(--at, (byte) '-');
        }
        bytes.position(end);
    }

    /** Length of what follows as four bytes, then the digits: a text parameter of Bind. */
    public void putDecimalParameter(long value) {
        putInt(digits(value) + (value < 0 ? 1 : 0));
        putDecimal(value);
    }

    /** Length of what follows as four bytes, then the text, without a zero byte; null is SQL's NULL. */
    public void putParameter(byte @Nullable [] text) {
        if (text == null) {
            putInt(-1);
        } else {
            putInt(text.length);
            putBytes(text);
        }
    }

    private static int digits(long value) {
        int digits = 1;
        for (long rest = value / 10; rest != 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private void ensure(int more) {
        if (bytes.remaining() >= more) {
            return;
        }
        long wanted = Math.max((long) bytes.position() + more, 2L * bytes.capacity());
        if (wanted > 2L * BYTES_MAX) {
            throw new WireException("a message of more than " + BYTES_MAX + " bytes is not sent");
        }
        bytes = ByteBuffer.allocateDirect((int) wanted).put(bytes.flip());
        view = bytes.duplicate();
    }
}
