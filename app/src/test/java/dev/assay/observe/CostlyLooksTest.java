package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CostlyLooksTest {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1000 * MILLI;

    @Test
    void aCheapLookKeepsItsCadence() {
        assertThat(new CostlyLooks(0.05).pauseNanos("locks", SECOND, 2 * MILLI)).isEqualTo(SECOND);
    }

    /** 46 ms within half a hundredth of the time: once in 9.2 s; within a twentieth: once in 0.92 s, so its own second. */
    @Test
    void aDearLookWaits() {
        assertThat(new CostlyLooks(0.005).pauseNanos("locks", SECOND, 46 * MILLI))
                .isCloseTo(9_200 * MILLI, within(MILLI));
        assertThat(new CostlyLooks(0.05).pauseNanos("locks", SECOND, 46 * MILLI))
                .isEqualTo(SECOND);
    }

    /** 600 ms once in five minutes takes 0.2 % and keeps its cadence; 30 ms have 0.3 % left: once in 10 s. */
    @Test
    void aSlowCadenceLeavesTheOthersTheRest() {
        CostlyLooks looks = new CostlyLooks(0.005);
        assertThat(looks.pauseNanos("tables", 300 * SECOND, 600 * MILLI)).isEqualTo(300 * SECOND);
        assertThat(looks.pauseNanos("locks", SECOND, 30 * MILLI)).isCloseTo(10 * SECOND, within(MILLI));
    }

    /**
     * Half a hundredth of the time fills a purse of 150 ms: three looks of 46 ms at their cadence, for which 10 ms come in; the fourth leaves it
     * 19 ms short, which takes 3.8 s from its end.
     */
    @Test
    void anOccasionalProbeSeesTheFirstSecondsAndKeepsToTheShareThen() {
        CostlyLooks looks = new CostlyLooks(0.005);
        long took = 46 * MILLI;
        long end = 1000 * SECOND;
        for (int i = 0; i < 3; i++) {
            assertThat(looks.occasionalPauseNanos("blocking", SECOND, took, end))
                    .isEqualTo(SECOND);
            end += SECOND;
        }
        long fourth = looks.occasionalPauseNanos("blocking", SECOND, took, end);
        assertThat(fourth).isCloseTo(took + 3_800 * MILLI, within(MILLI));
        double busy = 4 * took;
        for (int i = 0; i < 1000; i++) {
            end += fourth;
            fourth = looks.occasionalPauseNanos("blocking", SECOND, took, end);
            busy += took;
        }
        assertThat(busy / (end - 1000 * SECOND)).isCloseTo(0.005, within(0.0001));
        assertThat(looks.occasionalPauseNanos("blocking", SECOND, took, end + 60 * SECOND))
                .as("after a quiet minute the purse is full again")
                .isEqualTo(SECOND);
    }

    /** Whatever looks cost, when each waits as it is told their sum keeps to the share; the time is counted by the test. */
    @Test
    void togetherTheyKeepToTheShare() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            double share = 0.001 + random.nextDouble() * 0.05;
            CostlyLooks looks = new CostlyLooks(share);
            Map<String, long[]> probes = new HashMap<>(); // cadence, took, due
            for (int i = 0; i < 1 + random.nextInt(5); i++) {
                probes.put(
                        "p" + i, new long[] {SECOND * (1 + random.nextInt(60)), MILLI * (1 + random.nextInt(800)), 0});
            }
            probes.forEach((name, probe) -> looks.pauseNanos(name, probe[0], probe[1]));
            long end = 24L * 3600 * SECOND;
            double busy = 0;
            for (Map.Entry<String, long[]> entry : probes.entrySet()) {
                long[] probe = entry.getValue();
                while (probe[2] < end) {
                    busy += probe[1];
                    probe[2] += looks.pauseNanos(entry.getKey(), probe[0], probe[1]);
                }
            }
            assertThat(busy / end).as("seed %s, round %s", seed, round).isLessThanOrEqualTo(share * 1.02);
        }
    }

    /** On a server without a free core or lock a look takes long and costs little; one that hangs for half a minute is no bargain, though. */
    @Test
    void aLookCostsItsCpuTimeAndATwentiethOfItsWaitingWhereThatIsSeen() {
        assertThat(CostlyLooks.costNanos(300, -1)).isEqualTo(300);
        assertThat(CostlyLooks.costNanos(300, 200)).isEqualTo(200);
        assertThat(CostlyLooks.costNanos(300, 2)).isEqualTo(15);
    }
}
