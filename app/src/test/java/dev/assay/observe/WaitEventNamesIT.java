package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.pg.WaitEvent;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of every version come out in the spelling that a real server of 18 has in {@code pg_wait_events}. */
@Timeout(60)
class WaitEventNamesIT {

    /** What 14 to 16 can show and 17 and later have no more, or under another name. */
    private static final Set<String> GONE = Set.of(
            "LogicalChangesRead",
            "LogicalChangesWrite",
            "LogicalSubxactRead",
            "LogicalSubxactWrite",
            "OldSnapshotTimeMap",
            "PgStatMain",
            "RelationMapSync");

    private static final Set<String> RENAMED = Set.of("HashGrowBatchesAllocate", "HashGrowBucketsAllocate");

    private static Set<WaitEvent> ofServer(String version) throws Exception {
        Set<WaitEvent> events = new HashSet<>();
        try (TestDatabase database = TestDatabase.on(TestServers.shared(version));
                Connection view = database.connect("view")) {
            TestDatabase.rows(view, "select type, name from pg_wait_events")
                    .forEach(row -> events.add(new WaitEvent(row.get(0), row.get(1))));
        }
        assertThat(events).hasSizeGreaterThan(250);
        return events;
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "18"})
    void theNamesOf17And18StandForThemselves(String version) throws Exception {
        Set<WaitEvent> newest = ofServer("18");
        assertThat(ofServer(version)).allSatisfy(event -> {
            assertThat(event.unified()).isEqualTo(event).isIn(newest);
            assertThat(new WaitEvent(event.type(), event.name().toLowerCase(Locale.ROOT)).unified())
                    .as("known to the table, not only left alone")
                    .isEqualTo(event);
        });
    }

    /** The names are the strings of the server's binary at the place where the functions that print wait events have theirs. */
    @ParameterizedTest
    @ValueSource(strings = {"14", "15", "16"})
    void everyNameOfAnOlderServerIsOneOf18(String version) throws Exception {
        Map<String, Set<WaitEvent>> newest = new HashMap<>();
        for (WaitEvent event : ofServer("18")) {
            newest.computeIfAbsent(event.name().toLowerCase(Locale.ROOT), name -> new HashSet<>())
                    .add(event);
        }
        Set<String> without = new TreeSet<>();
        for (String name : names(version)) {
            Set<WaitEvent> same = newest.getOrDefault(name.toLowerCase(Locale.ROOT), Set.of());
            if (same.isEmpty()) {
                without.add(name);
            }
            for (WaitEvent event : same) {
                assertThat(new WaitEvent(event.type(), name).unified()).isEqualTo(event);
            }
        }
        assertThat(without)
                .allSatisfy(name -> assertThat(GONE.contains(name) || RENAMED.contains(name))
                        .as(name)
                        .isTrue());
        for (String name : without) {
            WaitEvent shown = new WaitEvent("IPC", name);
            assertThat(shown.unified().equals(shown)).isEqualTo(GONE.contains(name));
            assertThat(RENAMED.contains(name) ? ofServer("18").contains(shown.unified()) : GONE.contains(name))
                    .isTrue();
        }
    }

    private static List<String> names(String version) throws Exception {
        String file = "/dev/assay/pg/wait_names_" + version + ".txt";
        try (InputStream in = Objects.requireNonNull(WaitEventNamesIT.class.getResourceAsStream(file), file)) {
            List<String> names = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(names).hasSizeGreaterThan(200);
            return names;
        }
    }

    /** What the processes of a server at rest wait for is the same on every version. */
    @ParameterizedTest
    @ValueSource(strings = {"14", "15", "16", "17", "18"})
    void theProcessesOfARealServerWaitForTheSame(String version) throws Exception {
        Set<WaitEvent> newest = ofServer("18");
        try (TestDatabase database = TestDatabase.on(TestServers.shared(version));
                Connection view = database.connect("view")) {
            Map<String, String> waits = new HashMap<>();
            TestDatabase.rows(
                            view,
                            "select backend_type, wait_event_type, wait_event from pg_stat_activity"
                                    + " where wait_event is not null and wait_event_type = 'Activity'")
                    .forEach(row -> {
                        WaitEvent shown = new WaitEvent(row.get(1), row.get(2));
                        assertThat(shown.unified()).isIn(newest);
                        waits.put(row.get(0), shown.unified().toString());
                    });
            assertThat(waits)
                    .containsEntry("autovacuum launcher", "Activity:AutovacuumMain")
                    .containsEntry("checkpointer", "Activity:CheckpointerMain");
        }
    }
}
