package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.diagnose.Diagnostician;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Experiments on a server that runs already and has things on it which are nobody's business. */
@Timeout(180)
final class ExternalSystemIT {

    private static final String HEAD = """
            name: external
            title: External
            question: Does a server that runs already serve?
            load: {clients: 3, trials: 2, warmup: 0s, measured: 500ms}
            schemas:
              items: |
                create table items (id int primary key);
                insert into items select generate_series(1, 1000);
            """;

    private static EmbeddedServer there;
    private static Connection view;

    @BeforeAll
    static void begin() throws Exception {
        there = TestServers.fresh("17");
        view = connect("postgres");
        TestDatabase.run(view, "create table mine (n int)");
        TestDatabase.run(view, "create role plain login; create role builder login createdb");
        TestDatabase.run(view, "grant all on schema public to plain");
    }

    @AfterAll
    static void end() throws Exception {
        view.close();
        there.close();
    }

    private static Connection connect(String user) throws Exception {
        return DriverManager.getConnection(there.jdbcUrl(), user, "");
    }

    private static String system(String user, String more) {
        return "systems:\n  there: {external: \"host=" + there.host() + " port=" + there.port() + " dbname="
                + there.database() + " user=" + user + "\"" + more + "}\n";
    }

    private static LabRun run(String systems, String rest) throws InterruptedException {
        return new Laboratory(new Diagnostician(List.of()), LabListener.SILENT, null)
                .run(ExperimentFile.parse("external.yaml", HEAD + systems + rest, Map.of()), 3);
    }

