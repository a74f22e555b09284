package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.SessionCountRow;
import dev.assay.server.TestDatabase;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Sessions in known states are counted as the view shows them, idle ones too. */
@Timeout(60)
class SessionCountsProbeIT {

    static final List<String> VERSIONS = ProbesIT.VERSIONS;

    private static Map<String, Integer> counted(List<SessionCountRow> rows, String database) {
        Map<String, Integer> counts = new TreeMap<>();
        for (SessionCountRow row : rows) {
            boolean looking =
                    row.application().equals("assay") || row.application().equals("view");
            if (database.equals(row.database()) && !looking) {
                String kind = row.user() + "|" + row.application() + "|" + row.backendType() + "|" + row.state();
                assertThat(counts.put(kind, row.sessions()))
                        .as("%s twice", kind)
                        .isNull();
                assertThat(row.client()).as("%s", row).isTrue();
            }
        }
        return counts;
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void everySessionIsCountedOnce(String version) throws Exception {
        try (HeldSessions held = new HeldSessions(version);
                Connection first = held.database.connect("pool");
                Connection second = held.database.connect("pool");
                Connection third = held.database.connect("pool");
                TargetSession all = held.database.target();
                TargetSession monitor = TargetSession.open(held.database.address(HeldSessions.MONITOR));
                TargetSession plain = TargetSession.open(held.database.address(HeldSessions.PLAIN))) {
            TestDatabase.run(first, "begin");
            TestDatabase.run(second, "select 1");
            TestDatabase.run(third, "select 1");
            Map<String, Integer> shown = new TreeMap<>();
            TestDatabase.rows(
                            held.view,
                            "select usename || '|' || application_name || '|' || backend_type || '|' || state, count(*)"
                                    + " from pg_stat_activity where datname = '" + held.database.name()
                                    + "' and application_name not in ('assay', 'view') group by 1")
                    .forEach(row -> shown.put(row.get(0), Integer.valueOf(row.get(1))));
            assertThat(shown)
                    .hasSize(8)
                    .containsEntry("postgres|pool|client backend|idle", 2)
                    .containsEntry("postgres|pool|client backend|idle in transaction", 1);
            assertThat(counted(Looks.at(all, SessionCountsProbe.PROBE), held.database.name()))
                    .isEqualTo(shown);
            List<SessionCountRow> seen = Looks.at(monitor, SessionCountsProbe.PROBE);
            assertThat(counted(seen, held.database.name())).isEqualTo(shown);

            int own = seen.stream()
                    .filter(row -> row.application().equals("assay")
                            && held.database.name().equals(row.database()))
                    .mapToInt(SessionCountRow::sessions)
                    .sum();
            assertThat(own).as("our own sessions take connections too").isEqualTo(3);
            for (String process : List.of("checkpointer", "background writer", "walwriter")) {
                assertThat(seen)
                        .filteredOn(row -> process.equals(row.backendType()))
                        .singleElement()
                        .satisfies(row -> {
                            assertThat(row.sessions()).isEqualTo(1);
                            assertThat(row.state()).isNull();
                            assertThat(row.user()).isNull();
                            assertThat(row.client()).isFalse();
                        });
            }
            // six held ones, three of the pool, the view, two of ours: hidden, but counted; the plain one sees itself
            List<SessionCountRow> hidden = Looks.at(plain, SessionCountsProbe.PROBE).stream()
                    .filter(row -> held.database.name().equals(row.database()))
                    .toList();
            assertThat(hidden).extracting(SessionCountRow::state).containsOnly("unknown", "active");
            assertThat(hidden.stream()
                            .filter(row -> "unknown".equals(row.state()))
                            .mapToInt(SessionCountRow::sessions)
                            .sum())
                    .isEqualTo(12);
            assertThat(hidden).allSatisfy(row -> assertThat(row.client()).isTrue());
        }
    }
}
