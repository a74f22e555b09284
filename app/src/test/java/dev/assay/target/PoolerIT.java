package dev.assay.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.evidence.ActivityRow;
import dev.assay.observe.Observation;
import dev.assay.observe.Sampler;
import dev.assay.observe.probe.Probes;
import dev.assay.pg.Pooler;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.PgBouncer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pooler between us and the server is recognised, and what we set never meets its other clients. */
@Timeout(60)
final class PoolerIT {

    private EmbeddedServer server;
    private TestDatabase database;

    @BeforeEach
    void open() throws Exception {
        server = TestServers.shared("16");
        database = TestDatabase.on(server, "create table t (i int)");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private TargetAddress through(PgBouncer bouncer) {
        return TargetAddress.of(database.name(), "127.0.0.1", bouncer.port(), server.user(), Map.of());
    }

    private Connection client(PgBouncer bouncer) throws Exception {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + bouncer.port() + "/" + database.name() + "?prepareThreshold=0",
                server.user(),
                "");
    }

    private static String limits(TargetSession session) {
        return session.query(
                        "select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' '"
                                + " || current_setting('idle_in_transaction_session_timeout') || ' '"
                                + " || current_setting('transaction_read_only') || ' ' || current_setting('jit')",
                        row -> row.getString(1))
                .get(0);
    }

    @Test
    void a_server_that_is_reached_directly_has_none() {
        try (TargetSession session = database.target()) {
            assertThat(session.server().pooler()).isNull();
            assertThat(limits(session)).isEqualTo("5s 100ms 10s on off");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"admin_users = postgres", "stats_users = postgres", "admin_users ="})
    void pgbouncer_in_session_mode_is_named_and_the_limits_hold(String rights) throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, "session", rights);
                TargetSession session = TargetSession.open(through(bouncer))) {
            assertThat(session.server().pooler()).isEqualTo(new Pooler("PgBouncer", false));
            assertThat(limits(session)).isEqualTo("5s 100ms 10s on off");
            assertThat(limits(session)).isEqualTo("5s 100ms 10s on off");
            assertThat(session.server().pooler().perTransaction()).isFalse();
        }
    }

    /** The pool has one connection, so the other client gets the one that we looked over. */
    @ParameterizedTest
    @ValueSource(strings = {"session", "transaction"})
    void what_we_set_does_not_meet_the_next_client(String mode) throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, mode, "default_pool_size = 1", "server_reset_query =")) {
            int ours;
            try (TargetSession session = TargetSession.open(through(bouncer))) {
                assertThat(session.server().pooler().name()).isEqualTo("PgBouncer");
                assertThat(limits(session)).isEqualTo("5s 100ms 10s on off");
                ours = session.query("select pg_backend_pid()", row -> row.getInt(1))
                        .get(0);
                TargetException refused = catchThrowableOfType(
                        TargetException.class,
                        () -> session.query("insert into t values (1) returning i", row -> row.getInt(1)));
                assertThat(refused.sqlState()).isEqualTo("25006");
                assertThat(session.query("select count(*) from t", row -> row.getInt(1)))
                        .containsExactly(0);
            }
            try (Connection next = client(bouncer)) {
                assertThat(TestDatabase.one(next, "select pg_backend_pid()")).isEqualTo(Integer.toString(ours));
                assertThat(
                                TestDatabase.one(
                                        next,
                                        "select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' '"
                                                + " || current_setting('default_transaction_read_only') || ' ' || current_setting('jit')"))
                        .isEqualTo("0 0 off on");
                TestDatabase.run(next, "insert into t values (1)");
            }
        }
    }

    @Test
    void a_pool_that_changes_its_connection_between_looks_is_seen() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, "transaction", "default_pool_size = 2");
                TargetSession session = TargetSession.open(through(bouncer));
                Connection other = client(bouncer)) {
            int first = session.query("select pg_backend_pid()", row -> row.getInt(1))
                    .get(0);
            assertThat(session.server().pooler().perTransaction()).isFalse();
            other.setAutoCommit(false);
            assertThat(TestDatabase.one(other, "select pg_backend_pid()")).isEqualTo(Integer.toString(first));
            assertThat(limits(session)).isEqualTo("5s 100ms 10s on off");
            assertThat(session.server().pooler().perTransaction()).isTrue();
            assertThat(session.server().pooler().consequence()).contains("one transaction at a time");
            other.rollback();
        }
    }

    @Test
    void the_sampler_looks_through_it_as_it_does_directly() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, "transaction");
                Connection busy = database.connect("sleeper");
                TargetSession session = TargetSession.open(through(bouncer))) {
            var sleeping = TestDatabase.runAside(busy, "select pg_sleep(3)");
            Sampler sampler = Sampler.start(session, Probes.close());
            sampler.await(Duration.ofMillis(1500));
            Observation seen = sampler.stop();
            assertThat(seen.unavailable()).isEmpty();
            assertThat(seen.samples(ActivityRow.class)).hasSizeGreaterThan(3);
            assertThat(seen.samples(ActivityRow.class).stream()
                            .flatMap(sample -> sample.rows().stream())
                            .filter(row -> row.application().equals("sleeper"))
                            .map(row -> row.timeGoesTo().toString()))
                    .contains("Timeout:PgSleep");
            sleeping.join();
        }
    }

    @Test
    void a_login_that_it_refuses_is_told_with_the_setting_that_lets_it_in() throws Exception {
        try (PgBouncer strict = PgBouncer.start(server, "transaction");
                PgBouncer lenient = PgBouncer.start(server, "transaction", "ignore_startup_parameters = options")) {
            String address = "host=127.0.0.1 port=%d dbname=" + database.name() + " user=" + server.user()
                    + " options='-c geqo=off'";
            TargetException refused = catchThrowableOfType(
                    TargetException.class,
                    () -> TargetSession.open(
                                    TargetAddress.of(String.format(address, strict.port()), null, null, null, Map.of()))
                            .close());
            assertThat(refused)
                    .hasMessageStartingWith("the pooler at 127.0.0.1:" + strict.port() + " refused the login")
                    .hasMessageContaining("unsupported startup parameter");
            assertThat(refused.hint()).startsWith("Add options to ignore_startup_parameters of PgBouncer");
            TargetSession.open(TargetAddress.of(String.format(address, lenient.port()), null, null, null, Map.of()))
                    .close();
        }
    }

    @Test
    void a_pool_that_takes_no_transactions_is_refused_politely() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(server, "statement")) {
            TargetException refused = catchThrowableOfType(
                    TargetException.class,
                    () -> TargetSession.open(through(bouncer)).close());
            assertThat(refused).hasMessageContaining("takes no transactions");
            assertThat(refused.hint()).contains("read-only transactions");
        }
    }
}