    private static List<String> databases() throws Exception {
        return TestDatabase.rows(view, "select datname from pg_database order by 1").stream()
                .map(row -> row.get(0))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "builder"})
    void aSchemaIsBuiltInADatabaseOfItsOwnThatIsDroppedAgain(String user) throws Exception {
        List<String> before = databases();
        String resets = TestDatabase.one(view, "select stats_reset from pg_stat_wal");

        ExperimentResult result = run(system(user, ", schema: items"), """
                scripts: {grow: "insert into items select max(id) + 1 from items on conflict do nothing;"}
                variants:
                  again: {system: there, script: grow, fresh: true,
                    checks: {one trial grew it: "select count(*) > 1000 from items", nothing of theirs: "select to_regclass('mine') is null"}}
                """).result();

        assertThat(result.trials()).allMatch(Trial::ok);
        VariantResult again = result.variant("again");
        assertThat(again.checks()).extracting(VariantResult.Check::ok).containsOnly(true);
        assertThat(again.serverVersion()).isEqualTo(there.version().toString());
        // it runs on this machine, so its processes are seen
        assertThat(again.metric("server_cpu_per_transaction").orElseThrow().median())
                .isPositive();
        assertThat(again.metric("backend_memory").orElseThrow().median()).isPositive();
        assertThat(again.metric("wal_records_per_transaction").orElseThrow().median())
                .isPositive();
        assertThat(again.flags())
                .filteredOn(flag -> flag.contains("no checkpoint"))
                .hasSize(user.equals("postgres") ? 0 : 1);
        assertThat(databases()).isEqualTo(before);
        assertThat(TestDatabase.one(view, "select stats_reset from pg_stat_wal"))
                .isEqualTo(resets);
        assertThat(TestDatabase.one(view, "select count(*) from mine")).isEqualTo("0");
    }

    @Test
    void freshDataAreThoseOfTheSchema() throws Exception {
        ExperimentResult result =
                run(system("postgres", ", schema: items"), """
                tasks: {take: {sql: "do $$ begin if (select count(*) from items) <> 1000 then raise 'not fresh'; end if; end $$; delete from items;"}}
                variants:
                  first: {system: there, task: take, fresh: true}
                  second: {system: there, task: take, fresh: true}
                """).result();
        assertThat(result.trials()).hasSize(4).allMatch(Trial::ok);
    }

    @Test
    void withoutASchemaScriptsRunInTheDatabaseThatIsThere() throws Exception {
        ExperimentResult result = run(system("plain", ""), """
                scripts: {write: "create table if not exists theirs (n int); insert into theirs values (1);"}
                variants: {write: {system: there, script: write}}
                """).result();
        assertThat(result.trials()).allMatch(Trial::ok);
        assertThat(Long.parseLong(TestDatabase.one(view, "select count(*) from theirs")))
                .isPositive();
        TestDatabase.run(view, "drop table theirs");
    }

    @Test
    void anEmbeddedServerCanBeComparedWithIt() throws Exception {
        ExperimentResult result = run(
                        system("postgres", ", schema: items") + "  here: {server: 16, schema: items}\n", """
                scripts: {look: "select count(*) from items;"}
                variants:
                  there: {system: there, script: look}
                  here: {system: here, script: look}
                comparisons: [{question: "Which is faster?", baseline: there, candidate: here}]
                """)
                .result();
        assertThat(result.trials()).allMatch(Trial::ok);
        assertThat(result.comparisons().get(0).ratio()).isPositive();
        assertThat(result.variants()).allMatch(VariantResult::answersSame);
    }

    @Test
    void anInterruptedRunLeavesNoDatabase() throws Exception {
        List<String> before = databases();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                run(system("postgres", ", schema: items"), """
                        tasks: {nap: {sql: select pg_sleep(100);}}
                        variants: {nap: {system: there, task: nap, fresh: true}}
                        """);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        thread.start();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> TestDatabase.one(
                                view,
                                "select count(*) from pg_stat_activity where query like '%pg_sleep(100)%'"
                                        + " and pid <> pg_backend_pid() and state = 'active'")
                        .equals("1"));
        thread.interrupt();
        thread.join(Duration.ofSeconds(20).toMillis());
        assertThat(thread.isAlive()).isFalse();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(databases()).isEqualTo(before);
    }

    @Test
    void whatIsMissingThereIsToldBeforeAnythingIsBuilt() throws Exception {
        String rest = """
                scripts: {look: select 1;}
                variants: {look: {system: there, script: look}}
                """;
        assertThatThrownBy(() -> run(system("plain", ", schema: items"), rest))
                .isInstanceOfSatisfying(LabException.class, e -> {
                    assertThat(e).hasMessageContaining("permission denied to create database");
                    assertThat(e.hint()).contains("createdb");
                });
        assertThatThrownBy(() -> new Laboratory(new Diagnostician(List.of()), LabListener.SILENT, null)
                        .run(
                                ExperimentFile.parse(
                                        "external.yaml",
                                        HEAD + system("postgres", "") + rest,
                                        Map.of("load.clients", "900")),
                                3))
                .isInstanceOfSatisfying(
                        LabException.class,
                        e -> assertThat(e)
                                .hasMessageMatching(
                                        "system 'there' has \\d+ connections left, the experiment needs 910"));
        assertThatThrownBy(() -> run("systems:\n  there: {external: \"host=127.0.0.1 port=1 user=x\"}\n", rest))
                .isInstanceOfSatisfying(
                        LabException.class, e -> assertThat(e).hasMessageStartingWith("system 'there': "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ", server: 16",
                ", settings: {fsync: off}",
            })
    void whatIsNotTheLaboratorysToChooseIsRefused(String more) {
        assertThatThrownBy(() -> run(
                        system("postgres", more),
                        "scripts: {look: select 1;}\nvariants: {look: {system: there, script: look}}\n"))
                .isInstanceOf(ExperimentFileException.class)
                .hasMessageContaining("stands beside external");
    }

    @Test
    void aServerThatDiesFailsTheTrial() throws Exception {
        try (EmbeddedServer mortal = TestServers.fresh("16")) {
            String systems = "systems:\n  there: {external: \"host=" + mortal.host() + " port=" + mortal.port()
                    + " dbname=postgres user=postgres\"}\n";
            AtomicReference<ExperimentResult> result = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    result.set(run(systems, """
                            tasks: {nap: {sql: select pg_sleep(3);}}
                            variants: {nap: {system: there, task: nap}}
                            """).result());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            try (Connection seen = DriverManager.getConnection(mortal.jdbcUrl(), "postgres", "")) {
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> TestDatabase.one(
                                        seen,
                                        "select count(*) from pg_stat_activity where query like '%pg_sleep(3)%'"
                                                + " and pid <> pg_backend_pid() and state = 'active'")
                                .equals("1"));
            }
            mortal.crash();
            mortal.restart();
            thread.join(Duration.ofSeconds(60).toMillis());
            assertThat(result.get().partial()).isTrue();
            assertThat(result.get().trials()).hasSize(2);
            assertThat(result.get().trials().get(0).ok()).isFalse();
        }
    }
}
