package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.IndexRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.TableRow;
import dev.assay.lab.RecorderProcess;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.recording.Recording;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hundred thousand relations: half tables, half indexes. Takes some minutes, most of them to create these. */
@Timeout(900)
class ManyRelationsSoak {

    private static final int TABLES = Integer.getInteger("soak.tables", 50_000);

    @TempDir
    private Path folder;

    @Test
    void theyAreReadInOneSweepThatHoldsUpNobodyElse() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("18");
                TestDatabase database = TestDatabase.on(
                        server,
                        "create procedure many(count int) language plpgsql as $$ begin for i in 1..count loop"
                                + " execute format('create table t_%s (i int primary key)', i);"
                                + " if i % 500 = 0 then commit; end if; end loop; end $$");
                Connection view = database.connect("view")) {
            TestDatabase.run(view, "call many(" + TABLES + ")");
            TestDatabase.run(view, "vacuum pg_catalog.pg_class");
            Witness witness = new Witness();
            List<Probe<?>> probes = Probes.all().stream()
                    .<Probe<?>>map(probe ->
                            probe.row().equals(TableRow.class) || probe.row().equals(IndexRow.class)
                                    ? probe.at(probe.pace().at(Duration.ofSeconds(10)))
                                    : probe)
                    .toList();
            try (Sampler sampler =
                    Sampler.start(new SamplerPlan(database.address("postgres"), probes, false), witness)) {
                await().atMost(Duration.ofMinutes(5))
                        .until(() -> witness.samples(TableRow.class) >= 1 && witness.samples(IndexRow.class) >= 1);
                assertThat(witness.seen().samples(TableRow.class).get(0).rows()).hasSizeGreaterThanOrEqualTo(TABLES);
                assertThat(witness.seen().samples(IndexRow.class).get(0).rows()).hasSizeGreaterThanOrEqualTo(TABLES);
                witness.looks(LookRow.Outcome.OK).stream()
                        .filter(look -> look.rows() >= TABLES)
                        .forEach(look -> System.out.println(look));
                assertThat(witness.looks(LookRow.Outcome.MISSED)).isEmpty();
                assertThat(longestGap(witness))
                        .as("activity goes on while the sweep lasts")
                        .isLessThan(Duration.ofSeconds(4));
                System.out.println("used by the JVM: "
                        + ((Runtime.getRuntime().totalMemory()
                                        - Runtime.getRuntime().freeMemory())
                                >> 20) + " MiB; "
                        + sampler.cost());
            }
            aRecorderWithItsOptionsTakesThem(server, database.name());
        }
    }

    private void aRecorderWithItsOptionsTakesThem(EmbeddedServer server, String database) throws Exception {
        Path into = folder.resolve("recording");
        long most = 0;
        try (RecorderProcess recorder =
                RecorderProcess.record(server, server.user(), database, into, folder.resolve("log"))) {
            long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (recorder.isAlive() && System.nanoTime() < until) {
                most = Math.max(most, recorder.residentBytes());
                Thread.sleep(200); // how much it holds is what is measured
            }
            assertThat(recorder.isAlive()).as(recorder.said()).isTrue();
        }
        try (Recording recording = Recording.open(into)) {
            assertThat(recording
                            .samples(TableRow.class, Instant.EPOCH, Instant.MAX)
                            .get(0)
                            .rows())
                    .hasSizeGreaterThanOrEqualTo(TABLES);
            assertThat(recording
                            .samples(IndexRow.class, Instant.EPOCH, Instant.MAX)
                            .get(0)
                            .rows())
                    .hasSizeGreaterThanOrEqualTo(TABLES);
            assertThat(recording.samples(RelationLocksRow.class, Instant.EPOCH, Instant.MAX))
                    .hasSizeGreaterThan(10);
        }
        System.out.println("a recorder in a process of its own: " + (most >> 20) + " MiB");
        assertThat(most).isLessThan(256L << 20);
    }

    private static Duration longestGap(Witness witness) {
        Duration longest = Duration.ZERO;
        Instant before = null;
        for (var sample : witness.seen().samples(ActivityRow.class)) {
            Duration gap = before == null ? Duration.ZERO : Duration.between(before, sample.at());
            longest = gap.compareTo(longest) > 0 ? gap : longest;
            before = sample.at();
        }
        return longest;
    }
}
