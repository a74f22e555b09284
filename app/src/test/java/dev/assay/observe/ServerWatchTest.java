package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.ObserverRow;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ServerWatchTest {

    private static final Instant NINE = Instant.parse("2026-01-01T09:00:00Z");

    private final ServerWatch watch = new ServerWatch();

    @Test
    void theSameServerIsNoNews() {
        assertThat(watch.said(NINE, true)).isEmpty();
        assertThat(watch.said(NINE, true)).isEmpty();
        assertThat(watch.changes()).isZero();
    }

    @Test
    void aLaterStartIsARestart() {
        watch.said(NINE, false);
        assertThat(watch.said(NINE.plusSeconds(60), false))
                .extracting(ObserverRow::kind)
                .containsExactly(ObserverRow.Kind.RESTARTED);
        assertThat(watch.said(NINE.plusSeconds(60), false)).isEmpty();
        assertThat(watch.changes()).isEqualTo(1);
    }

    @Test
    void aStandbyThatIsNoneAnyMoreWasPromoted() {
        watch.said(NINE, true);
        assertThat(watch.said(NINE, false)).extracting(ObserverRow::kind).containsExactly(ObserverRow.Kind.PROMOTED);
        assertThat(watch.said(NINE, true))
                .as("a primary does not become a standby without a restart")
                .isEmpty();
    }

    @Test
    void anOlderServerBehindTheAddressIsAnotherOne() {
        watch.said(NINE, false);
        assertThat(watch.said(NINE.minusSeconds(3600), false)).singleElement().satisfies(row -> {
            assertThat(row.kind()).isEqualTo(ObserverRow.Kind.RESTARTED);
            assertThat(row.detail()).startsWith("another server answers, started at 2026-01-01T08:00:00Z");
        });
    }
}
