package dev.assay.pg;

/**
 * An object identifier: unsigned, 32 bits.
 *
 * @param value 1 to 4294967295
 */
public record Oid(long value) implements Comparable<Oid> {

    private static final long FIRST_NORMAL = 16384;

    public Oid {
        if (value < 1 || value > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException("not an OID: " + value);
        }
    }

    /** An object that came with the server, for example a system catalog ({@code FirstNormalObjectId}, {@code transam.h}). */
    public boolean isSystem() {
        return value < FIRST_NORMAL;
    }

    @Override
    public int compareTo(Oid other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
