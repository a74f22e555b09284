package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.VacuumProgressRow;
import dev.assay.pg.Oid;
import dev.assay.target.TargetSession;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A real VACUUM that is made slow is compared with the view, read before and after the look. */
@Timeout(90)
class VacuumProgressProbeIT {

    static final List<String> VERSIONS = NamedSessions.VERSIONS;

    private static VacuumProgressRow of(TargetSession session, int pid) {
        return Looks.at(session, VacuumProgressProbe.PROBE).stream()
                .filter(row -> row.pid() == pid)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void aSlowVacuumIsWhatTheViewShows(String version) throws Exception {
        int major = Integer.parseInt(version);
        try (NamedSessions sessions = new NamedSessions(
                        version,
                        "create table t (id int primary key, filler text) with (autovacuum_enabled = off)",
                        "insert into t select i, repeat('x', 400) from generate_series(1, 10000) i",
                        "delete from t where id % 2 = 0");
                Roles roles = new Roles(sessions.database);
                TargetSession session = sessions.as("postgres");
                TargetSession monitor = sessions.as(roles.monitor);
                TargetSession plain = sessions.as(roles.plain)) {
            assertThat(Looks.at(session, VacuumProgressProbe.PROBE))
                    .noneMatch(row -> sessions.database.name().equals(row.database()));
            sessions.run("vacuum", "set vacuum_cost_delay = 20; set vacuum_cost_limit = 10");
            if (major >= 18) {
                sessions.run("vacuum", "set track_cost_delay_timing = on");
            }
            sessions.aside("vacuum", "vacuum t");
            String dead = major >= 17 ? "num_dead_item_ids" : "num_dead_tuples";
            int pid = sessions.pid("vacuum");
            String view = "select heap_blks_scanned, " + dead + ", phase, relid, heap_blks_total, heap_blks_vacuumed,"
                    + " index_vacuum_count, "
                    + (major >= 17
                            ? "max_dead_tuple_bytes, indexes_total, indexes_processed"
                            : "max_dead_tuples * 6, null, null")
                    + " from pg_stat_progress_vacuum where pid = " + pid;
            await().atMost(NamedSessions.PATIENCE)
                    .until(() -> sessions.rows(view).stream().anyMatch(row -> Integer.parseInt(row.get(1)) > 20));
            List<String> before = sessions.rows(view).get(0);
            VacuumProgressRow seen = of(session, pid);
            VacuumProgressRow monitored = of(monitor, pid);
            List<String> after = sessions.rows(view).get(0);

            assertThat(seen.heapBlocksScanned())
                    .isBetween(Long.valueOf(before.get(0)), Long.valueOf(after.get(0)))
                    .isPositive();
            assertThat(seen.deadItems()).isBetween(Long.valueOf(before.get(1)), Long.valueOf(after.get(1)));
            assertThat(seen.phase()).isEqualTo("scanning heap").isEqualTo(after.get(2));
            assertThat(seen.relation()).isEqualTo(new Oid(Long.parseLong(after.get(3))));
            assertThat(seen.speaksOf())
                    .containsExactly(new Oid(Long.parseLong(sessions.one("select 't'::regclass::oid"))));
            assertThat(seen.heapBlocks()).isEqualTo(Long.valueOf(after.get(4))).isGreaterThan(400);
            assertThat(seen.heapBlocksVacuumed()).isEqualTo(Long.valueOf(after.get(5)));
            assertThat(seen.indexPasses()).isEqualTo(Long.valueOf(after.get(6))).isZero();
            assertThat(seen.deadTupleBytesMax())
                    .isEqualTo(Long.valueOf(after.get(7)))
                    .isPositive();
            assertThat(ViewText.of(seen.indexes())).isEqualTo(after.get(8));
            assertThat(ViewText.of(seen.indexesProcessed())).isEqualTo(after.get(9));
            assertThat(seen.database()).isEqualTo(sessions.database.name());
            if (major >= 17) {
                assertThat(seen.deadTupleBytes()).isPositive();
            } else {
                assertThat(seen.deadTupleBytes()).isEqualTo(6 * seen.deadItems());
            }
            if (major >= 18) {
                assertThat(seen.delayMillis()).isGreaterThan(15);
                assertThat(seen.delayMillis())
                        .isLessThanOrEqualTo(Double.parseDouble(
                                sessions.one("select delay_time from pg_stat_progress_vacuum where pid = " + pid)));
            } else {
                assertThat(seen.delayMillis()).isNull();
            }
            assertThat(monitored.heapBlocksScanned()).isGreaterThanOrEqualTo(seen.heapBlocksScanned());
            assertThat(monitored.relation()).isEqualTo(seen.relation());
            // a plain role sees that there is one, no more
            VacuumProgressRow hidden = of(plain, pid);
            assertThat(hidden.database()).isEqualTo(sessions.database.name());
            assertThat(hidden.relation()).isNull();
            assertThat(hidden.phase()).isNull();
            assertThat(hidden.heapBlocks()).isNull();
            // a VACUUM shows a snapshot that holds nothing back
            assertThat(Looks.at(session, HorizonProbe.PROBE)).noneMatch(row -> row.pid() != null && row.pid() == pid);
        }
    }
}
