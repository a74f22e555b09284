package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.Unavailable;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ObservationTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static ActivityRow session(int pid, String state) {
        return new ActivityRow(pid, "app", "shop", "web", state, null, null, null, null);
    }

    private static Sample<ActivityRow> activity(int second, ActivityRow... rows) {
        return new Sample<>(START.plusSeconds(second), List.of(rows));
    }

    private static Observation observation(Map<Class<? extends Row>, List<Sample<? extends Row>>> samples) {
        SelfCost cost = new SelfCost(Duration.ofSeconds(10), Duration.ZERO, Duration.ZERO, 0, 0);
        return new Observation(
                START, START.plusSeconds(10), samples, List.of(new Unavailable("settings", "refused")), cost);
    }

    @Test
    void aWindowHoldsWhatWasCompleteInItAndTheSlowLooks() {
        Sample<SettingRow> settings = new Sample<>(START, List.of(new SettingRow("jit", "on", "default")));
        Observation window = observation(Map.of(
                        ActivityRow.class,
                        List.of(activity(2), activity(3), activity(5), activity(6)),
                        SettingRow.class,
                        List.of(settings)))
                .within(START.plusSeconds(2), START.plusSeconds(5));
        assertThat(window.samples(ActivityRow.class)).containsExactly(activity(3), activity(5));
        assertThat(window.samples(SettingRow.class)).containsExactly(settings);
        assertThat(window.from()).isEqualTo(START.plusSeconds(2));
        assertThat(window.to()).isEqualTo(START.plusSeconds(5));
        assertThat(window.unavailable()).hasSize(1);
    }

    @Test
    void relationsAreThoseOfTheLocks() {
        RelationLocksRow.Lock one = new RelationLocksRow.Lock(new Oid(20001), LockMode.ACCESS_SHARE, true, true);
        RelationLocksRow.Lock two = new RelationLocksRow.Lock(new Oid(20002), LockMode.ROW_SHARE, false, false);
        Sample<RelationLocksRow> look =
                new Sample<>(START, List.of(new RelationLocksRow(1, null, List.of(one, two, one))));
        assertThat(observation(Map.of(RelationLocksRow.class, List.of(look))).relations())
                .containsExactly(new Oid(20001), new Oid(20002));
    }

    @Test
    void sessionsThatTheRoleMayNotSeeAreTold() {
        Evidence.Builder evidence = Evidence.of(new ServerFacts(ServerVersion.parse("16.14"), "PostgreSQL", "shop"));
        observation(Map.of(
                        ActivityRow.class,
                        List.of(
                                activity(1, session(7, "unknown"), session(8, "active")),
                                activity(2, session(7, "unknown")))))
                .addTo(evidence);
        assertThat(evidence.between(START, START).unavailable())
                .containsExactly(
                        new Unavailable("settings", "refused"),
                        new Unavailable(
                                "state, wait and statement of 1 sessions of other roles",
                                "the role may not see them; grant it pg_monitor"));
    }

    @Test
    void sessionsThatAreSeenWhollyNeedNoWord() {
        Evidence.Builder evidence = Evidence.of(new ServerFacts(ServerVersion.parse("16.14"), "PostgreSQL", "shop"));
        observation(Map.of(ActivityRow.class, List.of(activity(1, session(8, "active")))))
                .addTo(evidence);
        assertThat(evidence.between(START, START).unavailable()).hasSize(1);
    }
}
