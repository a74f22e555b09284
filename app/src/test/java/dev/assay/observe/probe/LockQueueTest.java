package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.BlockingRow;
import dev.assay.pg.LockMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LockQueueTest {

    /** A thousand sessions that want one row: each waits for all before it, of whom the nearest to the front are named. */
    @Test
    void aLongQueueNamesItsFrontAndCountsTheRest() {
        List<LockQueue.Entry> entries = new ArrayList<>();
        entries.add(new LockQueue.Entry(1, null, LockMode.EXCLUSIVE, true, null));
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        for (int pid = 1000; pid >= 2; pid--) {
            entries.add(new LockQueue.Entry(pid, null, LockMode.EXCLUSIVE, false, start.plusMillis(pid)));
        }
        List<LockQueue.Blocked> blocked = new LockQueue(entries).blocked();
        assertThat(blocked).hasSize(999);
        for (int place = 0; place < blocked.size(); place++) {
            LockQueue.Blocked one = blocked.get(place);
            assertThat(one.waiter().pid()).isEqualTo(place + 2);
            assertThat(one.blockers()).isEqualTo(place + 1);
            assertThat(one.blockedBy())
                    .hasSize(Math.min(place + 1, BlockingRow.BLOCKERS_MAX))
                    .startsWith(1);
        }
    }

    @Test
    void oneWhoseWaitHasJustBegunStandsLast() {
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        List<LockQueue.Blocked> blocked = new LockQueue(List.of(
                        new LockQueue.Entry(5, null, LockMode.ACCESS_SHARE, true, null),
                        new LockQueue.Entry(6, null, LockMode.ACCESS_SHARE, false, null),
                        new LockQueue.Entry(7, null, LockMode.ACCESS_EXCLUSIVE, false, start)))
                .blocked();
        assertThat(blocked).extracting(one -> one.waiter().pid()).containsExactly(7, 6);
        assertThat(blocked).extracting(LockQueue.Blocked::blockedBy).containsExactly(List.of(5), List.of(7));
    }
}
