package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of looks over one session leave its backend no larger than hundreds did. */
@Timeout(120)
class BackendMemoryIT {

    private static final int ROUNDS = 60;
    private static final long GROWTH_BYTES_MAX = 256 << 10;

    @ParameterizedTest
    @ValueSource(strings = {"14", "18"})
    void doesNotGrowWithLooks(String version) throws Exception {
        try (EmbeddedServer server = TestServers.fresh(version);
                TestDatabase database = TestDatabase.on(server, "create table t (i int primary key)");
                TargetSession session = database.target()) {
            ProbeContext context = new ProbeContext(session, false);
            List<Probe<?>> probes = new ArrayList<>();
            for (Probe<?> probe : Probes.all()) {
                if (answers(session, probe, context)) {
                    probes.add(probe);
                }
            }
            assertThat(probes).hasSizeGreaterThan(15);
            looks(session, probes, context);
            long before = bytes(session);
            long queriesBefore = session.queries();
            looks(session, probes, context);
            long after = bytes(session);
            System.out.printf(
                    "PostgreSQL %s: %d KiB after %d queries, %d KiB after %d%n",
                    version, before >> 10, queriesBefore, after >> 10, session.queries());
            assertThat(session.queries() - queriesBefore).isGreaterThan(1000);
            assertThat(after - before).isLessThan(GROWTH_BYTES_MAX);
            assertThat(session.query("select count(*) from pg_prepared_statements", row -> row.getInt(1))
                            .get(0))
                    .isBetween(1, 64);
        }
    }

    private static void looks(TargetSession session, List<Probe<?>> probes, ProbeContext context) {
        for (int round = 0; round < ROUNDS; round++) {
            for (Probe<?> probe : probes) {
                Looks.at(session, probe, context);
            }
        }
    }

    private static boolean answers(TargetSession session, Probe<?> probe, ProbeContext context) {
        if (((SqlProbe<?>) probe).sql(session.server().version()).isEmpty()) {
            return false;
        }
        try {
            Looks.at(session, probe, context);
            return true;
        } catch (TargetException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Of all memory contexts of the session's own backend. */
    private static long bytes(TargetSession session) {
        return session.query("select sum(total_bytes)::bigint from pg_backend_memory_contexts", row -> row.getLong(1))
                .get(0);
    }
}
