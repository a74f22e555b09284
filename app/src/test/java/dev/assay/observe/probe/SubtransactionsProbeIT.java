package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.SubtransactionsRow;
import dev.assay.pg.ServerVersion;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Savepoints of known number are counted as documented: 64 fit, the 65th overflows, those that wrote nothing or were rolled back are none. */
@Timeout(60)
class SubtransactionsProbeIT {

    private static final String MONITOR = "subtransactions_monitor";
    private static final String PLAIN = "subtransactions_plain";

    /** Opens a transaction with these savepoints and gives its backend. */
    private static int hold(Connection session, int savepoints, String inEach, String after) throws SQLException {
        StringBuilder sql = new StringBuilder("begin;");
        for (int i = 1; i <= savepoints; i++) {
            sql.append("savepoint s").append(i).append(';').append(inEach).append(';');
        }
        TestDatabase.run(session, sql + after);
        return Integer.parseInt(TestDatabase.one(session, "select pg_backend_pid()"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "17", "18"})
    void sixtyFourFitAndTheNextOverflows(String version) throws Exception {
        String write = "insert into t values (1)";
        Map<Integer, String> expected = new TreeMap<>();
        List<Connection> sessions = new ArrayList<>();
        try (TestDatabase database = TestDatabase.on(
                        TestServers.shared(version),
                        "create table t (i int)",
                        "create role " + MONITOR + " login in role pg_monitor",
                        "create role " + PLAIN + " login");
                Connection view = database.connect("view")) {
            for (int i = 0; i < 7; i++) {
                sessions.add(database.connect("session " + i));
            }
            expected.put(hold(sessions.get(0), 1, write, ""), "1 false");
            expected.put(hold(sessions.get(1), 64, write, ""), "64 false");
            expected.put(hold(sessions.get(2), 65, write, ""), "64 true");
            expected.put(hold(sessions.get(3), 9, write, "release savepoint s5"), "9 false");
            // the silent ones: nothing written, no savepoint, all rolled back
            List<Integer> silent = List.of(
                    hold(sessions.get(4), 70, "select 1", ""),
                    hold(sessions.get(5), 0, "", write),
                    hold(sessions.get(6), 9, write, "rollback to s1; rollback; begin"));

            for (String role : List.of("postgres", MONITOR, PLAIN)) {
                try (TargetSession session = TargetSession.open(database.address(role))) {
                    Map<Integer, String> seen = new TreeMap<>();
                    for (SubtransactionsRow row : Looks.at(session, SubtransactionsProbe.PROBE)) {
                        seen.put(row.pid(), row.count() + " " + row.overflowed());
                    }
                    assertThat(seen).as(role).containsAllEntriesOf(expected);
                    assertThat(seen.keySet()).as(role).doesNotContainAnyElementsOf(silent);
                }
            }
            assertThat(inTheView(view, database.name())).isEqualTo(expected);
            for (Connection session : sessions) {
                session.close();
            }
            database.administer("drop owned by " + PLAIN + "," + MONITOR);
            database.administer("drop role " + PLAIN + "," + MONITOR);
        }
    }

    private static Map<Integer, String> inTheView(Connection view, String database) throws SQLException {
        Map<Integer, String> shown = new TreeMap<>();
        for (List<String> row : TestDatabase.rows(
                view,
                "select a.pid, s.subxact_count || ' ' || s.subxact_overflowed from pg_stat_activity a,"
                        + " pg_stat_get_backend_idset() i(id), pg_stat_get_backend_subxact(i.id) s"
                        + " where pg_stat_get_backend_pid(i.id) = a.pid and a.datname = '" + database
                        + "' and s.subxact_count > 0")) {
            shown.put(Integer.valueOf(row.get(0)), row.get(1));
        }
        return shown;
    }

    @ParameterizedTest
    @ValueSource(ints = {14, 15})
    void olderServersDoNotTell(int major) {
        assertThat(((SqlProbe<SubtransactionsRow>) SubtransactionsProbe.PROBE).sql(new ServerVersion(major, 0)))
                .isEmpty();
    }
}
