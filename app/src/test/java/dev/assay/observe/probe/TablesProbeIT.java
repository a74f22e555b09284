package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.CatalogRelation.Kind;
import dev.assay.evidence.IndexRow;
import dev.assay.evidence.TableRow;
import dev.assay.target.TargetSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the probes make of tables and indexes with a known history is compared with the statistics views. */
@Timeout(90)
class TablesProbeIT {

    static final List<String> VERSIONS = NamedSessions.VERSIONS;

    private static final String[] SETUP = {
        "create schema \"Odd Schema\"",
        "create table \"Odd Schema\".busy (id int primary key, n int, note text) with (autovacuum_enabled = off, fillfactor = 50)",
        "create index busy_n on \"Odd Schema\".busy (n)",
        "create table still (id int primary key) with (autovacuum_enabled = off)",
        "create table parts (id int) partition by range (id)",
        "create table parts_1 partition of parts for values from (0) to (10)",
        "create index on parts (id)",
        "create table wide (note text) with (autovacuum_enabled = off)",
        "alter table wide alter note set storage external",
        "create materialized view summed as select 1 as one"
    };

    /** The app's session ends, which makes the server count what it did; then the views are waited for. */
    private static void act(NamedSessions sessions) throws SQLException {
        sessions.run(
                "app",
                "insert into \"Odd Schema\".busy select i, i from generate_series(1, 2000) i",
                "update \"Odd Schema\".busy set note = 'x' where id <= 300",
                "update \"Odd Schema\".busy set n = -n where id between 301 and 400",
                "delete from \"Odd Schema\".busy where id > 1900",
                "set enable_seqscan = off; select * from \"Odd Schema\".busy where id = 5",
                "select count(*) from \"Odd Schema\".busy",
                "vacuum \"Odd Schema\".busy",
                "analyze \"Odd Schema\".busy",
                "delete from \"Odd Schema\".busy where id = 1",
                "insert into wide select repeat(md5(i::text), 200) from generate_series(1, 50) i",
                "vacuum wide");
        sessions.session("app").close();
        await().atMost(NamedSessions.PATIENCE)
                .until(() -> sessions.one("select n_tup_del from pg_stat_user_tables where relname = 'busy'")
                        .equals("101"));
    }

    private static List<List<String>> shownTables(NamedSessions sessions, int major) throws SQLException {
        return sessions.rows(
                "select s.relid, s.schemaname, s.relname, c.relkind, c.relpages, c.reltuples::float8, c.relallvisible,"
                        + " nullif(c.relfrozenxid::text, '0'), coalesce(array_to_string(c.reloptions, ','), ''), seq_scan, seq_tup_read,"
                        + " idx_scan, idx_tup_fetch, n_tup_ins, n_tup_upd, n_tup_del, n_tup_hot_upd, "
                        + (major >= 16 ? "n_tup_newpage_upd" : "null")
                        + ", n_live_tup, n_dead_tup, n_mod_since_analyze, n_ins_since_vacuum, vacuum_count, autovacuum_count,"
                        + " analyze_count, autoanalyze_count, last_vacuum, last_autovacuum, last_analyze, last_autoanalyze, "
                        + (major >= 18
                                ? "total_vacuum_time, total_autovacuum_time, total_analyze_time, total_autoanalyze_time"
                                : "null, null, null, null")
                        + " from pg_stat_all_tables s join pg_class c on c.oid = s.relid"
                        + " where s.schemaname not in ('pg_catalog', 'information_schema') and s.relid >= 16384"
                        + " and (s.schemaname <> 'pg_toast' or c.relpages > 0)");
    }

    private static List<String> values(TableRow row) {
        List<Object> values = Arrays.asList(
                row.relation(),
                row.name().schema(),
                row.name().name(),
                letter(row.kind()),
                row.pages(),
                row.tuples(),
                row.pagesAllVisible(),
                row.frozenXid(),
                row.options(),
                row.sequentialScans(),
                row.sequentialTuples(),
                row.indexScans(),
                row.indexTuples(),
                row.tuplesInserted(),
                row.tuplesUpdated(),
                row.tuplesDeleted(),
                row.tuplesHotUpdated(),
                row.tuplesNewPageUpdated(),
                row.liveTuples(),
                row.deadTuples(),
                row.changesSinceAnalyze(),
                row.insertsSinceVacuum(),
                row.vacuums(),
                row.autovacuums(),
                row.analyzes(),
                row.autoanalyzes(),
                row.lastVacuum(),
                row.lastAutovacuum(),
                row.lastAnalyze(),
                row.lastAutoanalyze(),
                row.vacuumMillis(),
                row.autovacuumMillis(),
                row.analyzeMillis(),
                row.autoanalyzeMillis());
        return new ArrayList<>(values.stream().map(ViewText::of).toList());
    }

    private static String letter(Kind kind) {
        return switch (kind) {
            case TABLE -> "r";
            case PARTITIONED_TABLE -> "p";
            case MATERIALIZED_VIEW -> "m";
            case TOAST_TABLE -> "t";
            default -> throw new AssertionError(kind + " is no table");
        };
    }

    /** Times as the rows print them. */
    private static List<String> comparable(List<String> shown) {
        return new ArrayList<>(shown.stream()
                .map(value -> value != null && value.matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:.*")
                        ? Objects.requireNonNull(ViewText.instant(value)).toString()
                        : value)
                .toList());
    }

