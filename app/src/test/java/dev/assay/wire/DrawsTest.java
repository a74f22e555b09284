package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrawsTest {

    private static final long SEED = Long.getLong("assay.test.seed", 20260101);

    /** The reference implementation's first numbers for seed 1234567 (Vigna, splitmix64.c), as published with Rosetta Code's task. */
    @Test
    void drawsAreSplitMix64() {
        Draws draws = new Draws(1234567);
        for (String expected :
                new String[] {"6457827717110365317", "3203168211198807973", "9817491932198370423", "4593380528125082431"
                }) {
            long raw = Long.parseUnsignedLong(expected);
            // the span of 2^63 - 1 keeps the lower 63 bits
            assertThat(draws.between(0, Long.MAX_VALUE)).isEqualTo(raw & Long.MAX_VALUE);
        }
    }

    @Test
    void everyValueBetweenTheBoundsComesAboutEquallyOften() {
        System.out.println("DrawsTest seed " + SEED);
        Random bounds = new Random(SEED);
        for (int round = 0; round < 50; round++) {
            long low = bounds.nextInt(2000) - 1000L;
            int span = 1 + bounds.nextInt(20);
            Draws draws = new Draws(bounds.nextLong());
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
        Draws draws = new Draws(SEED);
        for (int i = 0; i < 10_000; i++) {
            assertThat(draws.between(7, 7)).isEqualTo(7);
            assertThat(draws.between(Long.MIN_VALUE, -1)).isNegative();
            assertThat(draws.between(Long.MAX_VALUE - 2, Long.MAX_VALUE)).isGreaterThanOrEqualTo(Long.MAX_VALUE - 2);
        }
    }

    @Test
    void clientsOfOneSeedDrawDifferently() {
        Set<Long> firsts = new HashSet<>();
        for (int seed = 0; seed < 10; seed++) {
            for (int client = 0; client < 1000; client++) {
                Draws draws = Draws.ofClient(seed, client);
                assertThat(firsts.add(draws.between(0, Long.MAX_VALUE))).isTrue();
                assertThat(firsts.add(draws.between(0, Long.MAX_VALUE))).isTrue();
            }
        }
    }
}
