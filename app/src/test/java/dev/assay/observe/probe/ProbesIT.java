package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.SettingRow;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a probe makes of sessions in known states is compared with what a plain session reads from the views. */
@Timeout(60)
class ProbesIT {

    static final List<String> VERSIONS = List.of("14", "15", "16", "17", "18");

    /** What a session that looks cannot help to have for itself; of keep-alives others see what the kernel does. */
    private static final List<String> OF_THE_SESSION = List.of(
            "application_name",
            "tcp_keepalives_count",
            "tcp_keepalives_idle",
            "tcp_keepalives_interval",
            "transaction_read_only");

    private static Map<String, ActivityRow> activity(HeldSessions held, TargetSession session) {
        Map<String, ActivityRow> found = new TreeMap<>();
        for (ActivityRow row : Looks.at(session, ActivityProbe.PROBE)) {
            if (row.client() && held.database.name().equals(row.database())) {
                assertThat(found.put(row.application(), row))
                        .as("%s stands twice", row)
                        .isNull();
            }
        }
        return found;
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void activityIsWhatTheViewShows(String version) throws Exception {
        try (HeldSessions held = new HeldSessions(version);
                TargetSession session = held.database.target();
                TargetSession second = held.database.target()) {
            assertThat(second.query("select 1", row -> row.getInt(1))).containsExactly(1);
            Map<String, ActivityRow> found = activity(held, session);
            assertThat(found.keySet())
                    .containsExactlyInAnyOrder(
                            "sleeper", "holder", "waiter", "serializable", "rowshare", "ddl", "view");
            assertThat(found.get("sleeper").timeGoesTo()).hasToString("Timeout:PgSleep");
            assertThat(found.get("sleeper").active()).isTrue();
            assertThat(found.get("sleeper").statement().text()).isEqualTo("select pg_sleep(?), ? as text");
            assertThat(found.get("waiter").timeGoesTo()).hasToString("Lock:transactionid");
            assertThat(found.get("ddl").timeGoesTo()).hasToString("Lock:relation");
            assertThat(found.get("holder").state()).isEqualTo("idle in transaction");
            assertThat(found.get("holder").active()).isFalse();

            List<List<String>> shown = TestDatabase.rows(
                    held.view,
                    "select application_name, pid, usename, datname, state, wait_event_type || ':' || wait_event,"
                            + " query_id, backend_start, xact_start from pg_stat_activity where datname = '"
                            + held.database.name() + "' and application_name not in ('assay', 'view')");
            assertThat(shown).hasSize(6);
            for (List<String> row : shown) {
                ActivityRow seen = found.get(row.get(0));
                assertThat(Integer.toString(seen.pid())).isEqualTo(row.get(1));
                assertThat(seen.user()).isEqualTo(row.get(2)).isEqualTo("postgres");
                assertThat(seen.database()).isEqualTo(row.get(3));
                assertThat(seen.state()).isEqualTo(row.get(4));
                assertThat(seen.timeGoesTo()).hasToString(row.get(5));
                assertThat(seen.statement().queryId()).as(row.get(0)).isEqualTo(row.get(6));
                assertThat(seen.backendStart()).isEqualTo(ViewText.instant(row.get(7)));
                assertThat(seen.transactionStart()).isEqualTo(ViewText.instant(row.get(8)));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void locksAreWhatTheViewShows(String version) throws Exception {
        try (HeldSessions held = new HeldSessions(version);
                TargetSession session = held.database.target()) {
            Map<Integer, List<String>> seen = new TreeMap<>();
            for (RelationLocksRow row : Looks.at(session, RelationLocksProbe.PROBE)) {
                List<String> locks = new ArrayList<>();
                row.locks()
                        .forEach(lock -> locks.add(lock.relation() + " "
                                + lock.mode().viewName() + " " + lock.granted() + " " + lock.fastPath()));
                Collections.sort(locks);
                seen.put(row.pid(), locks);
                assertThat(row.statement()).isNotNull();
            }
            assertThat(seen).isEqualTo(locksInTheView(held)).hasSize(5);
            assertThat(TestDatabase.one(held.view, "select count(*) from pg_locks where mode = 'SIReadLock'"))
                    .as("there is a predicate lock, which is left out")
                    .isNotEqualTo("0");
            List<String> all = seen.values().stream().flatMap(List::stream).toList();
            assertThat(all)
                    .anyMatch(lock -> lock.endsWith("AccessExclusiveLock false false"))
                    .anyMatch(lock -> lock.endsWith("RowExclusiveLock true false"))
                    .anyMatch(lock -> lock.contains("RowShareLock true"));
        }
    }

    private static Map<Integer, List<String>> locksInTheView(HeldSessions held) throws SQLException {
        Map<Integer, List<String>> shown = new TreeMap<>();
        for (List<String> row : TestDatabase.rows(
                held.view,
                "select l.pid, l.relation::bigint || ' ' || l.mode || ' ' || l.granted || ' ' || l.fastpath"
                        + " from pg_locks l join pg_stat_activity a using (pid) join pg_database d on d.oid = l.database"
                        + " where l.locktype = 'relation' and l.mode <> 'SIReadLock' and d.datname = '"
                        + held.database.name() + "' and a.application_name not in ('assay', 'view')")) {
            shown.computeIfAbsent(Integer.valueOf(row.get(0)), pid -> new ArrayList<>())
                    .add(row.get(1));
        }
        shown.values().forEach(Collections::sort);
        return shown;
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void aMonitorSeesEverythingAndAPlainRoleSaysThatItDoesNot(String version) throws Exception {
        try (HeldSessions held = new HeldSessions(version);
                TargetSession all = held.database.target();
                TargetSession monitor = TargetSession.open(held.database.address(HeldSessions.MONITOR));
                TargetSession plain = TargetSession.open(held.database.address(HeldSessions.PLAIN))) {
            assertThat(activity(held, monitor)).isEqualTo(activity(held, all)).hasSize(7);
            assertThat(Map.copyOf(locks(monitor))).isEqualTo(Map.copyOf(locks(all)));

            List<String> clients =
                    TestDatabase.rows(
                                    held.view, "select pid from pg_stat_activity where backend_type = 'client backend'")
                            .stream()
                            .map(row -> row.get(0))
                            .toList();
            List<ActivityRow> hidden = Looks.at(plain, ActivityProbe.PROBE);
            assertThat(hidden).hasSizeGreaterThanOrEqualTo(7).allSatisfy(row -> {
                assertThat(row.state()).isEqualTo("unknown");
                assertThat(row.active()).isFalse();
                assertThat(row.statement()).isNull();
                assertThat(row.waitEvent()).isNull();
                assertThat(row.user()).isEqualTo("postgres");
                assertThat(Integer.toString(row.pid())).isIn(clients);
            });
            assertThat(Looks.at(plain, RelationLocksProbe.PROBE)).hasSize(5).allSatisfy(row -> {
                assertThat(row.statement()).isNull();
                assertThat(row.locks()).isNotEmpty();
            });
        }
    }

    private static Map<Integer, RelationLocksRow> locks(TargetSession session) {
        Map<Integer, RelationLocksRow> found = new TreeMap<>();
        Looks.at(session, RelationLocksProbe.PROBE).forEach(row -> found.put(row.pid(), row));
        return found;
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void settingsAreWhatTheViewShows(String version) throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared(version));
                TargetSession session = database.target();
                Connection view = database.connect("view")) {
            List<SettingRow> shown = new ArrayList<>();
            for (List<String> row : TestDatabase.rows(view, "select name, setting, source from pg_settings")) {
                shown.add(new SettingRow(row.get(0), row.get(1) == null ? "" : row.get(1), row.get(2)));
            }
            List<SettingRow> seen = Looks.at(session, SettingsProbe.PROBE);
            assertThat(seen.stream().map(SettingRow::name))
                    .hasSizeGreaterThan(300)
                    .containsExactlyInAnyOrderElementsOf(
                            shown.stream().map(SettingRow::name).toList());
            List<String> ofTheServer = List.of("default", "configuration file", "command line");
            assertThat(seen)
                    .containsAll(shown.stream()
                            .filter(row -> ofTheServer.contains(row.source()) && !OF_THE_SESSION.contains(row.name()))
                            .toList());
            assertThat(seen).contains(new SettingRow("max_connections", "300", "configuration file"));
            // what the session that looks has set for itself does not show
            assertThat(session.query("show lock_timeout", row -> row.getString(1)))
                    .containsExactly("100ms");
            assertThat(seen).contains(new SettingRow("lock_timeout", "0", "default"));
        }
    }
}
