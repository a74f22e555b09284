package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.evidence.StatementRow;
import dev.assay.evidence.StatementStatisticsRow;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the probe makes of statements that ran so many times is compared with the view that the extension offers. */
@Timeout(60)
class StatementsProbeIT {

    static final List<String> VERSIONS = NamedSessions.VERSIONS;

    private static final String[] SETUP = {
        "create schema \"Stats Here\"",
        "create extension pg_stat_statements schema \"Stats Here\"",
        "create table t (id int primary key, n int)",
        "insert into t select i, 0 from generate_series(1, 1000) i",
        "create function nested() returns bigint language plpgsql as $$ begin return (select count(*) from t where n = 5); end $$"
    };

    private static List<StatementRow> of(NamedSessions sessions, List<StatementRow> rows, String beginning) {
        return rows.stream()
                .filter(row -> sessions.database.name().equals(row.database()))
                .filter(row -> row.statement().text().startsWith(beginning))
                .toList();
    }

    /** The columns of the view in the order of {@link #values}. */
    private static List<String> view(NamedSessions sessions, String version, String beginning) throws SQLException {
        boolean renamed = Integer.parseInt(version) >= 17;
        String jit = Integer.parseInt(version) >= 15
                ? "jit_generation_time + jit_inlining_time + jit_optimization_time + jit_emission_time"
                : "null";
        return sessions.rows(
                        "select queryid, u.rolname, toplevel, calls, plans, total_plan_time, total_exec_time, min_exec_time,"
                                + " max_exec_time, rows, shared_blks_hit, shared_blks_read, shared_blks_dirtied, shared_blks_written,"
                                + " local_blks_read, local_blks_written, temp_blks_read, temp_blks_written, "
                                + (renamed
                                        ? "shared_blk_read_time, shared_blk_write_time"
                                        : "blk_read_time, blk_write_time")
                                + ", wal_records, wal_fpi, wal_bytes, " + jit + ", "
                                + (renamed
                                        ? "stats_since"
                                        : "(select stats_reset from \"Stats Here\".pg_stat_statements_info)")
                                + " from \"Stats Here\".pg_stat_statements s join pg_roles u on u.oid = s.userid where dbid ="
                                + " (select oid from pg_database where datname = current_database()) and query like '"
                                + beginning
                                + "%'")
                .get(0);
    }

