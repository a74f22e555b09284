package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.evidence.ObserverRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seconds pass as the test says, and each costs what it says; two cores, so 1 % of them is 20 ms a second. */
final class CostMeterTest {

    private static final long START = 5_000_000_000L;

    private final CostMeter meter = new CostMeter(CostBudget.recording(), START);
    private final List<String> told = new ArrayList<>();
    private long second;
    private long spentMillis;

    /** So many seconds go by in which looking costs so much at the planned cadence, and less when it is stretched. */
    private void pass(int seconds, double millisEach) {
        double spent = spentMillis;
        for (int i = 0; i < seconds; i++) {
            second++;
            spent += millisEach / meter.stretch();
            long now = START + second * 1_000_000_000L;
            CostMeter.Spending spending = new CostMeter.Spending((long) (spent * 1e6), 2, true);
            meter.weigh(now, spending).ifPresent(row -> told.add(second + " " + row.kind() + " " + meter.stretch()));
        }
        spentMillis = Math.round(spent);
    }

    @Test
    void underTheBudgetNothingHappens() {
        pass(3600, 19);
        assertThat(told).isEmpty();
        assertThat(meter.stretch()).isEqualTo(1);
    }

    @Test
    void theFirstSecondsOfAProgramDoNotCount() {
        pass(19, 1000);
        pass(600, 19);
        assertThat(told).isEmpty();
    }

    /** 30 ms a second is 1.5 %: seen once the window is full, 20 s of warm-up and 30 s of window; half of it is 0.75 %. */
    @Test
    void overTheBudgetTheCadenceIsHalvedOnce() {
        pass(600, 30);
        assertThat(told).containsExactly("50 SLOWED 2");
    }

    /** 150 ms a second is 7.5 %: a half is 3.75, a quarter 1.9, an eighth 0.94. The window begins anew after each step. */
    @Test
    void itIsHalvedAgainAsLongAsThatIsNeeded() {
        pass(1000, 150);
        assertThat(told).containsExactly("50 SLOWED 2", "81 SLOWED 4", "112 SLOWED 8");
    }

    @Test
    void thereIsALimit() {
        pass(3600, 100_000);
        assertThat(told).hasSize(4).last().asString().endsWith("SLOWED 16");
    }

    /** After the cost has gone to 7 ms a second, 3.5 at half the cadence and so 0.18 %, it takes three minutes. */
    @Test
    void whatHasBecomeCheapIsLookedAtMoreOftenAgain() {
        pass(50, 30);
        assertThat(told).containsExactly("50 SLOWED 2");
        pass(1000, 7);
        assertThat(told).containsExactly("50 SLOWED 2", "231 QUICKENED 1");
    }

    /** 17 ms a second at full cadence is 0.85 %, which fits, but half of it is not low: it would be on the edge for ever. */
    @Test
    void whatWouldJustFitStaysSlow() {
        pass(50, 30);
        pass(3600, 17);
        assertThat(told).containsExactly("50 SLOWED 2");
    }

    @Test
    void theFiguresAreTold() {
        ObserverRow row = null;
        for (int i = 20; row == null && i < 100; i++) {
            row = meter.weigh(START + i * 1_000_000_000L, new CostMeter.Spending(i * 30_000_000L, 2, false))
                    .orElse(null);
        }
        assertThat(row).isNotNull();
        assertThat(row.detail())
                .isEqualTo("looking took at most 1.50 % of 2 assumed cores in 30 s;"
                        + " every probe now looks 2 times more seldom than planned");
    }

    @Test
    void aCloseLookIsNeverSlowed() {
        CostMeter close = new CostMeter(CostBudget.closeLook(), START);
        for (int i = 1; i < 600; i++) {
            assertThat(close.weigh(START + i * 1_000_000_000L, new CostMeter.Spending(i * 1_000_000_000L, 2, true)))
                    .isEmpty();
        }
    }

    @Test
    void aBudgetThatWouldSwingIsRefused() {
        assertThatThrownBy(() -> new CostBudget(0.01, 0.006, false)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CostBudget(Double.NaN, 0, false)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void costlyProbesHaveAQuarterOfTheBudgetAndATwentiethOfTheTimeAtMost() {
        assertThat(CostBudget.recording().costlyShareOfTime(2)).isEqualTo(0.005);
        assertThat(CostBudget.recording().costlyShareOfTime(64)).isEqualTo(0.05);
        assertThat(CostBudget.closeLook().costlyShareOfTime(2)).isEqualTo(0.05);
    }
}
