package dev.assay.lab.script;

/** The hash functions and the permutation of pgbench (manual, pgbench, "hash", "permute"); all give the values that it gives. */
final class Mixing {

    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long MURMUR = 0xc6a4a7935bd1e995L;
    /** {@link #MURMUR} times the eight bytes of a value, to 64 bits. */
    private static final long MURMUR_TIMES_LENGTH = 0x35253c9ade8f4ca8L;

    private static final int MURMUR_SHIFT = 47;
    private static final int ROUNDS = 6;

    private Mixing() {}

    /** FNV-1a of the value's eight bytes, the lowest first. */
    static long fnv1a(long value, long seed) {
        long hash = FNV_BASIS ^ seed;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            hash = (hash ^ ((value >>> shift) & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    /** MurmurHash2, 64 bits, of the value's eight bytes. */
    static long murmur2(long value, long seed) {
        long block = value * MURMUR;
        block = (block ^ (block >>> MURMUR_SHIFT)) * MURMUR;
        long hash = ((seed ^ MURMUR_TIMES_LENGTH) ^ block) * MURMUR;
        hash = (hash ^ (hash >>> MURMUR_SHIFT)) * MURMUR;
        return hash ^ (hash >>> MURMUR_SHIFT);
    }

    /**
     * Where a value from 0 to {@code size - 1} goes in the permutation that the seed chooses. Six rounds; each multiplies by an odd number,
     * mixes and rotates first the lower and then the upper of two halves that overlap, each as long as the largest power of two that fits,
     * and shifts all round the circle.
     */
    static long permute(long value, long size, long seed, Xoroshiro scratch) {
        if (size < 2) {
            return 0;
        }
        scratch.seed(seed);
        long place = Long.remainderUnsigned(value, size);
        int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(size);
        long mask = (1L << bits) - 1;
        for (int round = 0; round < ROUNDS; round++) {
            long odd = (scratch.next() & mask) | 1;
            long flip = scratch.next() & mask;
            if (place <= mask) {
                place = mix(place, odd, flip, mask, bits);
            }
            odd = (scratch.next() & mask) | 1;
            flip = scratch.next() & mask;
            long mirrored = size - 1 - place;
            if (mirrored <= mask) {
                place = size - 1 - mix(mirrored, odd, flip, mask, bits);
            }
            place = Long.remainderUnsigned(place + scratch.between(0, size - 1), size);
        }
        return place;
    }

    private static long mix(long value, long odd, long flip, long mask, int bits) {
        long mixed = ((value * odd) ^ flip) & mask;
        return ((mixed << 1) & mask) | (mixed >>> (bits - 1));
    }
}
