package dev.assay.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.assay.lab.script.Script;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rates, limits, tries, connections and threads of a load, the books kept by the server. */
@Timeout(120)
class LoadRulesIT {

    private static final long SEED = Long.getLong("assay.test.seed", 42);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static EmbeddedServer server;
    private static TestDatabase database;
    private static Connection view;

    @BeforeAll
    static void start() throws Exception {
        System.out.println("LoadRulesIT seed " + SEED);
        server = TestServers.fresh("18");
        database = TestDatabase.on(
                server,
                "create table account (id int primary key, balance int)",
                "insert into account select n, 0 from generate_series(1, 10) n",
                "create table journal (id bigint generated always as identity, pid int, note text)");
        view = database.connect("view");
    }

    @AfterAll
    static void stop() throws Exception {
        view.close();
        database.close();
        server.close();
    }

    private static final class Setup {
        private final List<WeightedScript> scripts = new ArrayList<>();
        private Protocol protocol = Protocol.SIMPLE;
        private int clients = 1;
        private int threads = 1;
        private double rate;
        private Duration limit;
        private int tries = 1;
        private boolean goesOn = true;
        private boolean connects;
        private boolean reconnects;
        private boolean endsOnAbort;
        private Map<String, String> variables = Map.of();
        private final List<String> said = Collections.synchronizedList(new ArrayList<>());

        Setup script(String text, int weight) {
            scripts.add(new WeightedScript(Script.parse("script " + scripts.size(), text), weight));
            return this;
        }

        LoadClient open(EmbeddedServer on, String name) {
            return LoadClient.open(
                    new LoadSettings(
                            new Endpoint(on.host(), on.port()),
                            new Credentials(on.user(), null, name),
                            "rules",
                            scripts,
                            protocol,
                            clients,
                            threads,
                            SEED,
                            PATIENCE,
                            PATIENCE,
                            new LoadRules(rate, limit, tries, goesOn, endsOnAbort, connects, reconnects, 1, variables)),
                    said::add);
        }

        LoadResult run(RunPlan plan) {
            try (LoadClient client = open(server, database.name())) {
                return client.run(plan);
            }
        }
    }

    private static Setup load(String script) {
        return new Setup().script(script, 1);
    }

    private static RunPlan seconds(int seconds) {
        return new RunPlan(Duration.ZERO, Duration.ofSeconds(seconds), 0, true, false, null);
    }

    private static RunPlan each(int transactions) {
        return new RunPlan(Duration.ZERO, null, transactions, true, false, null);
    }

    private static long number(String sql) throws Exception {
        return Long.parseLong(TestDatabase.one(view, sql));
    }

    @Test
    void transactionsBeginAtTheRateAndAtRandom() {
        Setup load = load("select 1;");
        load.clients = 8;
        load.threads = 2;
        load.rate = 300;
        LoadResult result = load.run(seconds(4));
        // 1,200 expected, standard deviation 35: five of them
        assertThat(result.transactions()).as("seed %d", SEED).isBetween(1025L, 1375L);
        assertThat(result.counts().lag().count()).isEqualTo(result.transactions());
        assertThat(result.counts().lag().min()).isNotNegative();
        // moments are waited for in naps of 50 us
        assertThat(result.counts().lag().min()).as("smallest lag, us").isLessThan(1000);
    }

    @Test
    void latencyCountsFromTheMomentIntended() {
        Setup load = load("select pg_sleep(0.01);");
        load.rate = 200; // twice what one client can do
        LoadResult result = load.run(seconds(2));
        assertThat(result.transactions()).isLessThan(210);
        // the last one begins about a second late, and the mean is half of that
        assertThat(result.counts().latency().mean()).isGreaterThan(250_000);
        assertThat(result.counts().lag().max()).isGreaterThan(500_000);
        assertThat(result.latency().getMaxValue() / 1e3)
                .isCloseTo(result.counts().latency().max(), within(10_000.0));
    }

    @Test
    void whatWouldBeginTooLateIsSkippedAndWhatTookTooLongIsLate() {
        Setup load = load("select pg_sleep(0.02);");
        load.rate = 200; // four times what one client can do
        load.limit = Duration.ofMillis(30);
        LoadResult result = load.run(seconds(2));
        LoadCounts counts = result.counts();
        assertThat(counts.skipped()).isGreaterThan(counts.succeeded());
        assertThat(counts.late()).isPositive().isLessThanOrEqualTo(counts.succeeded());
        assertThat(counts.lag().max()).isLessThanOrEqualTo(31_000.0 + 20_000);
        assertThat(counts.good()).isEqualTo(counts.succeeded() - counts.late());
        assertThat(counts.total()).isEqualTo(counts.succeeded() + counts.skipped());
    }

