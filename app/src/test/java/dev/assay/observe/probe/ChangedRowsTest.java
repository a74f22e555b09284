package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ChangedRowsTest {

    @Test
    void onlyWhatIsNewOrDifferentHasChanged() {
        ChangedRows rows = new ChangedRows(1000);
        rows.begin();
        assertThat(rows.changed(1, 10)).isTrue();
        assertThat(rows.changed(2, 0)).isTrue();
        rows.end();
        rows.begin();
        assertThat(rows.changed(1, 10)).isFalse();
        assertThat(rows.changed(2, 0)).isFalse();
        assertThat(rows.changed(3, 0)).isTrue();
        rows.end();
        rows.begin();
        assertThat(rows.changed(1, 11)).isTrue();
        rows.end();
        rows.begin();
        assertThat(rows.changed(2, 0)).as("it was away").isTrue();
    }

    @Test
    void aLookThatFailsCountsForNothing() {
        ChangedRows rows = new ChangedRows(1000);
        rows.begin();
        rows.changed(1, 10);
        rows.end();
        rows.begin();
        assertThat(rows.changed(1, 11)).isTrue();
        rows.begin();
        assertThat(rows.changed(1, 11)).as("nobody has got it").isTrue();
    }

    @Test
    void everythingComesAgainOnceInSoManyLooks() {
        ChangedRows rows = new ChangedRows(3);
        StringBuilder told = new StringBuilder();
        for (int look = 0; look < 7; look++) {
            rows.begin();
            told.append(rows.changed(5, 5) ? 'x' : '.');
            rows.end();
        }
        assertThat(told).hasToString("x..x..x");
    }

    @Test
    void manyRandomRowsAgreeWithAMap() {
        long seed = 20260101;
        Random random = new Random(seed);
        ChangedRows rows = new ChangedRows(1000);
        Map<Long, Long> before = new HashMap<>();
        for (int look = 0; look < 6; look++) {
            Map<Long, Long> now = new HashMap<>();
            rows.begin();
            for (int i = 0; i < 5000; i++) {
                long key = random.nextInt(3000);
                long print = random.nextInt(3) * 7L; // 0 and what is far from it
                if (now.putIfAbsent(key, print) == null) {
                    boolean expected = look == 0 || !Long.valueOf(print).equals(before.get(key));
                    assertThat(rows.changed(key, print))
                            .as("seed %d, look %d, key %d", seed, look, key)
                            .isEqualTo(expected);
                }
            }
            rows.end();
            before = now;
        }
    }

    @Test
    void printsOfNumbersDependOnTheirPlaces() {
        assertThat(ChangedRows.print(1, 2)).isNotEqualTo(ChangedRows.print(2, 1));
        assertThat(ChangedRows.print(1, 2)).isEqualTo(ChangedRows.print(1, 2));
        assertThat(ChangedRows.print(0)).isNotEqualTo(ChangedRows.print(0, 0));
    }
}