    private static List<String> values(StatementRow row) {
        List<Object> values = Arrays.asList(
                row.queryId(),
                row.role(),
                row.topLevel() ? "t" : "f",
                row.calls(),
                row.plans(),
                row.planMillis(),
                row.executionMillis(),
                row.executionMillisMin(),
                row.executionMillisMax(),
                row.rows(),
                row.sharedBlocksHit(),
                row.sharedBlocksRead(),
                row.sharedBlocksDirtied(),
                row.sharedBlocksWritten(),
                row.localBlocksRead(),
                row.localBlocksWritten(),
                row.tempBlocksRead(),
                row.tempBlocksWritten(),
                row.sharedReadMillis(),
                row.sharedWriteMillis(),
                row.walRecords(),
                row.walFullPageImages(),
                row.walBytes(),
                row.jitMillis());
        return new ArrayList<>(values.stream().map(ViewText::of).toList());
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void countersAreWhatTheViewShows(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, SETUP);
                TargetSession session = sessions.as("postgres")) {
            ProbeContext context = new ProbeContext(session, false);
            sessions.run("app", "set pg_stat_statements.track = 'all'", "set pg_stat_statements.track_planning = on");
            for (int i = 0; i < 3; i++) {
                sessions.run("app", "update t set n = " + i + " where id = 7 and 'secret' <> 'x'");
            }
            sessions.run("app", "select nested()");
            List<StatementRow> first = Looks.at(session, StatementsProbe.PROBE, context);
            StatementRow update = of(sessions, first, "update t").get(0);
            List<String> shown = new ArrayList<>(view(sessions, version, "update t"));
            assertThat(update.statsReset()).isEqualTo(ViewText.instant(shown.remove(shown.size() - 1)));
            assertThat(values(update)).isEqualTo(shown);
            assertThat(update.calls()).isEqualTo(3);
            assertThat(update.plans()).isEqualTo(3);
            assertThat(update.rows()).isEqualTo(3);
            assertThat(update.walRecords()).isPositive();
            assertThat(update.statement().text()).contains("$1").doesNotContain("secret");
            assertThat(of(sessions, first, "(select count(*) from t where n")
                            .get(0)
                            .topLevel())
                    .isFalse();
            assertThat(of(sessions, first, "select nested()").get(0).topLevel()).isTrue();

            // an entry comes again when it was called again
            sessions.run("app", "update t set n = 9 where id = 8 and 'other' <> 'x'");
            List<StatementRow> second = Looks.at(session, StatementsProbe.PROBE, context);
            assertThat(of(sessions, second, "update t")).singleElement().satisfies(row -> {
                assertThat(row.key()).isEqualTo(update.key());
                assertThat(row.calls()).isEqualTo(4);
                assertThat(row.statement()).isEqualTo(update.statement());
            });
            assertThat(of(sessions, second, "select nested()")).isEmpty();
            assertThat(second).hasSizeLessThan(first.size());
            assertThat(first).extracting(StatementRow::key).doesNotHaveDuplicates();
        }
    }

    /** The server's own text of a utility statement keeps its literals. */
    @Test
    void literalsOfUtilityStatementsAreReplaced() throws Exception {
        try (NamedSessions sessions = new NamedSessions("14", SETUP);
                TargetSession session = sessions.as("postgres")) {
            sessions.run("app", "set application_name = 'hunter2'");
            assertThat(sessions.one(
                            "select count(*) from \"Stats Here\".pg_stat_statements where query like '%hunter2%'"))
                    .isNotEqualTo("0");
            List<StatementRow> rows = Looks.at(session, StatementsProbe.PROBE);
            assertThat(of(sessions, rows, "set application_name = ?")).hasSize(1);
            assertThat(rows).noneMatch(row -> row.statement().text().contains("hunter2"));
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void aMonitorSeesAllAndAPlainRoleItsOwn(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, SETUP);
                Roles roles = new Roles(sessions.database)) {
            sessions.run("app", "select count(*) from t where id > 5");
            try (TargetSession monitor = sessions.as(roles.monitor);
                    TargetSession plain = sessions.as(roles.plain)) {
                // one who may not use the schema cannot look at all
                assertThatThrownBy(() -> Looks.at(monitor, StatementsProbe.PROBE))
                        .hasMessageContaining("permission denied for schema");
                sessions.run("app", "grant usage on schema \"Stats Here\" to public");
                List<StatementRow> seen = Looks.at(monitor, StatementsProbe.PROBE);
                assertThat(of(sessions, seen, "select count(*) from t where id > $1"))
                        .hasSize(1);
                assertThat(plain.query("select 77 as own", row -> row.getInt(1)))
                        .containsExactly(77);
                List<StatementRow> own = Looks.at(plain, StatementsProbe.PROBE);
                assertThat(own)
                        .isNotEmpty()
                        .allSatisfy(row -> assertThat(row.role()).isEqualTo(roles.plain));
                assertThat(of(sessions, own, "select $1 as own")).hasSize(1);
                sessions.run("app", "revoke usage on schema \"Stats Here\" from public");
            }
        }
    }

    /** After {@code pg_upgrade} the extension is older than the server until somebody updates it. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void anOldExtensionOnANewServerIsRead(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(
                        version, "create extension pg_stat_statements version '1.8'", "create table t (i int)");
                TargetSession session = sessions.as("postgres")) {
            sessions.run("app", "select count(*) from t");
            StatementRow row = of(sessions, Looks.at(session, StatementsProbe.PROBE), "select count(*) from t")
                    .get(0);
            assertThat(row.calls()).isEqualTo(1);
            assertThat(row.topLevel()).isTrue();
            assertThat(row.walRecords()).isNotNull();
            assertThat(row.jitMillis()).isNull();
            assertThat(row.statsReset()).isNull();
            assertThat(Looks.at(session, StatementStatisticsProbe.PROBE))
                    .containsExactly(new StatementStatisticsRow("1.8", 5000, null, null));
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void theExtensionTellsOfItself(String version) throws Exception {
        try (NamedSessions sessions = new NamedSessions(version, SETUP);
                TargetSession session = sessions.as("postgres")) {
            StatementStatisticsRow row =
                    Looks.at(session, StatementStatisticsProbe.PROBE).get(0);
            List<String> info = sessions.rows("select dealloc, stats_reset from \"Stats Here\".pg_stat_statements_info")
                    .get(0);
            assertThat(Long.toString(row.evictions())).isEqualTo(info.get(0));
            assertThat(row.statsReset()).isEqualTo(ViewText.instant(info.get(1)));
            assertThat(Long.toString(row.entriesMax())).isEqualTo(sessions.one("show pg_stat_statements.max"));
            assertThat(row.extensionVersion())
                    .isEqualTo(
                            sessions.one("select extversion from pg_extension where extname = 'pg_stat_statements'"));
        }
    }

    /** Where it is missing that is said, and the server's log stays clean. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void whereItIsMissingThatIsSaid(String version) throws Exception {
        EmbeddedServer without = TestServers.shared(version);
        try (TestDatabase created = TestDatabase.on(without, "create extension pg_stat_statements");
                TargetSession session = created.target();
                NamedSessions loaded = new NamedSessions(version);
                TargetSession other = loaded.as("postgres")) {
            for (Probe<?> probe : List.of(StatementsProbe.PROBE, StatementStatisticsProbe.PROBE)) {
                assertThatThrownBy(() -> Looks.at(session, probe))
                        .isInstanceOf(UnavailableException.class)
                        .hasMessage(
                                "pg_stat_statements is not loaded; add it to shared_preload_libraries and restart the server");
                assertThatThrownBy(() -> Looks.at(other, probe))
                        .isInstanceOf(UnavailableException.class)
                        .hasMessage("pg_stat_statements is loaded but not created in database " + loaded.database.name()
                                + "; run CREATE EXTENSION pg_stat_statements there");
            }
            for (EmbeddedServer server : List.of(without, loaded.server)) {
                assertThat(Files.readString(server.log())).doesNotContain("pg_stat_statements must be loaded");
            }
        }
    }

    @Test
    void textsAreBounded() throws Exception {
        try (NamedSessions sessions = new NamedSessions("18", SETUP);
                TargetSession session = sessions.as("postgres")) {
            // a query id knows the table, so these are nobody else's
            String firstText = "select count(*) as first_of_them from t where id < $1";
            String secondText = "select count(*) as second_of_them from t where n < $1";
            sessions.run("app", firstText.replace("$1", "5"), secondText.replace("$1", "5"));
            sessions.run(
                    "app", "select '" + "x".repeat(9000) + "' as wide_one, " + "1, ".repeat(1000) + "1 from t limit 1");
            String first = id(sessions, "%first_of_them%");
            String second = id(sessions, "%second_of_them%");
            String wide = id(sessions, "%wide_one%");
            StatementTexts texts = new StatementTexts(130);
            texts.learn(session, "\"Stats Here\"", Set.of(first));
            assertThat(texts.statement(first).text()).isEqualTo(firstText);
            assertThat(texts.statement(second).text()).isEmpty();
            long asked = session.queries();
            texts.learn(session, "\"Stats Here\"", Set.of(first));
            assertThat(session.queries()).as("nothing new, nothing asked").isEqualTo(asked);
            texts.learn(session, "\"Stats Here\"", Set.of(second));
            assertThat(texts.statement(second).text()).isEqualTo(secondText);
            assertThat(texts.statement(first).text()).isEqualTo(firstText);
            texts.learn(session, "\"Stats Here\"", Set.of(wide));
            assertThat(List.of(
                            texts.statement(first).text(),
                            texts.statement(second).text()))
                    .as("thrown out by one that alone is over the limit")
                    .containsExactly("", "");
            StatementTexts roomy = new StatementTexts();
            roomy.learn(session, "\"Stats Here\"", Set.of(wide));
            assertThat(roomy.statement(wide).text().length()).isBetween(1000, StatementTexts.TEXT_CHARS_MAX);
        }
    }

    private static String id(NamedSessions sessions, String like) throws SQLException {
        return sessions.one("select queryid from \"Stats Here\".pg_stat_statements where query like '" + like
                + "' and query not like '%pg_stat_statements%' and dbid ="
                + " (select oid from pg_database where datname = current_database())");
    }
}