    @Test
    void serializationFailuresAreTriedAgainAndNothingIsLost() throws Exception {
        TestDatabase.run(view, "update account set balance = 0");
        Setup load = load("begin isolation level repeatable read;\n"
                + "select balance as before from account where id = 1 \\gset\n"
                + "update account set balance = :before + 1 where id = 1;\ncommit;");
        load.clients = 8;
        load.tries = 0;
        LoadResult result = load.run(seconds(2));
        assertThat(result.counts().retries()).isPositive();
        assertThat(result.counts().retried())
                .isPositive()
                .isLessThanOrEqualTo(result.counts().retries());
        assertThat(result.statementsFailed()).containsOnlyKeys("40001");
        assertThat(number("select balance from account where id = 1")).isEqualTo(result.transactions());
    }

    @Test
    void deadlocksAreCountedApart() throws Exception {
        TestDatabase.run(view, "update account set balance = 0");
        Setup load = load("\\set first random(1, 2)\nbegin;\nset local deadlock_timeout = '10ms';\n"
                + "update account set balance = balance + 1 where id = :first;\n"
                + "update account set balance = balance + 1 where id = 3 - :first;\ncommit;");
        load.clients = 6;
        LoadResult result = load.run(seconds(2));
        assertThat(result.counts().deadlocks()).isPositive();
        assertThat(result.counts().otherFailures()).isZero();
        assertThat(number("select balance from account where id = 2")).isEqualTo(result.transactions());
    }

    @Test
    void variablesAreRestoredBeforeAnotherTry() throws Exception {
        TestDatabase.run(view, "truncate journal; create sequence if not exists tries; alter sequence tries restart");
        Setup load = new Setup()
                .script(
                        "\\set n :n + 1\n\\set x random(1, 1000000000)\nbegin;\n"
                                + "insert into journal (note) values (':n :x');\n"
                                + "do $$ begin if nextval('tries') % 3 <> 0 then raise exception 'again' using errcode = '40001'; end if; end $$;\n"
                                + "commit;",
                        1);
        load.tries = 5;
        load.variables = Map.of("n", "0");
        try (LoadClient client = load.open(server, database.name())) {
            LoadResult result = client.run(each(4));
            assertThat(result.counts().retries()).isEqualTo(8);
            assertThat(result.transactions()).isEqualTo(4);
        }
        assertThat(TestDatabase.one(view, "select string_agg(split_part(note, ' ', 1), ',' order by id) from journal"))
                .isEqualTo("1,2,3,4");
    }

    @Test
    void weightsAreKept() {
        Setup load = new Setup().script("select 1;", 1).script("select 2;", 3).script("select 3;", 0);
        load.clients = 2;
        LoadResult result = load.run(each(2000));
        assertThat(result.transactions()).isEqualTo(4000);
        // 1,000 expected, standard deviation 27
        assertThat(result.scripts().get(0).counts().succeeded())
                .as("seed %d", SEED)
                .isBetween(860L, 1140L);
        assertThat(result.scripts().get(2).counts().total()).isZero();
        assertThat(result.scripts().stream()
                        .mapToLong(script -> script.counts().succeeded())
                        .sum())
                .isEqualTo(4000);
    }

    @Test
    void aConnectionForEachTransactionIsOne() throws Exception {
        TestDatabase.run(view, "truncate journal");
        Setup load = load("insert into journal (pid) values (pg_backend_pid());");
        load.clients = 3;
        load.connects = true;
        LoadResult result = load.run(each(7));
        assertThat(result.transactions()).isEqualTo(21);
        assertThat(result.connectNanos()).isPositive();
        assertThat(number("select count(*) from journal")).isEqualTo(21);
        assertThat(number("select count(distinct pid) from journal")).isEqualTo(21);
    }

