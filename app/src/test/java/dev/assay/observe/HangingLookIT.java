package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.observe.probe.Probes;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.Signals;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A read of {@code pg_locks} takes the lightweight lock of every partition of the lock table, and waits for as long as a deadlock check among
 * many waiters holds them; nothing on the server ends such a wait. Here its process is stopped in the middle of it, to have it for as long as
 * the test needs.
 */
@Timeout(180)
class HangingLookIT {

    private static final String OURS = "from pg_stat_get_activity(null) where application_name = 'assay'";

    /** Which process looks at locks, once it has. */
    private static String looksAtLocks(Connection view) {
        AtomicReference<String> found = new AtomicReference<>();
        await().atMost(Witness.PATIENCE).until(() -> {
            List<List<String>> pids = TestDatabase.rows(
                    view, "select pid " + OURS + " and query like '%pg_locks%' and pid <> pg_backend_pid()");
            pids.stream().findFirst().ifPresent(row -> found.set(row.get(0)));
            return found.get() != null;
        });
        return found.get();
    }

    @Test
    void aLookAtLocksThatHangsHidesNoSessionAndIsNotDoubled() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16");
                TestDatabase database = TestDatabase.on(server, "create role watcher login in role pg_monitor");
                Connection view = database.connect("view")) {
            Witness witness = new Witness();
            SamplerPlan plan = new SamplerPlan(database.address("watcher"), Probes.all(), false);
            try (Sampler sampler = Sampler.start(plan, witness)) {
                witness.untilMore(RelationLocksRow.class, 2);
                String pid = looksAtLocks(view);
                Signals.send("STOP", List.of(pid));
                try {
                    int locks = witness.samples(RelationLocksRow.class);
                    witness.untilMore(ActivityRow.class, 5);
                    assertThat(witness.samples(RelationLocksRow.class)).isLessThanOrEqualTo(locks + 1);
                    witness.untilEvents(ObserverRow.Kind.LOST, 1);
                    assertThat(witness.looks(LookRow.Outcome.LOST)).hasSize(1);
                    // long after another session could have been opened there is none
                    witness.untilEvents(ObserverRow.Kind.REFUSED, 1);
                    assertThat(witness.events(ObserverRow.Kind.REFUSED).get(0).detail())
                            .startsWith("process " + pid + " of our last session");
                    assertThat(TestDatabase.one(view, "select count(*) " + OURS))
                            .isEqualTo("2");
                    witness.untilMore(ActivityRow.class, 3);
                } finally {
                    Signals.send("CONT", List.of(pid));
                }
                witness.untilEvents(ObserverRow.Kind.CONNECTED, 3);
                witness.untilMore(RelationLocksRow.class, 2);
                assertThat(TestDatabase.rows(view, "select pid " + OURS))
                        .hasSize(2)
                        .doesNotContain(List.of(pid));
                assertThat(sampler.lost()).isNull();
            }
        }
    }
}
