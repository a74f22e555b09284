package dev.assay.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Messages on their way to the server. Written by the encoders of {@link Messages}, then flipped and drained into a socket. It grows to the
 * largest message it ever held and allocates nothing after that. Not thread-safe.
 */
final class WireBuffer {

    /** Longest text of one call; the server itself takes messages of almost 1 GiB. */
    static final int BYTES_MAX = 64 << 20;

    private ByteBuffer bytes;
    private int lengthAt;

    WireBuffer(int capacity) {
        bytes = ByteBuffer.allocateDirect(capacity);
    }

    /** Forgets what is in it and takes new messages. */
    void clear() {
        bytes.clear();
    }

    /** The messages written since {@link #clear}, ready to be drained. */
    ByteBuffer flip() {
        return bytes.flip();
    }

    /** The rest of what {@link #flip} gave. */
    ByteBuffer unsent() {
        return bytes;
    }

    void begin(byte type) {
        ensure(5);
        bytes.put(type);
        lengthAt = bytes.position();
        bytes.putInt(0);
    }

    /** The start-up messages carry no type. */
    void beginUntyped() {
        ensure(4);
        lengthAt = bytes.position();
        bytes.putInt(0);
    }

    void end() {
        bytes.putInt(lengthAt, bytes.position() - lengthAt);
    }

    void putByte(int value) {
        ensure(1);
        bytes.put((byte) value);
    }

    void putShort(int value) {
        ensure(2);
        bytes.putShort((short) value);
    }

    void putInt(int value) {
        ensure(4);
        bytes.putInt(value);
    }

    void putBytes(byte[] value) {
        ensure(value.length);
        bytes.put(value);
    }

    /** UTF-8 and a zero byte. */
    void putText(String text) {
        putBytes(text.getBytes(StandardCharsets.UTF_8));
        putByte(0);
    }

    /** The digits of a number, with a minus where it is negative. */
    void putDecimal(long value) {
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
    void putDecimalParameter(long value) {
        putInt(digits(value) + (value < 0 ? 1 : 0));
        putDecimal(value);
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
    }
}