    @Test
    void aRunEndsWhenNoConnectionCanBeOpenedAnyMore() throws Exception {
        try (EmbeddedServer crashed = TestServers.fresh("16")) {
            Setup load = load("select 1;");
            load.clients = 3;
            load.connects = true;
            try (LoadClient client = load.open(crashed, crashed.database())) {
                CompletableFuture<LoadResult> running =
                        CompletableFuture.supplyAsync(() -> client.run(Duration.ZERO, Duration.ofSeconds(60)));
                await().atMost(PATIENCE).until(() -> client.progress().transactions() > 10);
                crashed.crash();
                LoadResult result = running.join();
                assertThat(result.connectionsLost()).isEqualTo(3);
                assertThat(result.transactions()).isGreaterThan(10);
            }
        }
    }

    @Test
    void clientsComeBackAfterARestart() throws Exception {
        try (EmbeddedServer restarted = TestServers.fresh("16")) {
            Setup load = load("select 1;");
            load.clients = 10;
            load.threads = 2;
            load.reconnects = true;
            try (LoadClient client = load.open(restarted, restarted.database())) {
                CompletableFuture<LoadResult> running =
                        CompletableFuture.supplyAsync(() -> client.run(Duration.ZERO, Duration.ofSeconds(60)));
                await().atMost(PATIENCE).until(() -> client.progress().transactions() > 100);
                restarted.crash();
                await().atMost(PATIENCE).until(() -> client.progress().connectionsOpen() == 0);
                restarted.restart();
                await().atMost(PATIENCE).until(() -> client.progress().connectionsOpen() == 10);
                long before = client.progress().transactions();
                await().atMost(PATIENCE).until(() -> client.progress().transactions() > before + 1000);
                client.stop();
                LoadResult result = running.join();
                assertThat(result.connectionsLost()).isGreaterThanOrEqualTo(10);
                assertThat(result.connectionsOpen()).isEqualTo(10);
                assertThat(result.firstLoss()).isNotBlank();
                assertThat(load.said).anyMatch(line -> line.contains("lost its connection"));
            }
        }
    }

    @Test
    void withoutReconnectingClientsStopAndAreCounted() throws Exception {
        try (EmbeddedServer crashed = TestServers.fresh("16")) {
            Setup load = load("select 1;");
            load.clients = 10;
            try (LoadClient client = load.open(crashed, crashed.database())) {
                CompletableFuture<LoadResult> running =
                        CompletableFuture.supplyAsync(() -> client.run(Duration.ZERO, Duration.ofSeconds(60)));
                await().atMost(PATIENCE).until(() -> client.progress().transactions() > 100);
                crashed.crash();
                LoadResult result = running.join();
                assertThat(result.connectionsLost()).isEqualTo(10);
                assertThat(result.connectionsOpen()).isZero();
                assertThat(result.transactions()).isGreaterThan(100);
            }
        }
    }

    @Test
    void fourThreadsShareTheClientsAndLoseNothing() throws Exception {
        TestDatabase.run(view, "update account set balance = 0");
        Setup load = load("\\set id random(1, 10)\nupdate account set balance = balance + 1 where id = :id;");
        load.protocol = Protocol.PREPARED;
        load.clients = 30;
        load.threads = 4;
        LoadResult result = load.run(each(100));
        assertThat(result.transactions()).isEqualTo(3000);
        assertThat(number("select sum(balance) from account")).isEqualTo(3000);
        assertThat(result.latency().getTotalCount()).isEqualTo(3000);
    }

    @Test
    void pipelinesMayHaveSeveralSyncs() throws Exception {
        TestDatabase.run(view, "truncate journal");
        for (Protocol protocol : List.of(Protocol.EXTENDED, Protocol.PREPARED)) {
            Setup load = load("\\startpipeline\nbegin;\ninsert into journal (note) values ('a');\ncommit;\n"
                    + "\\syncpipeline\ninsert into journal (note) values ('b');\n\\syncpipeline\n\\endpipeline\n"
                    + "select count(*) as n from journal \\gset\ninsert into journal (note) values (:n);\n");
            load.protocol = protocol;
            LoadResult result = load.run(each(5));
            assertThat(result.transactions()).as("%s", result.failureExamples()).isEqualTo(5);
        }
        assertThat(number("select count(*) from journal where note in ('a', 'b')"))
                .isEqualTo(20);
    }

