package dev.assay.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailureTallyTest {

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void failuresAreTalliedBySqlState() {
        FailureTally tally = new FailureTally();
        for (int i = 0; i < 30; i++) {
            ByteBuffer body =
                    ByteBuffer.wrap(ascii("xx" + "SERROR\0VERROR\0C400" + (10 + i % 20) + "\0Mfailure " + i + "\0\0"));
            tally.count(body, 2, body.limit());
        }
        tally.countOpenBlock("s");
        assertThat(tally.countsByState()).hasSize(21).containsEntry("40010", 2L).containsEntry("40029", 1L);
        assertThat(tally.examplesByState())
                .containsEntry("40010", "ERROR 40010: failure 0")
                .containsKey(LoadResult.OPEN_BLOCK);
    }

    @Test
    void talliesAreAddedUp() {
        FailureTally one = new FailureTally();
        FailureTally other = new FailureTally();
        assertThat(one.count(ByteBuffer.wrap(ascii("C40001\0Ma\0\0")), 0, 11)).isEqualTo(FailureTally.pack("40001"));
        other.count(ByteBuffer.wrap(ascii("C40001\0Mb\0\0")), 0, 11);
        other.count(ByteBuffer.wrap(ascii("C40P01\0Mc\0\0")), 0, 11);
        one.add(other);
        assertThat(one.countsByState()).containsOnly(Map.entry("40001", 2L), Map.entry("40P01", 1L));
        assertThat(one.examplesByState()).containsEntry("40001", "ERROR 40001: a");
    }
}
