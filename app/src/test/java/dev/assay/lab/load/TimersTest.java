package dev.assay.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimersTest {

    private static final long SEED = Long.getLong("assay.test.seed", 20261130);

    /** What the JDK's queue gives out at each moment, the timers give out too; moments lie around the clock's overflow as well. */
    @Test
    void whoIsDueComesOutInOrder() {
        System.out.println("TimersTest seed " + SEED);
        for (int round = 0; round < 300; round++) {
            Random random = new Random(SEED + round);
            long base = round % 3 == 0 ? Long.MAX_VALUE - 500 : random.nextLong() / 2;
            Timers<Long> timers = new Timers<>();
            PriorityQueue<Long> expected = new PriorityQueue<>((a, b) -> Long.signum(a - b));
            long now = base;
            for (int step = 0; step < 400; step++) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    long at = base + random.nextInt(1000);
                    timers.add(at, at);
                    expected.add(at);
                }
                now += random.nextInt(5);
                List<Long> due = new ArrayList<>();
                while (!expected.isEmpty() && expected.element() - now <= 0) {
                    due.add(expected.remove());
                }
                List<Long> seen = new ArrayList<>();
                for (Long one = timers.poll(now); one != null; one = timers.poll(now)) {
                    seen.add(one);
                }
                assertThat(seen).as("seed %d", SEED + round).isEqualTo(due);
                assertThat(timers.isEmpty()).isEqualTo(expected.isEmpty());
                if (!timers.isEmpty()) {
                    assertThat(timers.nextNanos()).isEqualTo(expected.element());
                }
            }
        }
    }
}
