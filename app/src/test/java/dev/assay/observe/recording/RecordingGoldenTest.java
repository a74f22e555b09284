package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.observe.Observation;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recordings that were made of real servers when format 1 was new. What they hold is known by construction: {@code sleeper} is in pg_sleep,
 * {@code holder} has updated a row of {@code orders} and is idle in its transaction, {@code waiter} wants that row.
 */
final class RecordingGoldenTest {

    static final String SLEEPER =
            "select distinct state, wait_event, statement from activity where application = 'sleeper'";
    static final List<Object> SLEEPER_SEEN = List.of("active", "Timeout:PgSleep", "select pg_sleep(?)");
    static final String WAITER = "select distinct state, wait_event from activity where application = 'waiter'";
    static final List<Object> WAITER_SEEN = List.of("active", "Lock:transactionid");
    static final String LOCKS =
            "select distinct name, mode, granted from fast_path where name like 'orders%' order by 1";
    static final List<List<Object>> LOCKS_SEEN =
            List.of(List.of("orders", "RowExclusiveLock", true), List.of("orders_pkey", "RowExclusiveLock", true));

    static List<List<Object>> rows(Path folder, String sql) {
        List<List<Object>> rows = new ArrayList<>();
        try (Recording recording = Recording.open(folder)) {
            recording.query(sql, new QuerySink() {
                @Override
                public void columns(List<QueryColumn> columns) {}

                @Override
                public void row(List<Object> values) {
                    rows.add(values);
                }
            });
        }
        return rows;
    }

    private static Path golden(String version) throws Exception {
        URL header = RecordingGoldenTest.class.getResource("golden/of-" + version + "/recording.json");
        assertThat(header).isNotNull();
        return Path.of(header.toURI()).getParent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "18"})
    void an_old_recording_stays_readable(String version) throws Exception {
        Path folder = golden(version);
        assertThat(rows(folder, SLEEPER)).containsExactly(SLEEPER_SEEN);
        assertThat(rows(folder, WAITER)).containsExactly(WAITER_SEEN);
        assertThat(rows(folder, LOCKS)).containsExactlyElementsOf(LOCKS_SEEN);
        try (Recording recording = Recording.open(folder)) {
            assertThat(recording.server().version().major()).isEqualTo(Integer.parseInt(version));
            assertThat(recording.header().runs()).hasSize(1);
            Observation seen = recording.observation(recording.from(), recording.to());
            assertThat(seen.samples(ActivityRow.class))
                    .hasSizeGreaterThan(2)
                    .allSatisfy(sample -> assertThat(sample.rows())
                            .extracting(ActivityRow::application)
                            .contains("sleeper", "holder", "waiter"));
            assertThat(seen.samples(RelationLocksRow.class)).isNotEmpty();
            long looks = seen.samples(LookRow.class).stream()
                    .flatMap(sample -> sample.rows().stream())
                    .filter(look -> look.probe().equals("activity") && look.outcome() == LookRow.Outcome.OK)
                    .count();
            assertThat(looks).isEqualTo(seen.samples(ActivityRow.class).size());
            assertThat(recording.catalog().relations().values())
                    .extracting(relation -> relation.name().name())
                    .contains("orders", "orders_pkey");
        }
    }
}
