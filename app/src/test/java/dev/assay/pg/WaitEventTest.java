package dev.assay.pg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class WaitEventTest {

    @Test
    void namesOfAllVersionsAreTheSameEvent() {
        assertThat(WaitEvent.parse("IO:WALSync").is(WaitEvent.parse("IO:WalSync")))
                .isTrue();
        assertThat(WaitEvent.parse("LWLock:lock_manager").is(WaitEvent.LOCK_MANAGER))
                .isTrue();
    }

    @Test
    void theTypeIsPartOfTheName() {
        assertThat(WaitEvent.parse("LWLock:WALWrite").is(WaitEvent.parse("IO:WALWrite")))
                .isFalse();
    }

    @Test
    void printedAndReadBack() {
        assertThat(WaitEvent.parse(WaitEvent.CPU.toString())).isEqualTo(WaitEvent.CPU);
        assertThat(WaitEvent.parse(WaitEvent.LOCK_MANAGER.toString())).isEqualTo(WaitEvent.LOCK_MANAGER);
        assertThatThrownBy(() -> WaitEvent.parse("LockManager")).hasMessageContaining("Type:Name");
    }
}
