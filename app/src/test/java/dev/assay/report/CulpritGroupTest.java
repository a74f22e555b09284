package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.diagnose.Culprit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CulpritGroupTest {

    @Test
    void manyAlikeAreToldAsOneAndFewByName() {
        List<Culprit> culprits = new ArrayList<>();
        culprits.add(new Culprit("statement", "select 1", "s"));
        for (int i = 3; i <= 12; i++) {
            culprits.add(new Culprit("table", String.format("orders_p%02d", i), "no slot"));
            culprits.add(new Culprit("index", String.format("orders_p%02d_pkey", i), "lock " + i));
        }
        culprits.add(new Culprit("table", "customers1", "c"));
        culprits.add(new Culprit("table", "customers2", "d"));
        assertThat(CulpritGroup.of(culprits))
                .containsExactly(
                        new CulpritGroup("statement", "select 1", "s", 1),
                        new CulpritGroup("table", "orders_p03 … orders_p12 (10 tables)", "no slot", 10),
                        new CulpritGroup("index", "orders_p03_pkey … orders_p12_pkey (10 indexes)", "", 10),
                        new CulpritGroup("table", "customers1", "c", 1),
                        new CulpritGroup("table", "customers2", "d", 1));
    }
}
