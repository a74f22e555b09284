package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.Row;
import dev.assay.pg.ServerVersion;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What holds for every probe of a recording, one that is added later included. */
@Timeout(120)
class EveryProbeIT {

    static final List<String> VERSIONS = ProbesIT.VERSIONS;

    private static final String MONITOR = "every_monitor";
    private static final String PLAIN = "every_plain";

    /** {@code lock_timeout} of a guarded session: a look that takes longer may have waited for a lock. */
    private static final double MILLIS_MAX = 100;

    private static final int TRIES = 5;

    private static List<SqlProbe<?>> asked() {
        List<SqlProbe<?>> asked = new ArrayList<>();
        for (Probe<?> probe : Probes.all()) {
            if (probe instanceof SqlProbe<?> sql) {
                asked.add(sql);
            }
        }
        return asked;
    }

    /** The quickest of some looks: one may be held up by a busy machine, all of them only by a lock. */
    private static double millisOf(TargetSession session, SqlProbe<?> probe) {
        double quickest = Double.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long start = System.nanoTime();
            List<? extends Row> rows = Looks.at(session, probe);
            quickest = Math.min(quickest, (System.nanoTime() - start) / 1e6);
            assertThat(rows).allSatisfy(row -> assertThat(row).isInstanceOf(probe.row()));
        }
        return quickest;
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void answersAMonitorInTimeAndWithoutAnError(String version) throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(
                        TestServers.settings(version).with("shared_preload_libraries", "pg_stat_statements"));
                TestDatabase database = TestDatabase.on(
                        server,
                        "create extension pg_stat_statements",
                        "create extension pg_buffercache",
                        "create role " + MONITOR + " login in role pg_monitor");
                TargetSession session = TargetSession.open(database.address(MONITOR))) {
            int answered = 0;
            for (SqlProbe<?> probe : asked()) {
                if (probe.sql(session.server().version()).isPresent()) {
                    assertThat(millisOf(session, probe)).as(probe.name()).isLessThan(MILLIS_MAX);
                    answered++;
                }
            }
            assertThat(answered).isGreaterThanOrEqualTo(20);
            assertThat(Files.readString(server.log())).doesNotContain("ERROR");
        }
    }

    /** A role without rights and a database without extensions: a probe may say that it is not available, the server logs no error. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void leavesNoErrorInTheLogOfAServerThatLacksAllItCouldUse(String version) throws Exception {
        try (EmbeddedServer server = TestServers.fresh(version);
                TestDatabase database = TestDatabase.on(server, "create role " + PLAIN + " login");
                TargetSession session = TargetSession.open(database.address(PLAIN))) {
            for (SqlProbe<?> probe : asked()) {
                if (probe.sql(session.server().version()).isPresent()) {
                    try {
                        assertThat(Looks.at(session, probe)).doesNotContainNull();
                    } catch (UnavailableException e) {
                        assertThat(e).as(probe.name()).hasMessageMatching("(?s).{20,}");
                    }
                }
            }
            assertThat(Files.readString(server.log())).doesNotContain("ERROR");
        }
    }

    @Test
    void hasANameAndARowOfItsOwnAndAQueryForTheNewestServer() {
        Set<String> names = new HashSet<>();
        Set<Class<?>> rows = new HashSet<>();
        for (Probe<?> probe : Probes.all()) {
            assertThat(names.add(probe.name())).as(probe.name()).isTrue();
            assertThat(rows.add(probe.row())).as(probe.name()).isTrue();
            assertThat(probe.name()).matches("[a-z]+( [a-z]+)*");
            assertThat(probe.row()).isRecord();
        }
        for (SqlProbe<?> probe : asked()) {
            assertThat(probe.sql(new ServerVersion(18, 0))).as(probe.name()).isPresent();
            for (int major = 10; major <= 30; major++) {
                ServerVersion version = new ServerVersion(major, 0);
                assertThat(probe.queries().stream()
                                .filter(query -> query.from() <= version.major() && version.major() <= query.to()))
                        .as("%s on %s", probe.name(), version)
                        .hasSizeLessThanOrEqualTo(1);
            }
        }
    }
}
