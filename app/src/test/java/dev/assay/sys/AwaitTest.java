package dev.assay.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AwaitTest {

    @Test
    void asks_until_it_holds_and_at_least_once() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        assertThat(Await.until(Duration.ofSeconds(5), () -> asked.incrementAndGet() == 3))
                .isTrue();
        assertThat(asked).hasValue(3);
        assertThat(Await.until(Duration.ZERO, () -> true)).isTrue();
        assertThat(Await.until(Duration.ofMillis(5), () -> false)).isFalse();
    }

    @Test
    void an_interrupt_ends_the_one_and_is_kept_by_the_other() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Await.until(Duration.ofSeconds(5), () -> false))
                .isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        AtomicInteger asked = new AtomicInteger();
        assertThat(Await.untilDespiteInterrupts(Duration.ofSeconds(5), () -> asked.incrementAndGet() == 3))
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
