package dev.assay.lab.script;

/**
 * The random numbers of one client: xoroshiro128** seeded by SplitMix64 (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators"), which PostgreSQL and its pgbench have used since 15 ({@code src/common/pg_prng.c}). The same seed gives the same numbers as
 * there. Two longs of state, nothing allocated. Not thread-safe.
 */
public final class Xoroshiro {

    private static final long SPLIT_MIX_STEP = 0x9E3779B97F4A7C15L;
    private static final double TO_UNIT = 0x1.0p-53;

    private long s0;
    private long s1;

    public Xoroshiro(long seed) {
        seed(seed);
    }

    /** Begins anew. */
    void seed(long seed) {
        s0 = splitMix(seed + SPLIT_MIX_STEP);
        s1 = splitMix(seed + SPLIT_MIX_STEP + SPLIT_MIX_STEP);
    }

    private static long splitMix(long state) {
        long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Takes over the other one's state. */
    public void copy(Xoroshiro other) {
        s0 = other.s0;
        s1 = other.s1;
    }

    /** 64 random bits. */
    public long next() {
        long crossed = s1 ^ s0;
        long value = Long.rotateLeft(s0 * 5, 7) * 9;
        s0 = Long.rotateLeft(s0, 24) ^ crossed ^ (crossed << 16);
        s1 = Long.rotateLeft(crossed, 37);
        return value;
    }

    /** A number from {@code low} to {@code high}, both included, each equally likely; their distance fits into a long. */
    public long between(long low, long high) {
        assert low <= high : low + " > " + high;
        long span = high - low;
        if (span == 0) {
            return low;
        }
        int shift = Long.numberOfLeadingZeros(span);
        long draw;
        do {
            draw = next() >>> shift;
        } while (Long.compareUnsigned(draw, span) > 0);
        return low + draw;
    }

    /** From 0, included, to 1, excluded. */
    public double unit() {
        return (next() >>> 11) * TO_UNIT;
    }

    /** Normally distributed around 0 with standard deviation 1, by the method of Box and Muller. */
    double normal() {
        double u = 1.0 - unit();
        double v = 1.0 - unit();
        return Math.sqrt(-2.0 * Math.log(u)) * Math.sin(2.0 * Math.PI * v);
    }
}
