package dev.assay.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.lab.script.Script;
import dev.assay.wire.Encryption;
import dev.assay.wire.Encryption.Mode;
import dev.assay.wire.RealServer;
import dev.assay.wire.TestCertificates;
import dev.assay.wire.WireSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The load engine over TLS: what {@link LoadClientIT} holds in clear where encryption could break it. */
@Timeout(60)
class EncryptedLoadIT {

    private static final int CLIENTS = 50;
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration NONE = Duration.ZERO;
    private static final String OURS =
            " from pg_stat_activity a join pg_stat_ssl s using (pid) " + "where application_name = 'assay load'";

    @TempDir
    private static Path folder;

    private static RealServer server;
    private static Encryption verified;

    @BeforeAll
    static void start() {
        TestCertificates certificates = TestCertificates.in(folder);
        verified = Encryption.of(Mode.VERIFY_FULL)
                .withRootCertificates(certificates.certificate("root").toString());
        server = RealServer.start(RealServer.NEWEST);
        server.encrypt(certificates, "server");
        one("create table account (id int primary key, balance bigint not null); "
                + "insert into account select i, 0 from generate_series(1, 1000) i; select 1");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static LoadClient open(Protocol protocol, int clients, int threads, String script) {
        return LoadClient.open(new LoadSettings(
                server.endpoint().withEncryption(verified),
                RealServer.postgres(),
                "assay load",
                List.of(new WeightedScript(Script.parse("script", script), 1)),
                protocol,
                clients,
                threads,
                42,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                LoadRules.closedLoop()));
    }

    private static String one(String sql) {
        try (WireSession session = server.session()) {
            return session.query(sql).get(0).get(0);
        }
    }

    private static void clean(LoadResult result, int clients) {
        assertThat(result.statementsFailed()).as("%s", result.failureExamples()).isEmpty();
        assertThat(result.connectionsLost()).as(result.firstLoss()).isZero();
        assertThat(result.connectionsOpen()).isEqualTo(clients);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void fiftyEncryptedClientsLoseNoUpdate(Protocol protocol) {
        one("update account set balance = 0; select 1");
        String script = "\\set id random(1, 1000)\nbegin;\nupdate account set balance = balance + 1 where id = :id;\n"
                + "select balance from account where id = :id;\ncommit;";
        try (LoadClient client = open(protocol, CLIENTS, 2, script)) {
            assertThat(one("select count(*) || ' ' || count(*) filter (where s.ssl)" + OURS))
                    .isEqualTo("50 50");
            LoadResult first = client.run(SHORT, SHORT);
            LoadResult second = client.run(NONE, SHORT);
            clean(first, CLIENTS);
            clean(second, CLIENTS);
            long done = first.transactions()
                    + first.transactionsOutside()
                    + second.transactions()
                    + second.transactionsOutside();
            assertThat(done).isPositive();
            assertThat(Long.parseLong(one("select sum(balance) from account"))).isEqualTo(done);
        }
    }

    @Test
    void largeStatementsAndAnswersPassThrough() {
        String script = "select repeat('x', 1048576), i from generate_series(1, 3) i;\n"
                + "select repeat('v', 100000) as large \\gset\nselect length(':large'), '" + "q".repeat(200_000)
                + "';\n"
                + "do $$ begin raise notice '%', repeat('n', 50000); end $$;";
        try (LoadClient client = open(Protocol.SIMPLE, 4, 2, script)) {
            LoadResult result = client.run(NONE, Duration.ofSeconds(1));
            clean(result, 4);
            assertThat(result.transactions()).isPositive();
        }
    }

    @Test
    void aRunOfSoManyTransactionsHasExactlyThose() {
        one("update account set balance = 0; select 1");
        try (LoadClient client = open(
                Protocol.PREPARED,
                CLIENTS,
                1,
                "\\set id random(1, 1000)\nupdate account set balance = balance + 1 where id = :id;")) {
            Histogram histogram = LoadLoop.newHistogram();
            clean(client.runTransactions(2_000, histogram), CLIENTS);
            clean(client.runTransactions(3_000, histogram), CLIENTS);
            assertThat(one("select sum(balance) from account")).isEqualTo("5000");
        }
    }

    @Test
    void aTerminatedBackendIsLostWithItsReason() {
        try (LoadClient client = open(Protocol.PREPARED, 5, 1, "select balance from account where id = 7;")) {
            CompletableFuture<LoadResult> running =
                    CompletableFuture.supplyAsync(() -> client.run(NONE, Duration.ofSeconds(1)));
            await().until(() -> client.progress().transactions() > 0);
            int victim = client.backendPids()[2];
            one("select pg_terminate_backend(" + victim + ")");
            LoadResult result = running.join();
            assertThat(result.connectionsLost()).isEqualTo(1);
            assertThat(result.firstLoss()).contains("57P01").contains("backend " + victim);
            assertThat(result.connectionsOpen()).isEqualTo(4);
        }
    }

    @Test
    void aStatementGivenUpIsCancelledOnTheServer() {
        try (WireSession holder = server.session()) {
            holder.execute("begin; lock table account");
            try (LoadClient client = open(Protocol.SIMPLE, 2, 1, "select count(*) from account;")) {
                assertThat(client.run(NONE, SHORT).connectionsLost()).isEqualTo(2);
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> one("select count(*)" + OURS).equals("0"));
            }
        }
    }
}
