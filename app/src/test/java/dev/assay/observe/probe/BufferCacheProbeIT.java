package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.BufferCacheRow;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerSettings;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.nio.file.Files;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The summary of shared buffers, where the extension is there and the role may call it, and told plainly where not. */
@Timeout(60)
class BufferCacheProbeIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int BUFFERS = 512;
    private static final String MONITOR = "cache_monitor";
    private static final String PLAIN = "cache_plain";

    @ParameterizedTest
    @ValueSource(strings = {"16", "17", "18"})
    void theSummaryIsWhatTheExtensionTells(String version) throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(
                        ServerSettings.of(version).withoutFsync().with("shared_buffers", "4MB"));
                TestDatabase database = TestDatabase.on(
                        server,
                        "create role " + MONITOR + " login in role pg_monitor",
                        "create role " + PLAIN + " login",
                        "create table t as select i from generate_series(1, 20000) i")) {
            refusedOnlyInWords(server, database, MONITOR, "is not created in database " + database.name());
            try (Connection view = database.connect("view")) {
                TestDatabase.run(view, "create extension pg_buffercache version '1.3'");
                refusedOnlyInWords(server, database, MONITOR, "is older than 1.4");
                TestDatabase.run(view, "drop extension pg_buffercache");
                TestDatabase.run(view, "create schema \"Odd Schema\"");
                TestDatabase.run(view, "create extension pg_buffercache with schema \"Odd Schema\"");
            }
            refusedOnlyInWords(server, database, MONITOR, "usage of the schema");
            refusedOnlyInWords(server, database, PLAIN, "it needs pg_monitor");
            try (Connection view = database.connect("view")) {
                TestDatabase.run(view, "grant usage on schema \"Odd Schema\" to public");
                refusedOnlyInWords(
                        server,
                        database,
                        PLAIN,
                        "the role " + PLAIN + " may not call \"Odd Schema\".pg_buffercache_summary()");
                TestDatabase.run(view, "checkpoint");
                for (String role : List.of("postgres", MONITOR)) {
                    compare(view, database, role);
                }
            }
        }
    }

    private static void compare(Connection view, TestDatabase database, String role) throws Exception {
        try (TargetSession session = TargetSession.open(database.address(role))) {
            Looks.at(session, BufferCacheProbe.PROBE); // reads the catalogs into the cache
            BufferCacheRow row = Looks.at(session, BufferCacheProbe.PROBE).get(0);
            List<String> shown = TestDatabase.rows(
                            view,
                            "select buffers_used, buffers_unused, buffers_dirty, buffers_pinned, usagecount_avg"
                                    + " from \"Odd Schema\".pg_buffercache_summary()")
                    .get(0);
            assertThat(row.used() + row.unused()).isEqualTo(BUFFERS);
            assertThat((double) row.used()).isBetween(100.0, Double.parseDouble(shown.get(0)));
            assertThat((double) row.unused()).isGreaterThanOrEqualTo(Double.parseDouble(shown.get(1)));
            assertThat((double) row.dirty())
                    .isBetween(Double.parseDouble(shown.get(2)) - 20, Double.parseDouble(shown.get(2)) + 20);
            // another process may hold one for a moment, the look itself does not
            await().atMost(PATIENCE)
                    .until(() ->
                            Looks.at(session, BufferCacheProbe.PROBE).get(0).pinned() == 0);
            assertThat(row.usageCountAverage())
                    .isBetween(Double.parseDouble(shown.get(4)) - 0.5, Double.parseDouble(shown.get(4)) + 0.5)
                    .isPositive();
        }
    }

    /** The probe is refused, with this in its reason, and the server has logged no error. */
    private static void refusedOnlyInWords(EmbeddedServer server, TestDatabase database, String role, String why)
            throws Exception {
        try (TargetSession session = TargetSession.open(database.address(role))) {
            assertThatThrownBy(() -> Looks.at(session, BufferCacheProbe.PROBE))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("buffercache")
                    .hasMessageContaining(why);
        }
        assertThat(Files.readString(server.log())).doesNotContain("ERROR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "15"})
    void olderServersHaveNoSummary(String version) throws Exception {
        assertThat(((SqlProbe<BufferCacheRow>) BufferCacheProbe.PROBE)
                        .sql(TestServers.shared(version).version()))
                .isEmpty();
    }
}
