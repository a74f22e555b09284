package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumbersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3412.7 | 3288.1 | 3561.9 | 3,410 [3,290–3,560]",
                "9050   | 9049.8 | 9050.2 | 9,050 [9,050–9,050]",
                "2.654  | 2.561  | 2.751  | 2.65 [2.56–2.75]",
                "13.94  | 13.2   | 14.8   | 13.9 [13.2–14.8]",
                "3410   | 200    | 91000  | 3,400 [200–91,000]",
                "0.0123 | 0.0119 | 0.0128 | 0.01230 [0.01190–0.01280]",
                "5      | 5      | 5      | 5.00 [5.00–5.00]",
                "3412   | NaN    | NaN    | 3,410",
                "NaN    | 1      | 2      | –",
            })
    void anIntervalDecidesTheDigits(double value, double low, double high, String expected) {
        assertThat(Numbers.interval(value, low, high)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0 %", "0.0003 | <0.1 %", "0.004 | 0.4 %", "0.196 | 20 %", "-0.21 | −21 %", "1.006 | 101 %"})
    void sharesArePercentages(double share, String expected) {
        assertThat(Numbers.percent(share)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0.00 µs", "563 | 563 µs", "14662 | 14.7 ms", "1200000 | 1.20 s", "64.1 | 64.1 µs"})
    void timesChooseTheirUnit(double micros, String expected) {
        assertThat(Numbers.micros(micros)).isEqualTo(expected);
    }

    @Test
    void whatWouldRoundToNothingIsNotShownAsNothing() {
        Numbers.Scale scale = Numbers.Scale.of(14_662);
        assertThat(scale.value(12)).isEqualTo("<0.1");
        assertThat(scale.change(-12)).isEqualTo("≈0");
        assertThat(scale.change(2_900)).isEqualTo("+2.9");
        assertThat(scale.value(0)).isEqualTo("0.0");
    }
}
