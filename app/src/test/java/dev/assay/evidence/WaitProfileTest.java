package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.pg.WaitEvent;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WaitProfileTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static ActivityRow session(String state, @Nullable WaitEvent wait) {
        return new ActivityRow(1, "app", "shop", "web", state, wait, null, null, null);
    }

    private static ActivityRow waits(String event) {
        return session("active", WaitEvent.parse(event));
    }

    private static Sample<ActivityRow> look(ActivityRow... rows) {
        return new Sample<>(START, Arrays.asList(rows));
    }

    /** Four looks saw 3, 2, 0 and 1 active sessions: 6 in all, 3 of them in the lock manager, 2 on CPU, 1 in a write. */
    @Test
    void sharesAndAverageSessionsAreThoseOfACountByHand() {
        WaitProfile profile = WaitProfile.of(List.of(
                look(waits("LWLock:LockManager"), waits("LWLock:LockManager"), session("active", null)),
                look(waits("LWLock:LockManager"), waits("IO:WALWrite")),
                look(),
                look(session("fastpath function call", null))));
        assertThat(profile.samples()).isEqualTo(4);
        assertThat(profile.sessionSamples()).isEqualTo(6);
        assertThat(profile.aas()).isEqualTo(1.5);
        assertThat(profile.aas(WaitEvent.LOCK_MANAGER)).isEqualTo(0.75);
        assertThat(profile.share(WaitEvent.LOCK_MANAGER)).isEqualTo(0.5);
        assertThat(profile.share(WaitEvent.CPU)).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(profile.slices())
                .extracting(slice -> slice.waitEvent() + " " + slice.sessionSamples())
                .containsExactly("LWLock:LockManager 3", "CPU 2", "IO:WALWrite 1");
    }

    @Test
    void sessionsThatDoNotWorkAreNotCounted() {
        WaitEvent read = WaitEvent.parse("Client:ClientRead");
        WaitProfile profile = WaitProfile.of(List.of(look(
                session("idle", read),
                session("idle in transaction", read),
                session("idle in transaction (aborted)", read),
                session("disabled", null),
                session("unknown", null))));
        assertThat(profile.samples()).isEqualTo(1);
        assertThat(profile.sessionSamples()).isZero();
        assertThat(profile.slices()).isEmpty();
        assertThat(profile.aas()).isZero();
        assertThat(profile.share(WaitEvent.CPU)).isZero();
    }

    @Test
    void aVersionsSpellingDoesNotMatterAndTheTypeDoes() {
        WaitProfile profile = WaitProfile.of(
                List.of(look(waits("IO:WALWrite"), waits("LWLock:WALWrite"), waits("LWLock:lock_manager"))));
        assertThat(profile.aas(WaitEvent.parse("IO:WalWrite"))).isEqualTo(1);
        assertThat(profile.share(WaitEvent.parse("LWLock:WALWrite"))).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(profile.aas(WaitEvent.LOCK_MANAGER)).isEqualTo(1);
        assertThat(profile.aas(WaitEvent.parse("IO:DataFileRead"))).isZero();
    }

    @Test
    void withoutALookThereIsNothing() {
        WaitProfile profile = WaitProfile.of(List.of());
        assertThat(profile.aas()).isZero();
        assertThat(profile.aas(WaitEvent.CPU)).isZero();
        assertThat(profile.slices()).isEmpty();
    }
}
