package dev.assay.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.assay.lab.script.Script;
import dev.assay.lab.script.Xoroshiro;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.RealServer;
import dev.assay.wire.WireSession;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LoadClientIT {

    private static final long SEED = Long.getLong("assay.test.seed", 42);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration NONE = Duration.ZERO;

    private static RealServer server;

    @BeforeAll
    static void start() {
        System.out.println("LoadClientIT seed " + SEED);
        server = RealServer.start(RealServer.NEWEST);
        try (WireSession session = server.session()) {
            session.execute("create table account (id int primary key, balance bigint not null, filler text); "
                    + "insert into account select i, 0, repeat('f', 200) from generate_series(1, 1000) i; "
                    + "create table journal (client int, a bigint, b bigint, text text)");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static LoadSettings settings(RealServer on, Protocol protocol, int clients, String... scripts) {
        return new LoadSettings(
                on.endpoint(),
                RealServer.postgres(),
                "assay load",
                Arrays.stream(scripts)
                        .map(text -> new WeightedScript(Script.parse("script", text), 1))
                        .toList(),
                protocol,
                clients,
                1,
                SEED,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                LoadRules.closedLoop());
    }

    private static LoadClient open(Protocol protocol, int clients, String... scripts) {
        return LoadClient.open(settings(server, protocol, clients, scripts));
    }

    private static String one(String sql) {
        try (WireSession session = server.session()) {
            return session.query(sql).get(0).get(0);
        }
    }

    private static void clean(LoadResult result, int clients) {
        assertThat(result.statementsFailed()).as("%s", result.failureExamples()).isEmpty();
        assertThat(result.transactionsFailed()).isZero();
        assertThat(result.connectionsLost()).as(result.firstLoss()).isZero();
        assertThat(result.connectionsOpen()).isEqualTo(clients);
        assertThat(result.latency().getTotalCount()).isEqualTo(result.transactions());
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void everyProtocolWritesTheSameAndTheCountsAreTheServers(Protocol protocol) {
        String script = "\\set a random(-1000000, 1000000)\n\\set b random(:a, 2000000)\n"
                + "begin;\ninsert into journal values (1, :a, :b, 'x:' || :b::bigint);\ncommit;";
        try (LoadClient client = open(protocol, 1, script)) {
            one("truncate journal; select 1");
            LoadResult first = client.run(SHORT, SHORT);
            clean(first, 1);
            assertThat(first.transactions()).isPositive();
            assertThat(first.transactionsOutside()).isPositive();
            assertThat(first.measuredNanos()).isBetween(SHORT.toNanos(), SHORT.toNanos() + 100_000_000L);
            assertThat(Long.parseLong(one("select count(*) from journal")))
                    .isEqualTo(first.transactions() + first.transactionsOutside());
            // the first draws of client 0, by the script's own arithmetic
            assertThat(
                            one(
                                    "select string_agg(a || ',' || b || ',' || text, ' ') from (select * from journal limit 5) j"))
                    .isEqualTo(expected(5));
        }
    }

    private static String expected(int rows) {
        Xoroshiro draws = new Xoroshiro(new Xoroshiro(SEED).next());
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            long a = draws.between(-1000000, 1000000);
            long b = draws.between(a, 2000000);
            text.append(a).append(',').append(b).append(",x:").append(b).append(i == rows - 1 ? "" : " ");
        }
        return text.toString();
    }

    @Test
    void twoHundredConnectionsOnOneThreadLoseNoUpdate() {
        one("update account set balance = 0; select 1");
        String script = "\\set id random(1, 1000)\nupdate account set balance = balance + 1 where id = :id;";
        try (LoadClient client = open(Protocol.PREPARED, 200, script)) {
            assertThat(client.backendPids()).hasSize(200).doesNotHaveDuplicates();
            assertThat(one("select count(*) from pg_stat_activity where application_name = 'assay load'"))
                    .isEqualTo("200");
            LoadResult first = client.run(NONE, SHORT);
            LoadResult second = client.run(SHORT, SHORT);
            clean(first, 200);
            clean(second, 200);
            long done = first.transactions()
                    + first.transactionsOutside()
                    + second.transactions()
                    + second.transactionsOutside();
            assertThat(Long.parseLong(one("select sum(balance) from account"))).isEqualTo(done);
            assertThat(client.progress().connectionsOpen()).isEqualTo(200);
            // every connection is idle when run has returned
            assertThat(one("select count(*) from pg_stat_activity where application_name = 'assay load' "
                            + "and state <> 'idle'"))
                    .isEqualTo("0");
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() -> one("select count(*) from pg_stat_activity where application_name = 'assay load'")
                        .equals("0"));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void answersLargerThanTheBufferAndMessagesBetweenThemArePassedOver(Protocol protocol) {
        String script = """
                select * from account;
                do $$ begin raise notice '%', repeat('n', 50000); end $$;
                set application_name = 'assay load';
                set datestyle = 'ISO, DMY';
                set datestyle = 'ISO, MDY';
                select repeat('y', 300000);
                copy (select * from account) to stdout;
                \\set trailing 1
                """;
        try (LoadClient client = open(protocol, 4, script)) {
            LoadResult result = client.run(NONE, SHORT);
            clean(result, 4);
            assertThat(result.transactions()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void failuresAreToldBySqlStateAndTheBlockIsRolledBack(Protocol protocol) {
        one("truncate journal; select 1");
        String script = "\\set d random(0, 1)\nbegin;\ninsert into journal values (:d, 0, 0, null);\n"
                + "select 1 / :d;\nselect 'never reached after a failure';\ncommit;";
        try (LoadClient client = open(protocol, 4, script)) {
            LoadResult result = client.run(NONE, SHORT);
            assertThat(result.transactions()).isPositive();
            assertThat(result.transactionsFailed()).isPositive();
            assertThat(result.statementsFailed()).containsOnlyKeys("22012");
            sameButForTheEdges(result, "22012", 4);
            assertThat(result.failureExamples()).containsEntry("22012", "ERROR 22012: division by zero");
            assertThat(result.connectionsLost()).as(result.firstLoss()).isZero();
            assertThat(one("select count(*) filter (where client = 0) || ' ' || count(*) from journal"))
                    .isEqualTo("0 " + (result.transactions() + result.transactionsOutside()));
        }
    }

    /** A statement may fail inside the window and its transaction be rolled back just outside, at either end, once for each client. */
    private static void sameButForTheEdges(LoadResult result, String state, long clients) {
        assertThat(result.statementsFailed().get(state) - result.transactionsFailed())
                .isBetween(-clients, clients);
    }

    @Test
    void anErrorLargerThanTheBufferAndAParseErrorAreCounted() {
        String large = "do $$ begin raise exception '%', repeat('e', 100000) using errcode = 'ZZ001'; end $$;";
        for (Protocol protocol : Protocol.values()) {
            try (LoadClient client = open(protocol, 2, large, "select from where;")) {
                LoadResult result = client.run(NONE, SHORT);
                assertThat(result.statementsFailed()).containsOnlyKeys("ZZ001", "42601");
                assertThat(result.failureExamples().get("ZZ001")).contains("eeee");
                assertThat(result.connectionsOpen()).isEqualTo(2);
                assertThat(result.transactions()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aServerThatAsksForCopyDataGetsNone(Protocol protocol) {
        try (LoadClient client =
                open(protocol, 2, "begin; /* hidden */ copy journal from stdin; commit;", "select 1;")) {
            LoadResult result = client.run(NONE, SHORT);
            assertThat(result.statementsFailed())
                    .as("%s", result.failureExamples())
                    .containsOnlyKeys("57014");
            assertThat(result.transactions()).isPositive();
            assertThat(result.connectionsOpen()).as(result.firstLoss()).isEqualTo(2);
        }
    }

    @Test
    void aBackendTerminatedBetweenRunsIsFoundLostWithItsReason() {
        try (LoadClient client = open(Protocol.PREPARED, 3, "select 1;")) {
            clean(client.run(NONE, SHORT), 3);
            String victim = Integer.toString(client.backendPids()[1]);
            one("select pg_terminate_backend(" + victim + ", 10000)");
            LoadResult result = client.run(NONE, SHORT);
            assertThat(result.connectionsLost()).isEqualTo(1);
            assertThat(result.firstLoss()).contains("backend " + victim).contains("57P01");
            assertThat(result.transactions()).isPositive();
        }
    }

    @Test
    void aScriptThatLeavesItsBlockOpenIsRolledBackAndTold() {
        one("truncate journal; select 1");
        try (LoadClient client = open(Protocol.SIMPLE, 2, "begin; insert into journal values (1, 1, 1, null);")) {
            LoadResult result = client.run(NONE, SHORT);
            assertThat(result.transactions()).isZero();
            assertThat(result.statementsFailed()).containsOnlyKeys(LoadResult.OPEN_BLOCK);
            sameButForTheEdges(result, LoadResult.OPEN_BLOCK, 2);
            assertThat(result.transactionsFailed()).isPositive();
            assertThat(one("select count(*) from journal")).isEqualTo("0");
        }
    }

    @Test
    void joinedStatementsAreOneTransaction() {
        one("truncate journal; select 1");
        try (LoadClient client = open(Protocol.SIMPLE, 2, "insert into journal values (1)\\; select 1 / 0;")) {
            LoadResult result = client.run(NONE, SHORT);
            assertThat(result.statementsFailed()).containsOnlyKeys("22012");
            assertThat(one("select count(*) from journal")).isEqualTo("0");
        }
    }

    @Test
    void aTerminatedBackendCostsOneConnectionAndTheRestGoOn() {
        try (LoadClient client = open(Protocol.PREPARED, 5, "select balance from account where id = 7;")) {
            CompletableFuture<LoadResult> running =
                    CompletableFuture.supplyAsync(() -> client.run(NONE, Duration.ofSeconds(1)));
            await().until(() -> client.progress().transactions() > 0);
            int victim = client.backendPids()[2];
            one("select pg_terminate_backend(" + victim + ")");
            LoadResult result = running.join();
            assertThat(result.connectionsLost()).isEqualTo(1);
            assertThat(result.connectionsOpen()).isEqualTo(4);
            assertThat(result.firstLoss()).contains("57P01").contains("backend " + victim);
            assertThat(result.transactions()).isPositive();
            assertThat(client.backendPids()).hasSize(4).doesNotContain(victim);
            clean(client.run(NONE, SHORT), 4);
        }
    }

    @Test
    void aServerProcessThatStopsAnsweringIsGivenUpAfterTheStallTimeout() {
        try (LoadClient client = open(Protocol.SIMPLE, 3, "select balance from account where id = 7;")) {
            int victim = client.backendPids()[0];
            RealServer.signal("STOP", victim);
            long start = System.nanoTime();
            LoadResult result = client.run(NONE, SHORT);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            assertThat(result.connectionsLost()).isEqualTo(1);
            assertThat(result.firstLoss()).containsPattern("no answer in 2\\d\\d\\d ms \\(limit 2000 ms\\), in script");
            assertThat(result.transactions()).isPositive();
            RealServer.signal("CONT", victim);
        }
    }

    @Test
    void aStatementGivenUpIsCancelledOnTheServer() {
        try (WireSession holder = server.session()) {
            holder.execute("begin; lock table account");
            try (LoadClient client = open(Protocol.SIMPLE, 2, "select count(*) from account;")) {
                LoadResult result = client.run(NONE, SHORT);
                assertThat(result.connectionsLost()).isEqualTo(2);
                assertThat(result.connectionsOpen()).isZero();
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> one("select count(*) from pg_stat_activity where application_name = 'assay load'")
                                .equals("0"));
                LoadResult none = client.run(SHORT, SHORT);
                assertThat(none.transactions()).isZero();
                assertThat(none.connectionsOpen()).isZero();
            }
        }
    }

    @Test
    void stopEndsARunWithinASecond() {
        try (LoadClient client = open(Protocol.SIMPLE, 3, "select pg_sleep(1.5);")) {
            CompletableFuture<LoadResult> running =
                    CompletableFuture.supplyAsync(() -> client.run(NONE, Duration.ofMinutes(1)));
            await().until(() -> one("select count(*) from pg_stat_activity where wait_event = 'PgSleep'")
                    .equals("3"));
            long start = System.nanoTime();
            client.stop();
            LoadResult result = running.join();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
            assertThat(result.measuredNanos()).isLessThan(Duration.ofMinutes(1).toNanos());
            assertThat(client.run(SHORT, SHORT).transactions()).isZero();
        }
    }

    @Test
    void tooManyConnectionsAreRefusedAndNoneStays() {
        ErrorResponseException refused = catchThrowableOfType(
                ErrorResponseException.class,
                () -> open(Protocol.SIMPLE, RealServer.SESSIONS_MAX + 1, "select 1;")
                        .close());
        assertThat(refused.sqlState()).isEqualTo("53300");
        await().atMost(Duration.ofSeconds(10))
                .until(() -> one("select count(*) from pg_stat_activity where application_name = 'assay load'")
                        .equals("0"));
    }

    @Test
    void aClosedClientRunsNoMore() {
        LoadClient client = open(Protocol.SIMPLE, 1, "select 1;");
        client.close();
        client.close();
        assertThat(client.backendPids()).isEmpty();
        assertThatThrownBy(() -> client.run(NONE, SHORT)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void nothingIsAllocatedForATransaction(Protocol protocol) {
        String script = "\\set id random(1, 1000)\nbegin;\nselect balance from account where id = :id;\n"
                + "select count(*) from account where id < :id;\ncommit;";
        try (LoadClient client = open(protocol, 50, script)) {
            Histogram histogram = LoadLoop.newHistogram();
            client.runTransactions(10_000, histogram);
            LoadResult result = client.runTransactions(10_000, histogram);
            clean(result, 50);
            assertThat(result.transactions()).isEqualTo(10_000);
            double bytes = result.clientAllocatedBytes() / 10_000.0;
            System.out.printf("%s: %.3f bytes allocated for a transaction%n", protocol, bytes);
            assertThat(bytes).isLessThan(1);
        }
    }

    @Test
    void aServerKilledMidRunEndsTheRunAtOnce() {
        try (RealServer doomed = RealServer.start(RealServer.OLDER);
                LoadClient client = LoadClient.open(settings(doomed, Protocol.EXTENDED, 20, "select 1;"))) {
            CompletableFuture<LoadResult> running =
                    CompletableFuture.supplyAsync(() -> client.run(NONE, Duration.ofMinutes(1)));
            await().until(() -> client.progress().transactions() > 0);
            long start = System.nanoTime();
            doomed.kill();
            LoadResult result = running.join();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            assertThat(result.connectionsLost()).isEqualTo(20);
            assertThat(result.connectionsOpen()).isZero();
            assertThat(result.firstLoss()).contains(doomed.endpoint().toString());
            assertThat(result.transactions()).isPositive();
            assertThat(client.run(NONE, SHORT).transactions()).isZero();
        }
    }
}
