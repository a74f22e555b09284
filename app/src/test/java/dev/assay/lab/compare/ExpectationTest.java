package dev.assay.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.assay.lab.RatioInterval;
import dev.assay.lab.compare.Expectation.Operator;
import dev.assay.lab.compare.Expectation.Outcome;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectationTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "all",
            value = {
                "'tps>=0.98', all, transactions_per_second, AT_LEAST, 0.98",
                "' tps  >  1 ', all, transactions_per_second, ABOVE, 1",
                "'latency_p99<=1.1', all, latency_p99, AT_MOST, 1.1",
                "'latency<.9', all, latency_mean, BELOW, 0.9",
                "'cpu<1', all, server_cpu_per_transaction, BELOW, 1",
                "'literal-16.tps>=2', literal-16, transactions_per_second, AT_LEAST, 2",
                "'v1.2.latency_p50<1', v1.2, latency_p50, BELOW, 1"
            })
    void itIsReadAsPeopleWriteIt(String text, String variant, String metric, Operator operator, double ratio) {
        assertThat(Expectation.parse(text)).isEqualTo(new Expectation(text.strip(), variant, metric, operator, ratio));
    }

    /** The position counts characters from 1. */
    @ParameterizedTest
    @CsvSource({
        "'', 1, 'a metric is missing'",
        "'>=1', 1, 'a metric is missing'",
        "'tps', 4, 'an operator is missing'",
        "'tps 0.98', 5, 'an operator is missing'",
        "'tps=>0.98', 4, '''=>'' is no operator'",
        "'tps==1', 4, '''=='' is no operator'",
        "'tps>=', 6, 'a ratio is missing'",
        "'tps>=fast', 6, '''fast'' is not a positive decimal number'",
        "'tps>=-1', 6, '''-1'' is not a positive decimal number'",
        "'tps>=1e3', 6, 'is not a positive decimal number'",
        "'tps>=0.98 and more', 6, 'is not a positive decimal number'",
        "'tps>=NaN', 6, 'is not a positive decimal number'",
        "'tps>=0', 6, 'a ratio is above 0'",
        "'.tps>=1', 1, 'a variant is missing before the dot'",
        "'with.speed>=1', 6, 'unknown metric ''speed'''",
        "'tsp>=1', 1, 'unknown metric ''tsp'''"
    })
    void whatCannotBeReadIsToldWithItsPlace(String text, int position, String problem) {
        assertThatExceptionOfType(ExpectationException.class)
                .isThrownBy(() -> Expectation.parse(text))
                .withMessageStartingWith("--expect '" + text + "', character " + position + ": ")
                .withMessageContaining(problem)
                .satisfies(e -> assertThat(e.hint()).doesNotContain("\n"));
    }

    @Test
    void anUnknownMetricListsTheKnownOnes() {
        assertThatExceptionOfType(ExpectationException.class)
                .isThrownBy(() -> Expectation.parse("latency_p98<1"))
                .satisfies(e -> assertThat(e.hint())
                        .startsWith("Did you mean 'latency_p9")
                        .contains("tps, latency, cpu, transactions_per_second, ", "latency_p99"));
    }

    /** Whatever is typed, it is read or refused, never anything else. */
    @Test
    void nothingElseComesOfRandomText() {
        long seed = 20_260_314L;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String alphabet = "tps.latency_p99<>=!~0123456789 -é\u0000";
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(i % 3 == 0 ? "tps>=" : "");
            for (int length = random.nextInt(8); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                assertThat(Expectation.parse(text.toString()).ratio()).isPositive();
                read++;
            } catch (ExpectationException refused) {
                assertThat(refused).hasMessageContaining("character ");
            }
        }
        assertThat(read).isPositive();
    }

    /** The interval is [0.95, 1.05] or begins or ends at the limit. */
    @ParameterizedTest
    @CsvSource({
        "tps>=0.9,  0.95, 1.05, HELD",
        "tps>=0.95, 0.95, 1.05, HELD",
        "tps>0.95,  0.95, 1.05, UNDECIDED",
        "tps>=0.98, 0.95, 1.05, UNDECIDED",
        "tps>=1.05, 0.95, 1.05, UNDECIDED",
        "tps>1.05,  0.95, 1.05, CONTRADICTED",
        "tps>=1.06, 0.95, 1.05, CONTRADICTED",
        "tps<=1.1,  0.95, 1.05, HELD",
        "tps<=1.05, 0.95, 1.05, HELD",
        "tps<1.05,  0.95, 1.05, UNDECIDED",
        "tps<=0.95, 0.95, 1.05, UNDECIDED",
        "tps<0.95,  0.95, 1.05, CONTRADICTED",
        "tps<=0.9,  0.95, 1.05, CONTRADICTED",
        "tps>=0.9,  0, Infinity, UNDECIDED"
    })
    void theWholeIntervalDecides(String text, double low, double high, Outcome outcome) {
        assertThat(Expectation.parse(text).judge(new RatioInterval(1, low, high, 0.99, 6, 0.05)))
                .isEqualTo(outcome);
    }

    @Test
    void whatHasNoRatioDecidesNothing() {
        RatioInterval nothing = RatioInterval.of(List.of());
        for (String text : new String[] {"tps>=0.001", "tps<1000"}) {
            assertThat(Expectation.parse(text).judge(nothing)).isEqualTo(Outcome.UNDECIDED);
        }
    }
}
