package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnpairedIntervalTest {

    private static final List<Double> LEFT = values(0.00, 0.02, -0.01, 0.03, 0.01);
    private static final List<Double> RIGHT = values(0.10, 0.16, 0.07, 0.13, 0.19, 0.13);

    /** SciPy 1.17: {@code ttest_ind(right, left, equal_var=False).confidence_interval(0.99)} of the logarithms, then exp. */
    @Test
    void itIsWelchsInterval() {
        UnpairedInterval interval = UnpairedInterval.of(LEFT, RIGHT);

        assertThat(interval.ratio()).isCloseTo(1.1274969, within(1e-6));
        assertThat(interval.low()).isCloseTo(1.0545052, within(1e-6));
        assertThat(interval.high()).isCloseTo(1.2055409, within(1e-6));
        assertThat(interval.degreesOfFreedom(0)).isCloseTo(6.577181, within(1e-6));
        assertThat(interval.level()).isEqualTo(0.99);
        assertThat(interval.basis()).isEqualTo("5 and 6 trials");
        assertThat(interval.verdict(0.05, false)).isEqualTo(Verdict.BETTER);
        assertThat(interval.verdict(0.05, true)).isEqualTo(Verdict.WORSE);
        assertThat(interval.furtherTrials(0.05)).isZero();
    }

    @Test
    void swappingTheRunsGivesTheReciprocal() {
        UnpairedInterval there = UnpairedInterval.of(LEFT, RIGHT);
        UnpairedInterval back = UnpairedInterval.of(RIGHT, LEFT);

        assertThat(back.ratio()).isCloseTo(1 / there.ratio(), within(1e-12));
        assertThat(back.low()).isCloseTo(1 / there.high(), within(1e-12));
        assertThat(back.high()).isCloseTo(1 / there.low(), within(1e-12));
    }

    @Test
    void nothingAndOneTrialAndAStalledOneDecideNothing() {
        UnpairedInterval nothing = UnpairedInterval.of(List.of(), RIGHT);
        UnpairedInterval one = UnpairedInterval.of(values(0), RIGHT);
        UnpairedInterval stalled = UnpairedInterval.of(List.of(100.0, 0.0, 100.0), RIGHT);
        UnpairedInterval unknown = UnpairedInterval.of(List.of(100.0, Double.NaN, 100.0), RIGHT);

        for (UnpairedInterval interval : List.of(nothing, one, stalled, unknown)) {
            assertThat(interval.verdict(0.05, false)).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(interval.low()).isZero();
            assertThat(interval.high()).isInfinite();
            assertThat(interval.furtherTrials(0.05)).isNull();
            assertThat(interval.furtherTrialsBeyond(1.5)).isNull();
        }
        assertThat(nothing.ratio()).isNaN();
        assertThat(stalled.ratio()).isNaN();
        assertThat(unknown.ratio()).isNaN();
        assertThat(one.ratio()).isCloseTo(Math.exp(0.13), within(1e-9));
    }

    @Test
    void trialsThatDoNotVaryHaveAnIntervalWithoutWidth() {
        UnpairedInterval same = UnpairedInterval.of(values(0, 0, 0), values(0, 0));
        assertThat(same.low()).isEqualTo(1);
        assertThat(same.high()).isEqualTo(1);
        assertThat(same.verdict(0.05, false)).isEqualTo(Verdict.NO_DIFFERENCE);
    }

    /** The order of trials says nothing: nothing is paired. */
    @Test
    void theOrderDoesNotMatter() {
        List<Double> turned = values(0.13, 0.19, 0.07, 0.16, 0.13, 0.10);
        assertThat(UnpairedInterval.of(LEFT, turned).low())
                .isCloseTo(UnpairedInterval.of(LEFT, RIGHT).low(), within(1e-12));
    }

    private static List<Double> values(double... logs) {
        return Arrays.stream(logs).mapToObj(log -> 1000 * Math.exp(log)).toList();
    }
}