    private static Map<String, TableRow> byName(List<TableRow> rows) {
        Map<String, TableRow> found = new HashMap<>();
        rows.forEach(row -> found.put(row.name().name(), row));
        return found;
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void tablesAreWhatTheViewShows(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, SETUP);
                TargetSession session = sessions.as("postgres")) {
            act(sessions);
            // nobody who looks waits for a lock on a table
            sessions.run("locker", "begin; lock table \"Odd Schema\".busy, still, parts in access exclusive mode");
            ProbeContext context = new ProbeContext(session, false);
            List<TableRow> first = Looks.at(session, TablesProbe.PROBE, context);
            List<List<String>> shown = new ArrayList<>();
            shownTables(sessions, Integer.parseInt(version)).forEach(row -> shown.add(comparable(row)));
            assertThat(first.stream().map(TablesProbeIT::values).toList()).containsExactlyInAnyOrderElementsOf(shown);

            TableRow busy = byName(first).get("busy");
            assertThat(busy.tuplesInserted()).isEqualTo(2000);
            assertThat(busy.tuplesUpdated()).isEqualTo(400);
            assertThat(busy.tuplesHotUpdated()).isPositive();
            assertThat(busy.indexScans()).isPositive();
            assertThat(busy.options()).isEqualTo("autovacuum_enabled=off,fillfactor=50");
            assertThat(busy.vacuums()).isEqualTo(1);
            List<String> ages = sessions.rows(
                            "select age(relfrozenxid), mxid_age(relminmxid) from pg_class where relname = 'busy'")
                    .get(0);
            assertThat(busy.frozenXidAge()).isPositive().isLessThanOrEqualTo(Integer.parseInt(ages.get(0)));
            assertThat(Integer.toString(busy.multiXactAge())).isEqualTo(ages.get(1));
            TableRow parts = byName(first).get("parts");
            assertThat(parts.frozenXidAge()).isNull();
            assertThat(parts.indexScans()).isNotNull();
            assertThat(byName(first).get("wide").indexScans()).isNull();
            assertThat(first.stream().filter(row -> row.kind() == Kind.TOAST_TABLE))
                    .singleElement()
                    .satisfies(row -> assertThat(row.toastOf())
                            .isEqualTo(byName(first).get("wide").relation()));
            sessions.run("locker", "rollback");

            // only what has changed comes again; transactions that pass by change nothing
            sessions.run(
                    "another",
                    "select pg_current_xact_id()",
                    "select pg_current_xact_id()",
                    "insert into still values (1)");
            sessions.session("another").close();
            await().atMost(NamedSessions.PATIENCE)
                    .until(() -> sessions.one("select n_tup_ins from pg_stat_user_tables where relname = 'still'")
                            .equals("1"));
            List<TableRow> second = Looks.at(session, TablesProbe.PROBE, context);
            assertThat(byName(second).keySet()).containsExactly("still");
            assertThat(second.get(0).key()).isEqualTo(byName(first).get("still").key());
            assertThat(Looks.at(session, TablesProbe.PROBE, context)).isEmpty();
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void indexesAreWhatTheViewShows(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, SETUP);
                Roles roles = new Roles(sessions.database);
                TargetSession session = sessions.as("postgres");
                TargetSession plain = sessions.as(roles.plain)) {
            act(sessions);
            ProbeContext context = new ProbeContext(session, false);
            List<IndexRow> first = Looks.at(session, IndexesProbe.PROBE, context);
            List<List<String>> shown = new ArrayList<>();
            sessions.rows(
                            "select s.indexrelid, s.schemaname, s.indexrelname, s.relid, s.schemaname, s.relname, i.indisunique,"
                                    + " i.indisprimary, i.indisvalid, c.relpages, c.reltuples::float8,"
                                    + " coalesce(array_to_string(c.reloptions, ','), ''), s.idx_scan, s.idx_tup_read, s.idx_tup_fetch, "
                                    + (Integer.parseInt(version) >= 16 ? "s.last_idx_scan" : "null")
                                    + " from pg_stat_user_indexes s join pg_index i using (indexrelid) join pg_class c on c.oid = s.indexrelid")
                    .forEach(row -> shown.add(comparable(row)));
            assertThat(first.stream().map(TablesProbeIT::values).toList())
                    .containsExactlyInAnyOrderElementsOf(shown)
                    .hasSize(4);
            IndexRow used = first.stream()
                    .filter(row -> row.name().name().equals("busy_pkey"))
                    .findFirst()
                    .orElseThrow();
            assertThat(used.scans()).isPositive();
            assertThat(used.primary()).isTrue();
            assertThat(Looks.at(session, IndexesProbe.PROBE, context)).isEmpty();
            // a plain role sees the same
            assertThat(Looks.at(plain, IndexesProbe.PROBE)).containsExactlyInAnyOrderElementsOf(first);
            assertThat(Looks.at(plain, TablesProbe.PROBE).stream().map(TablesProbeIT::values))
                    .containsExactlyInAnyOrderElementsOf(Looks.at(session, TablesProbe.PROBE).stream()
                            .map(TablesProbeIT::values)
                            .toList());
        }
    }

    private static List<String> values(IndexRow row) {
        List<Object> values = Arrays.asList(
                row.relation(),
                row.name().schema(),
                row.name().name(),
                row.table(),
                row.tableName().schema(),
                row.tableName().name(),
                row.unique() ? "t" : "f",
                row.primary() ? "t" : "f",
                row.valid() ? "t" : "f",
                row.pages(),
                row.tuples(),
                row.options(),
                row.scans(),
                row.tuplesRead(),
                row.tuplesFetched(),
                row.lastScan());
        return new ArrayList<>(values.stream().map(ViewText::of).toList());
    }
}
