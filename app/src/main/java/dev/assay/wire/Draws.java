package dev.assay.wire;

/**
 * The random numbers of one client: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators"), one long of state,
 * nothing allocated. The same seed gives the same draws on every machine. Not thread-safe.
 */
final class Draws {

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    Draws(long seed) {
        state = seed;
    }

    /** The draws of one client among many: clients of one seed get streams that start at unrelated places. */
    static Draws ofClient(long seed, int client) {
        return new Draws(mix(seed + mix((client + 1) * STEP)));
    }

    /** A number from {@code low} to {@code high}, both included, each equally likely; {@code low <= high}. */
    long between(long low, long high) {
        assert low <= high : low + " > " + high;
        long span = high - low;
        long mask = span == 0 ? 0 : -1L >>> Long.numberOfLeadingZeros(span);
        long draw;
        do {
            draw = next() & mask;
        } while (Long.compareUnsigned(draw, span) > 0);
        return low + draw;
    }

    private long next() {
        state += STEP;
        return mix(state);
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
