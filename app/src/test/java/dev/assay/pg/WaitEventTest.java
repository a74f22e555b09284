package dev.assay.pg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WaitEventTest {

    @Test
    void namesOfAllVersionsAreTheSameEvent() {
        assertThat(WaitEvent.parse("IO:WALSync").is(WaitEvent.parse("IO:WalSync")))
                .isTrue();
        assertThat(WaitEvent.parse("LWLock:lock_manager").is(WaitEvent.LOCK_MANAGER))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "IO:WALSync, IO:WalSync",
        "IPC:ProcArrayGroupUpdate, IPC:ProcarrayGroupUpdate",
        "IO:SLRURead, IO:SlruRead",
        "LWLock:SubtransControlLock, LWLock:SubtransSLRU",
        "LWLock:CLogControlLock, LWLock:XactSLRU",
        "LWLock:subtrans, LWLock:SubtransBuffer",
        "LWLock:ProcArrayLock, LWLock:ProcArray",
        "LWLock:WALWriteLock, LWLock:WALWrite",
        "LWLockNamed:WALWriteLock, LWLock:WALWrite",
        "LWLockTranche:lock_manager, LWLock:LockManager",
        "LWLock:BufferIO, IPC:BufferIo",
        "IPC:HashGrowBatchesAllocate, IPC:HashGrowBatchesReallocate",
        "Lock:speculative token, Lock:spectoken"
    })
    void anOldNameIsUnifiedAndKept(String old, String unified) {
        WaitEvent event = WaitEvent.parse(old);
        assertThat(event.unified()).hasToString(unified);
        assertThat(event.is(WaitEvent.parse(unified))).isTrue();
        assertThat(WaitEvent.parse(unified).is(event)).isTrue();
        assertThat(event).hasToString(old);
        assertThat(event.unified().unified()).isEqualTo(event.unified());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CPU",
                "LWLock:WALWrite",
                "Activity:PgStatMain",
                "Extension:MyExtensionWaits",
                "LWLock:my_tranche"
            })
    void whatHasNoOtherNameStandsForItself(String text) {
        WaitEvent event = WaitEvent.parse(text);
        assertThat(event.unified()).isEqualTo(event);
        assertThat(event.is(event)).isTrue();
        assertThat(event.is(WaitEvent.LOCK_MANAGER)).isFalse();
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
