package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.RelationLocksRow.Lock;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LockFootprintTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static Lock lock(long relation, LockMode mode, boolean granted, boolean fastPath) {
        return new Lock(new Oid(20000 + relation), mode, granted, fastPath);
    }

    private static Lock fast(long relation) {
        return lock(relation, LockMode.ACCESS_SHARE, true, true);
    }

    private static Lock slow(long relation) {
        return lock(relation, LockMode.ACCESS_SHARE, true, false);
    }

    private static RelationLocksRow backend(int pid, @Nullable String query, Lock... locks) {
        return new RelationLocksRow(pid, query == null ? null : StatementId.of(null, query), List.of(locks));
    }

    private static Sample<RelationLocksRow> look(RelationLocksRow... rows) {
        return new Sample<>(START, Arrays.asList(rows));
    }

    @Test
    void theFullestSightingSpeaksForTheStatement() {
        LockFootprint footprint = LockFootprint.of(List.of(
                        look(
                                backend(1, "select 1", fast(1)),
                                backend(2, "select 2", fast(1), fast(2), slow(3), slow(4))),
                        look(backend(1, "select 3", fast(1), fast(2), slow(3)))))
                .get(0);
        assertThat(footprint.statement().text()).isEqualTo("select ?");
        assertThat(footprint.backendSamples()).isEqualTo(3);
        assertThat(footprint.slowBackendSamples()).isEqualTo(2);
        assertThat(List.of(footprint.total(), footprint.fastPathCount(), footprint.slowCount()))
                .containsExactly(4, 2, 2);
    }

    @Test
    void locksThatAreOnlyWaitedForAreLeftOut() {
        LockFootprint footprint = LockFootprint.of(List.of(look(backend(
                        1,
                        "alter table t add c int",
                        fast(1),
                        lock(2, LockMode.ACCESS_EXCLUSIVE, false, false),
                        lock(3, LockMode.ACCESS_SHARE, false, false)))))
                .get(0);
        assertThat(footprint.locks()).containsExactly(fast(1));
        assertThat(footprint.slowBackendSamples()).isZero();
    }

    @Test
    void aStrongLockIsSlowByNatureAndAWeakOneIsNot() {
        LockFootprint footprint = LockFootprint.of(List.of(look(backend(
                        1,
                        "lock table t",
                        fast(1),
                        slow(2),
                        lock(3, LockMode.ACCESS_EXCLUSIVE, true, false),
                        lock(4, LockMode.SHARE_UPDATE_EXCLUSIVE, true, false)))))
                .get(0);
        assertThat(footprint.slowCount()).isEqualTo(3);
        assertThat(footprint.eligibleSlowCount()).isEqualTo(1);
    }

    @Test
    void eachStatementHasItsOwnTheOneSeenMostOftenFirst() {
        List<LockFootprint> footprints = LockFootprint.of(List.of(
                look(backend(1, "select a from t", fast(1)), backend(2, "select b from t", fast(2), fast(3))),
                look(backend(2, "select b from t", fast(2)), backend(3, null, fast(4)))));
        assertThat(footprints)
                .extracting(footprint -> footprint.statement().text() + " " + footprint.backendSamples())
                .containsExactly("select b from t 2", "select a from t 1");
    }

    /** Planning is caught at any point, and so differs from look to look; what several looks agree on is all there is. */
    @Test
    void onlyTheMostThatSeveralLooksAgreeOnIsWhole() {
        Sample<RelationLocksRow> most = look(backend(1, "select 1", fast(1), fast(2), slow(3)));
        Sample<RelationLocksRow> fewer = look(backend(1, "select 1", fast(1), fast(2)));
        Sample<RelationLocksRow> more = look(backend(1, "select 1", fast(1), fast(2), slow(3), slow(4)));
        assertThat(only(most, fewer, most, fewer, fewer).whole()).isFalse();
        assertThat(only(most, fewer, most, most).whole()).isTrue();
        assertThat(only(most, most, most, more).whole()).isFalse();
        assertThat(only(most, most, more, most, more, more).whole()).isTrue();
    }

    /** Many that want the lightweight lock of one partition of the lock table stand at the same point for a moment. */
    @Test
    void manyBackendsInOneLookDoNotMakeItWhole() {
        Sample<RelationLocksRow> convoy = look(
                backend(1, "select 1", fast(1), fast(2)),
                backend(2, "select 1", fast(1), fast(2)),
                backend(3, "select 1", fast(1), fast(2)));
        assertThat(only(convoy, convoy).whole()).isFalse();
        assertThat(only(convoy, convoy, convoy).whole()).isTrue();
    }

    /** A queue behind a strong lock stands still half-way, and every look agrees on it. */
    @Test
    void aSightingThatWaitsForALockIsNotWhole() {
        Sample<RelationLocksRow> queue = look(
                backend(1, "select 1", fast(1), lock(2, LockMode.ACCESS_SHARE, false, false)),
                backend(2, "select 1", fast(1), lock(2, LockMode.ACCESS_SHARE, false, false)),
                backend(3, "select 1", fast(1), lock(2, LockMode.ACCESS_SHARE, false, false)));
        assertThat(only(queue, queue, queue).whole()).isFalse();
    }

    @SafeVarargs
    private static LockFootprint only(Sample<RelationLocksRow>... looks) {
        return LockFootprint.of(List.of(looks)).get(0);
    }
}
