package dev.assay.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerSettings;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TargetSessionIT {

    private static TestDatabase database;
    private static TargetSession session;

    @BeforeAll
    static void open() throws Exception {
        database = TestDatabase.on(
                TestServers.shared("16"),
                "create table t (i int)",
                "create sequence s",
                "create function writes() returns int language sql volatile as 'insert into t values (1) returning i'");
        session = database.target();
    }

    @AfterAll
    static void close() throws SQLException {
        session.close();
        database.close();
    }

    private static TargetException failure(String sql) {
        return catchThrowableOfType(TargetException.class, () -> session.query(sql, row -> row.getString(1)));
    }

    private static TargetException refusal(TargetAddress address) {
        return catchThrowableOfType(
                TargetException.class, () -> TargetSession.open(address).close());
    }

    /** A large answer comes in batches, in one transaction, and leaves the session as it was. */
    @Test
    void aScanShowsEachRowOnceAndLeavesNoTransaction() {
        List<Integer> seen = new ArrayList<>();
        List<String> transactions = new ArrayList<>();
        long rows = session.scan("select i, now() from generate_series(1, 2500) i", 1000, row -> {
            seen.add(row.getInt(1));
            transactions.add(row.getString(2));
        });
        assertThat(rows).isEqualTo(2500);
        assertThat(seen).hasSize(2500).isSorted().doesNotHaveDuplicates();
        assertThat(transactions.stream().distinct()).hasSize(1);
        TargetException failed = catchThrowableOfType(
                TargetException.class,
                () -> session.scan("select 1 / (2000 - i) from generate_series(1, 2500) i", 1000, row -> {}));
        assertThat(failed.sqlState()).isEqualTo("22012");
        // each query is a transaction of its own again
        assertThat(session.query("select now()", row -> row.getString(1)))
                .doesNotContainAnyElementsOf(session.query("select now()", row -> row.getString(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (1) returning i",
                "select writes()",
                "select nextval('s')",
                "delete from t returning i",
                "with gone as (delete from t returning i) select i from gone",
                "create temp table x as select 1",
                "truncate t",
                "select i from t for update",
                "comment on table t is 'x'"
            })
    void cannotWrite(String sql) {
        TargetException failure = failure(sql);
        assertThat(failure.sqlState()).as(sql).isEqualTo("25006");
        assertThat(failure).hasMessageContaining("read-only transaction");
        assertThat(session.query("select count(*) from t", row -> row.getInt(1)))
                .containsExactly(0);
    }

    @Test
    void isKnownByItsNameAndToldItsLimits() throws SQLException {
        assertThat(session.query(
                        "select current_setting('application_name') || ' ' || current_setting('statement_timeout') || ' '"
                                + " || current_setting('lock_timeout') || ' '"
                                + " || current_setting('idle_in_transaction_session_timeout') || ' '"
                                + " || current_setting('transaction_read_only')",
                        row -> row.getString(1)))
                .containsExactly("assay 5s 100ms 10s on");
        try (Connection other = database.connect("other")) {
            assertThat(TestDatabase.rows(
                            other,
                            "select count(*), min(state) from pg_stat_activity where application_name = 'assay' and datname = '"
                                    + database.name() + "'"))
                    .containsExactly(List.of("1", "idle"));
        }
        assertThat(session.server().version().major()).isEqualTo(16);
        assertThat(session.server().database()).isEqualTo(database.name());
    }

    @Test
    void aStatementThatTakesTooLongIsCancelledByTheServer() {
        TargetException failure = failure("select pg_sleep(40)::text");
        assertThat(failure.sqlState()).isEqualTo("57014");
        assertThat(failure).hasMessageContaining("statement timeout");
        assertThat(session.query("select 7", row -> row.getInt(1))).containsExactly(7);
        assertThat(session.busy()).isGreaterThan(Duration.ofSeconds(4));
    }

    @Test
    void aLockIsNotWaitedFor() throws SQLException {
        try (Connection holder = database.connect("holder")) {
            TestDatabase.run(holder, "begin; lock table t in access exclusive mode");
            TargetException failure = failure("select i from t");
            assertThat(failure.sqlState()).isEqualTo("55P03");
            assertThat(failure).hasMessageContaining("lock timeout");
        }
        assertThat(session.query("select count(*) from t", row -> row.getInt(1)))
                .containsExactly(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "18"})
    void otherVersionsAreGuardedAsWell(String version) throws Exception {
        try (TestDatabase other = TestDatabase.on(TestServers.shared(version), "create table t (i int)");
                TargetSession guarded = other.target()) {
            TargetException failure = catchThrowableOfType(
                    TargetException.class,
                    () -> guarded.query("insert into t values (1) returning i", row -> row.getInt(1)));
            assertThat(failure.sqlState()).isEqualTo("25006");
            assertThat(guarded.server().version().major()).isEqualTo(Integer.parseInt(version));
        }
    }

    @Test
    void anArrayAndAPlainParameterReachTheServer() {
        assertThat(session.query(
                        "select n from generate_series(1, ?) n where n = any (?) order by n",
                        row -> row.getInt(1),
                        9,
                        new Long[] {3L, 12L, 5L}))
                .containsExactly(3, 5);
    }

    @Test
    void aPortWithoutAServerIsTold() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        TargetException refused = refusal(TargetAddress.of("d", "127.0.0.1", port, "u", Map.of()));
        assertThat(refused)
                .hasMessageStartingWith("cannot reach PostgreSQL at 127.0.0.1:" + port)
                .hasMessageContaining("refused");
        assertThat(refused.hint()).contains("-h, -p");
    }

    @Test
    void aNameWithoutAnAddressIsTold() {
        TargetException refused = refusal(TargetAddress.of("d", "no-such-host.invalid", 5432, "u", Map.of()));
        assertThat(refused)
                .hasMessageStartingWith("cannot reach PostgreSQL at no-such-host.invalid:5432")
                .hasMessageContaining("there is no host 'no-such-host.invalid'");
    }

    @Test
    void anUnknownDatabaseAndAnUnknownRoleAreTold() throws InterruptedException {
        EmbeddedServer server = TestServers.shared("16");
        TargetException absent =
                refusal(TargetAddress.of("absent", server.host(), server.port(), "postgres", Map.of()));
        assertThat(absent.sqlState()).isEqualTo("3D000");
        assertThat(absent).hasMessageContaining("\"absent\" does not exist");
        assertThat(absent.hint()).contains("-d");
        TargetException nobody =
                refusal(TargetAddress.of("postgres", server.host(), server.port(), "nobody", Map.of()));
        assertThat(nobody.sqlState()).isEqualTo("28000");
        assertThat(nobody).hasMessageStartingWith("login as nobody@" + server.host());
    }

    @Test
    void aWrongPasswordIsToldAndNeverShown() throws InterruptedException {
        ServerSettings settings = TestServers.settings("16").withScram("right one");
        try (EmbeddedServer server = EmbeddedServer.start(settings)) {
            String place = "postgresql://postgres:%s@" + server.host() + ":" + server.port() + "/postgres";
            TargetException wrong =
                    refusal(TargetAddress.of(String.format(place, "s3cret"), null, null, null, Map.of()));
            assertThat(wrong.sqlState()).isEqualTo("28P01");
            assertThat(wrong).hasMessageStartingWith("login as postgres@" + server.host());
            assertThat(wrong.getMessage() + wrong.hint()).doesNotContain("s3cret");
            TargetSession.open(TargetAddress.of(String.format(place, "right%20one"), null, null, null, Map.of()))
                    .close();
        }
    }

    /** As a login does that waits for a lock on {@code pg_authid}: the connection is taken, and nothing is answered. */
    @Test
    void aLoginThatHangsEndsByTheClientsDeadline() throws IOException {
        List<Socket> taken = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> accepting = CompletableFuture.runAsync(() -> {
                try {
                    while (true) {
                        taken.add(silent.accept());
                    }
                } catch (IOException e) {
                    // the test is over
                }
            });
            TargetAddress address = TargetAddress.of("d", "127.0.0.1", silent.getLocalPort(), "u", Map.of());
            long start = System.nanoTime();
            TargetException hung = refusal(address);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            assertThat(hung).hasMessageMatching("no answer from 127.0.0.1:" + silent.getLocalPort() + " in \\d+ s");
            assertThat(hung.hint()).contains("lock on a system catalog");
            silent.close();
            accepting.join();
        }
        assertThat(taken).isNotEmpty();
        for (Socket socket : taken) {
            socket.close();
        }
    }
}