    @Test
    void anErrorInAPipelineUndoesItsSegmentAlone() throws Exception {
        TestDatabase.run(view, "truncate journal");
        Setup load = load("\\startpipeline\ninsert into journal (note) values ('kept');\n\\syncpipeline\n"
                + "insert into journal (note) values ('lost');\nselect 1 / 0;\n\\syncpipeline\n"
                + "insert into journal (note) values ('behind');\n\\endpipeline\n");
        load.protocol = Protocol.EXTENDED;
        LoadResult result = load.run(each(3));
        assertThat(result.counts().otherFailures()).isEqualTo(3);
        assertThat(TestDatabase.one(
                        view,
                        "select string_agg(note || ' ' || count, ',' order by note) from"
                                + " (select note, count(*) from journal group by 1) j"))
                .isEqualTo("behind 3,kept 3");
    }

    @Test
    void aLongPipelineOfLargeStatementsIsNoDeadlock() throws Exception {
        StringBuilder script = new StringBuilder("\\startpipeline\n");
        for (int i = 0; i < 200; i++) {
            script.append("select repeat('r', 20000), '")
                    .append("s".repeat(4000))
                    .append("';\n");
        }
        Setup load = load(script + "\\endpipeline\n");
        load.protocol = Protocol.EXTENDED;
        LoadResult result = load.run(each(2));
        assertThat(result.transactions()).as("%s", result.firstLoss()).isEqualTo(2);
    }

    @Test
    void rowsLargerThanTheBufferGoIntoVariables() throws Exception {
        TestDatabase.run(view, "truncate journal");
        Setup load = load("select repeat('x', 300000) as x, length(repeat('y', 17)) as y \\gset\n"
                + "insert into journal (note) values (length(':x') || ' ' || :y);\n"
                + "select n as last, repeat('z', 1000) as z from generate_series(1, 5000) n \\aset\n"
                + "insert into journal (note) values (:last || ' ' || length(':z'));\n");
        LoadResult result = load.run(each(2));
        assertThat(result.transactions())
                .as("%s %s", result.firstAbort(), load.said)
                .isEqualTo(2);
        assertThat(TestDatabase.one(view, "select string_agg(note, ',' order by id) from journal"))
                .isEqualTo("300000 17,5000 1000,300000 17,5000 1000");
    }

    @Test
    void commandsAreTimedEachForItself() {
        Setup load = load("\\set x 1\nselect pg_sleep(0.02);\n\\sleep 30 ms\n\\if :x = 2\nselect 2;\n\\endif\n");
        LoadResult result = load.run(new RunPlan(Duration.ZERO, null, 5, true, true, null));
        List<CommandResult> commands = result.scripts().get(0).commands();
        assertThat(commands).extracting(CommandResult::text).element(1).isEqualTo("select pg_sleep(0.02);");
        assertThat(commands.get(1).time().count()).isEqualTo(5);
        assertThat(commands.get(1).time().mean()).isBetween(20_000.0, 60_000.0);
        assertThat(commands.get(2).time().mean()).isBetween(30_000.0, 70_000.0);
        assertThat(commands.get(4).time().count()).isZero();
    }

    @Test
    void aRunThatIsStoppedEndsAShellCommandAndASleep() {
        for (String script : List.of("\\shell sleep 60\n", "\\sleep 60 s\nselect 1;\n")) {
            Setup load = load(script);
            try (LoadClient client = load.open(server, database.name())) {
                CompletableFuture<LoadResult> running =
                        CompletableFuture.supplyAsync(() -> client.run(Duration.ZERO, Duration.ofSeconds(60)));
                await().pollDelay(Duration.ofMillis(500)).atMost(PATIENCE).until(() -> !running.isDone());
                long start = System.nanoTime();
                client.stop();
                running.join();
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .as(script)
                        .isLessThan(Duration.ofSeconds(3));
            }
        }
    }

    @Test
    void anAbortEndsTheRunWhereItIsToldTo() {
        Setup load = new Setup().script("\\if :client_id = 2\n\\set x 1 / 0\n\\endif\nselect pg_sleep(0.01);\n", 1);
        load.clients = 4;
        load.threads = 2;
        load.goesOn = false;
        load.endsOnAbort = true;
        try (LoadClient client = load.open(server, database.name())) {
            long start = System.nanoTime();
            LoadResult result = client.run(seconds(60));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(result.clientsAborted()).isEqualTo(1);
            assertThat(result.firstAbort()).contains("client 2 script 0 aborted in command 1");
            assertThat(load.said).contains("division by zero");
        }
    }
}
