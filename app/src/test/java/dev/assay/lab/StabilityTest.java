package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StabilityTest {

    @ParameterizedTest
    @CsvSource({
        "10000, 10000, 10000, true",
        "10000, 10400, 9700, true",
        "10000, 10600, 10000, false",
        "10000, 9400, 10000, false",
        "10000, 10200, 10400, false", // rises by 4 %
        "10000, 10100, 10200, true", // rises by 2 %
        "10400, 10200, 10000, false", // falls
        "100, 120, 90, true", // counting alone makes 30 %
        "100, 140, 90, false",
        "0, 0, 0, false",
    })
    void judgesTheLastThree(long first, long second, long third, boolean stable) {
        assertThat(Stability.stable(List.of(first, second, third))).isEqualTo(stable);
        assertThat(Stability.stable(List.of(1L, 1_000_000L, first, second, third)))
                .isEqualTo(stable);
        assertThat(Stability.stable(List.of(second, third))).isFalse();
    }

    /** Noise of 1 % is stable at the first try nearly always; a rise of 3 % a window with the same noise hardly ever. */
    @Test
    void noiseIsStableAndAClimbIsNot() {
        Random random = new Random(41);
        int quiet = 0;
        int climbing = 0;
        for (int i = 0; i < 1000; i++) {
            List<Long> level = new ArrayList<>();
            List<Long> climb = new ArrayList<>();
            for (int window = 0; window < Stability.WINDOWS; window++) {
                double noise = 1 + 0.01 * random.nextGaussian();
                level.add(Math.round(50_000 * noise));
                climb.add(Math.round(50_000 * Math.pow(1.03, window) * noise));
            }
            quiet += Stability.stable(level) ? 1 : 0;
            climbing += Stability.stable(climb) ? 1 : 0;
        }
        assertThat(quiet).isGreaterThan(900);
        assertThat(climbing).isLessThan(150);
    }
}
