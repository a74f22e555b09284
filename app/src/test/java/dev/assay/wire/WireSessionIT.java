package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ParameterizedClass
@ValueSource(strings = {RealServer.OLDER, RealServer.NEWEST})
class WireSessionIT {

    private static final List<String> RULES = List.of(
            "host all scram 127.0.0.1/32 scram-sha-256",
            "host all digest 127.0.0.1/32 md5",
            "host all clear 127.0.0.1/32 password");

    private final String version;

    WireSessionIT(String version) {
        this.version = version;
    }

    private static WireSession login(RealServer server, String user, String password) {
        return WireSession.connect(
                server.endpoint(), new Credentials(user, password, "postgres"), "assay it", Duration.ofSeconds(10));
    }

    @Test
    void logsInByEveryMeansItKnowsAndNoOther() {
        try (RealServer server = RealServer.start(version, RULES)) {
            try (WireSession session = server.session()) {
                session.execute("create role scram login password 'pencil é'; create role clear login password 'x'; "
                        + "set password_encryption = 'md5'; create role digest login password 'old'");
                assertThat(session.parameter("server_version")).isEqualTo(server.version());
            }
            for (String[] user : new String[][] {{"scram", "pencil é"}, {"digest", "old"}}) {
                try (WireSession session = login(server, user[0], user[1])) {
                    assertThat(session.query("select current_user, application_name, pid from pg_stat_activity "
                                    + "where pid = pg_backend_pid()"))
                            .containsExactly(List.of(user[0], "assay it", Integer.toString(session.backendPid())));
                }
                ErrorResponseException wrong =
                        catchThrowableOfType(ErrorResponseException.class, () -> login(server, user[0], "wrong"));
                assertThat(wrong.sqlState()).isEqualTo("28P01");
                assertThat(wrong.severity()).isEqualTo("FATAL");
            }
            assertThatThrownBy(() -> login(server, "scram", null))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("none is given for scram");
            assertThatThrownBy(() -> login(server, "clear", "x"))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("in clear");
        }
    }

    @Test
    void answersComeWholeAndFailuresLeaveTheSessionUsable() {
        try (RealServer server = RealServer.start(version);
                WireSession session = server.session()) {
            assertThat(session.query("select 1, null, 'é', ''; select 2 where false"))
                    .isEmpty();
            assertThat(session.query("select 0; select 1, null, 'é', ''"))
                    .containsExactly(Arrays.asList("1", null, "é", ""));
            assertThat(session.query("create table t (i int)")).isEmpty();
            assertThat(session.query("")).isEmpty();

            List<List<String>> large = session.query("select repeat('x', 200000), i from generate_series(1, 20) i");
            assertThat(large).hasSize(20);
            assertThat(large.get(19)).containsExactly("x".repeat(200000), "20");

            ErrorResponseException failure = catchThrowableOfType(
                    ErrorResponseException.class, () -> session.query("select 1; select * from absent"));
            assertThat(failure.sqlState()).isEqualTo("42P01");
            assertThat(failure).hasMessage("ERROR 42P01: relation \"absent\" does not exist");
            ErrorResponseException detailed = catchThrowableOfType(
                    ErrorResponseException.class,
                    () -> session.execute(
                            "do $$ begin raise exception 'm' using detail = 'd', hint = 'h', errcode = 'ZZ123'; end $$"));
            assertThat(List.of(detailed.sqlState(), detailed.serverMessage(), detailed.detail(), detailed.hint()))
                    .containsExactly("ZZ123", "m", "d", "h");

            session.execute("do $$ begin raise notice 'look'; end $$; set application_name = 'renamed'");
            assertThat(session.parameter("application_name")).isEqualTo("renamed");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> session.parameter("absent"))
                    .withMessageContaining("server_version");
            assertThatThrownBy(() -> session.execute("copy t from stdin")).isInstanceOf(ErrorResponseException.class);
            session.execute("copy (select 1) to stdout");
            assertThat(session.query("select 3")).containsExactly(List.of("3"));
        }
    }

    @Test
    void timeoutsHoldAndCloseTheSession() {
        try (RealServer server = RealServer.start(version)) {
            WireSession session =
                    WireSession.connect(server.endpoint(), RealServer.postgres(), "assay it", Duration.ofMillis(500));
            long start = System.nanoTime();
            assertThatThrownBy(() -> session.query("select pg_sleep(30)"))
                    .isInstanceOf(WireException.class)
                    .hasMessageMatching("no answer from 127.0.0.1:\\d+ in \\d+ ms \\(limit 500 ms\\)");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThatThrownBy(() -> session.query("select 1")).hasMessageContaining("is closed");
            session.close();

            // a server process that reads nothing: sending must end in time as well
            WireSession stuck =
                    WireSession.connect(server.endpoint(), RealServer.postgres(), "assay it", Duration.ofMillis(500));
            RealServer.signal("STOP", stuck.backendPid());
            assertThatThrownBy(() -> stuck.query("select '" + "x".repeat(50_000_000) + "'"))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("limit 500 ms");
            RealServer.signal("KILL", stuck.backendPid());
        }
    }

    @Test
    void aBackendThatIsTerminatedSaysWhy() {
        try (RealServer server = RealServer.start(version);
                WireSession session = server.session()) {
            ErrorResponseException end = catchThrowableOfType(
                    ErrorResponseException.class, () -> session.query("select pg_terminate_backend(pg_backend_pid())"));
            assertThat(end.sqlState()).isEqualTo("57P01");
            assertThatThrownBy(() -> session.query("select 1")).isInstanceOf(WireException.class);
        }
    }
}
