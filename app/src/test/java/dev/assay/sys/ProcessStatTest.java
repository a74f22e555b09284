package dev.assay.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ProcessStatTest {

    @Test
    void reads_a_name_with_blanks_and_brackets() {
        ProcessStat stat = ProcessStat.parse(
                "2199 (a (b) c) S 1 2199 2199 0 -1 4194560 3245 73 21 2 7 5 30 20 20 0 1 0 11223 224000000 6477 18446744073709551615",
                100,
                4096);
        assertThat(stat).isEqualTo(new ProcessStat(2199, 1, 'S', 11223, 120_000_000L, 500_000_000L, 6477L * 4096));
        assertThat(stat.ended()).isFalse();
    }

    @Test
    void rejects_other_text() {
        for (String text : new String[] {"", "1 2 3", "1 (x) S 1", ") 1 ("}) {
            assertThatThrownBy(() -> ProcessStat.parse(text, 100, 4096)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
