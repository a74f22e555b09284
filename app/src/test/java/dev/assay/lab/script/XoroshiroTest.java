package dev.assay.lab.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class XoroshiroTest {

    private static final long SEED = Long.getLong("assay.test.seed", 20260101);

    /**
     * xoroshiro128** as Blackman and Vigna publish it, its state filled by SplitMix64 from the seed: computed here step by step with unsigned
     * arithmetic of any length.
     */
    @Test
    void drawsAreXoroshiro() {
        for (long seed : new long[] {0, 1, 42, -1, SEED}) {
            Reference reference = new Reference(seed);
            Xoroshiro draws = new Xoroshiro(seed);
            for (int i = 0; i < 1000; i++) {
                assertThat(draws.next()).as("seed %d, draw %d", seed, i).isEqualTo(reference.next());
            }
        }
    }

    private static final class Reference {
        private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(64);
        private BigInteger s0;
        private BigInteger s1;

        Reference(long seed) {
            BigInteger step = new BigInteger("9E3779B97F4A7C15", 16);
            s0 = splitMix(of(seed).add(step));
            s1 = splitMix(of(seed).add(step.shiftLeft(1)));
        }

        private static BigInteger of(long value) {
            return new BigInteger(Long.toUnsignedString(value));
        }

        private static BigInteger splitMix(BigInteger state) {
            BigInteger z = state.mod(MODULUS);
            z = z.xor(z.shiftRight(30))
                    .multiply(new BigInteger("BF58476D1CE4E5B9", 16))
                    .mod(MODULUS);
            z = z.xor(z.shiftRight(27))
                    .multiply(new BigInteger("94D049BB133111EB", 16))
                    .mod(MODULUS);
            return z.xor(z.shiftRight(31));
        }

        private static BigInteger rotate(BigInteger value, int bits) {
            return value.shiftLeft(bits).or(value.shiftRight(64 - bits)).mod(MODULUS);
        }

        long next() {
            BigInteger result = rotate(s0.multiply(BigInteger.valueOf(5)).mod(MODULUS), 7)
                    .multiply(BigInteger.valueOf(9))
                    .mod(MODULUS);
            BigInteger crossed = s0.xor(s1);
            s0 = rotate(s0, 24).xor(crossed).xor(crossed.shiftLeft(16).mod(MODULUS));
            s1 = rotate(crossed, 37);
            return result.longValue();
        }
    }

    @Test
    void everyValueBetweenTheBoundsComesAboutEquallyOften() {
        System.out.println("XoroshiroTest seed " + SEED);
        Random bounds = new Random(SEED);
        for (int round = 0; round < 50; round++) {
            long low = bounds.nextInt(2000) - 1000L;
            int span = 1 + bounds.nextInt(20);
            Xoroshiro draws = new Xoroshiro(bounds.nextLong());
            int[] seen = new int[span];
            int count = 2000 * span;
            for (int i = 0; i < count; i++) {
                seen[(int) (draws.between(low, low + span - 1) - low)]++;
            }
            for (int value : seen) {
                // 2,000 expected, standard deviation below 45: seven of them
                assertThat(value).as("seed %d, span %d", SEED, span).isBetween(1685, 2315);
            }
        }
    }

    @Test
    void wideAndSingleRangesHold() {
        Xoroshiro draws = new Xoroshiro(SEED);
        for (int i = 0; i < 10_000; i++) {
            assertThat(draws.between(7, 7)).isEqualTo(7);
            assertThat(draws.between(Long.MIN_VALUE, -1)).isNegative();
            assertThat(draws.between(Long.MAX_VALUE - 2, Long.MAX_VALUE)).isGreaterThanOrEqualTo(Long.MAX_VALUE - 2);
        }
    }
}
