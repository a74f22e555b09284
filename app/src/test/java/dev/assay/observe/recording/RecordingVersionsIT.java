package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.observe.SampleSink;
import dev.assay.observe.Sampler;
import dev.assay.observe.SamplerPlan;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.sys.Clock;
import dev.assay.target.TargetSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same sessions recorded on 14 and on 18 can be asked the same. With {@code -Dgolden.update=true} the two recordings become those of
 * {@link RecordingGoldenTest}.
 */
final class RecordingVersionsIT {

    private static final Path GOLDEN =
            Path.of("src", "test", "resources", "dev", "assay", "observe", "recording", "golden");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path temporary;

    @Test
    void recordings_of_14_and_18_read_alike() throws Exception {
        Path old = record("14");
        Path young = record("18");
        assertThat(shape(old)).isEqualTo(shape(young)).hasSizeGreaterThan(25);
        for (Path recording : List.of(old, young)) {
            assertThat(RecordingGoldenTest.rows(recording, RecordingGoldenTest.SLEEPER))
                    .containsExactly(RecordingGoldenTest.SLEEPER_SEEN);
            assertThat(RecordingGoldenTest.rows(recording, RecordingGoldenTest.LOCKS))
                    .containsExactlyElementsOf(RecordingGoldenTest.LOCKS_SEEN);
            assertThat(RecordingGoldenTest.rows(recording, RecordingGoldenTest.WAITER))
                    .containsExactly(RecordingGoldenTest.WAITER_SEEN);
            assertThat(RecordingGoldenTest.rows(recording, "select name from slru order by name limit 1"))
                    .isEqualTo(RecordingGoldenTest.rows(young, "select name from slru order by name limit 1"));
        }
    }

    private Path record(String version) throws Exception {
        EmbeddedServer server = TestServers.shared(version);
        Path folder = temporary.resolve("of-" + version);
        try (TestDatabase database = TestDatabase.on(
                        server, "create table orders (id int primary key, n int)", "insert into orders values (1, 0)");
                Connection sleeper = database.connect("sleeper");
                Connection holder = database.connect("holder");
                Connection waiter = database.connect("waiter");
                Connection end = database.connect("end")) {
            TestDatabase.run(holder, "begin");
            TestDatabase.run(holder, "update orders set n = 1 where id = 1");
            CompletableFuture<Void> sleeps = TestDatabase.runAside(sleeper, "select pg_sleep(600)");
            CompletableFuture<Void> waits = TestDatabase.runAside(waiter, "update orders set n = 2 where id = 1");
            await().atMost(PATIENCE)
                    .until(() -> TestDatabase.one(
                                    end,
                                    "select count(*) from pg_stat_activity where datname = '" + database.name()
                                            + "' and wait_event in ('PgSleep', 'transactionid')")
                            .equals("2"));
            look(folder, database, server);
            TestDatabase.run(
                    end,
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('sleeper', 'waiter')"
                            + " and datname = '" + database.name() + "'");
            sleeps.join();
            waits.join();
            assertSettings(folder, end);
        }
        if (Boolean.getBoolean("golden.update")) {
            Path golden = GOLDEN.resolve("of-" + version);
            Files.createDirectories(golden.getParent());
            RecordingTest.copy(folder, golden);
            Files.delete(golden.resolve(RecordingFolder.LOCK));
        }
        return folder;
    }

    private static void look(Path folder, TestDatabase database, EmbeddedServer server) {
        RecordingHeader header;
        try (TargetSession session = database.target()) {
            header = new RecordingHeader(session.server(), "db.example:5432", server.user(), null, 2, List.of());
        }
        RecordingWriter writer = RecordingWriter.open(
                folder, header, Samplings.run(Instant.now()), RecordingLimits.DEFAULT, Clock.system());
        List<Probe<?>> probes = new ArrayList<>(Probes.all());
        probes.add(writer.catalogProbe());
        try (writer;
                Sampler sampler = Sampler.start(
                        new SamplerPlan(database.address(server.user()), probes, false), withoutPaths(writer))) {
            // the names of the locked relations come in the second look of the catalog
            await().atMost(PATIENCE).until(() -> {
                try (Recording recording = Recording.open(folder)) {
                    return writer.samples() > 60
                            && recording.catalog().relations().values().stream()
                                    .anyMatch(relation -> relation.name().name().equals("orders_pkey"));
                }
            });
        }
    }

    /** Settings that name folders of this machine have no place in a file that is kept. */
    private static SampleSink withoutPaths(RecordingWriter writer) {
        return new SampleSink() {
            @Override
            public <R extends Row> void add(Class<R> row, Sample<R> sample) {
                writer.add(
                        row,
                        new Sample<>(
                                sample.at(),
                                sample.rows().stream()
                                        .filter(one -> !(one instanceof SettingRow setting)
                                                || !setting.value().contains("/"))
                                        .toList()));
            }
        };
    }

    /** Settings as a session of its own sees them. */
    private static void assertSettings(Path folder, Connection session) throws Exception {
        Map<String, String> seen = new LinkedHashMap<>();
        TestDatabase.rows(
                        session,
                        "select name, setting from pg_settings where name like 'wal_%' or name = 'max_connections'")
                .forEach(row -> seen.put(row.get(0), row.get(1)));
        Map<String, String> recorded = new LinkedHashMap<>();
        try (Recording recording = Recording.open(folder)) {
            for (SettingRow row : recording
                    .samples(SettingRow.class, recording.from(), recording.to())
                    .get(0)
                    .rows()) {
                recorded.put(row.name(), row.value());
            }
        }
        assertThat(recorded).containsAllEntriesOf(seen);
        assertThat(seen).hasSizeGreaterThan(5);
    }

    /** Tables with their columns and types. */
    private static Map<String, List<List<Object>>> shape(Path recording) {
        Map<String, List<List<Object>>> shape = new LinkedHashMap<>();
        for (String table : RecordingTables.all().keySet()) {
            shape.put(table, RecordingGoldenTest.rows(recording, "describe " + table));
        }
        return shape;
    }
}
