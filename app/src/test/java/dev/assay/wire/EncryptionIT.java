package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.assay.wire.Encryption.ChannelBinding;
import dev.assay.wire.Encryption.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a session is encrypted is what the server says of it in {@code pg_stat_ssl}. */
@Timeout(60)
@ParameterizedClass
@ValueSource(strings = {RealServer.OLDEST, RealServer.OLDER, RealServer.NEWEST})
class EncryptionIT {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final List<String> RULES = List.of(
            "hostssl all encrypted 127.0.0.1/32 trust",
            "hostnossl all clear 127.0.0.1/32 trust",
            "hostssl all shop,audit 127.0.0.1/32 cert",
            "host all encrypted,clear,shop,audit 127.0.0.1/32 reject",
            "host all bound 127.0.0.1/32 scram-sha-256",
            "host all digest 127.0.0.1/32 md5");

    private static final String ROLES = "create role encrypted login; create role clear login; create role shop login; "
            + "create role audit login; create role bound login password 'pencil'; "
            + "set password_encryption = 'md5'; create role digest login password 'old'";

    @TempDir
    private static Path folder;

    private static TestCertificates certificates;

    private final String version;

    EncryptionIT(String version) {
        this.version = version;
    }

    @BeforeAll
    static void make() {
        certificates = TestCertificates.in(folder);
    }

    private RealServer start() {
        RealServer server = RealServer.start(version, RULES);
        try (WireSession session = server.session()) {
            session.execute(ROLES);
        }
        return server;
    }

    private RealServer startEncrypting(String certificate) {
        RealServer server = start();
        server.encrypt(certificates, certificate);
        return server;
    }

    private static WireSession login(Endpoint endpoint, String user) {
        String password = Map.of("bound", "pencil", "digest", "old").get(user);
        return WireSession.connect(endpoint, new Credentials(user, password, "postgres"), "assay it", PATIENCE);
    }

    /** {@code t} or {@code f}, from the server. */
    private static String encrypted(WireSession session) {
        return session.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()")
                .get(0)
                .get(0);
    }

    /** What comes of a login: {@code t} or {@code f}, an SQLSTATE, or a failure's message. */
    private static String outcome(Endpoint endpoint, String user) {
        try (WireSession session = login(endpoint, user)) {
            return encrypted(session);
        } catch (ErrorResponseException e) {
            return e.sqlState();
        } catch (WireException e) {
            return e.getMessage();
        }
    }

    private static Encryption trusting(Mode mode, String root) {
        return Encryption.of(mode)
                .withRootCertificates(certificates.certificate(root).toString());
    }

    private static Endpoint at(RealServer server, Mode mode) {
        return server.endpoint().withEncryption(trusting(mode, "root"));
    }

    private static String[] outcomes(RealServer server, String user) {
        return List.of(Mode.values()).stream()
                .map(mode -> outcome(at(server, mode), user))
                .toArray(String[]::new);
    }

    @Test
    void everyModeDoesAsLibpqWithAServerThatEncrypts() {
        try (RealServer server = startEncrypting("server")) {
            // disable, allow, prefer, require, verify-ca, verify-full
            assertThat(outcomes(server, "postgres")).containsExactly("f", "f", "t", "t", "t", "t");
            assertThat(outcomes(server, "encrypted")).containsExactly("28000", "t", "t", "t", "t", "t");
            assertThat(outcomes(server, "clear")).containsExactly("f", "f", "f", "28000", "28000", "28000");
            assertThat(outcome(server.endpoint(), "postgres")).isEqualTo("t");
            try (WireSession session = login(at(server, Mode.VERIFY_FULL), "postgres")) {
                assertThat(session.query("select version from pg_stat_ssl where pid = pg_backend_pid()"))
                        .containsExactly(List.of("TLSv1.3"));
            }
        }
    }

    @Test
    void everyModeDoesAsLibpqWithAServerThatCannotEncrypt() {
        try (RealServer server = start()) {
            assertThat(outcomes(server, "postgres")).startsWith("f", "f", "f");
            for (Mode mode : List.of(Mode.REQUIRE, Mode.VERIFY_CA, Mode.VERIFY_FULL)) {
                assertThat(outcome(at(server, mode), "postgres"))
                        .isEqualTo(server.endpoint() + " does not encrypt (it has ssl = off), and sslmode " + mode
                                + " asks for it");
            }
            ErrorResponseException refused = catchThrowableOfType(
                    ErrorResponseException.class, () -> login(at(server, Mode.ALLOW), "encrypted"));
            assertThat(refused.sqlState()).isEqualTo("28000");
            assertThat(refused.getSuppressed()[0]).hasMessageContaining("does not encrypt");
            assertThat(outcome(at(server, Mode.PREFER), "encrypted")).isEqualTo("28000");
        }
    }

    @Test
    void aServerWithoutTheRightCertificateIsToldApart() {
        try (RealServer server = startEncrypting("named")) {
            Endpoint byAddress = server.endpoint();
            Endpoint byName = new Endpoint("localhost", byAddress.port());
            for (Mode mode : List.of(Mode.REQUIRE, Mode.VERIFY_CA, Mode.VERIFY_FULL)) {
                assertThat(outcome(byName.withEncryption(trusting(mode, "stranger")), "postgres"))
                        .isEqualTo("TLS with " + byName + " failed: its certificate leads to no authority in "
                                + certificates.certificate("stranger"));
            }
            assertThat(outcome(byName.withEncryption(trusting(Mode.PREFER, "stranger")), "postgres"))
                    .isEqualTo("f");
            assertThat(outcome(byName.withEncryption(trusting(Mode.PREFER, "stranger")), "encrypted"))
                    .contains("leads to no authority")
                    .contains("; and in clear: FATAL 28000");

            assertThat(outcome(byAddress.withEncryption(trusting(Mode.VERIFY_FULL, "root")), "postgres"))
                    .startsWith("TLS with " + byAddress + " failed: its certificate is not the server's: ")
                    .contains("127.0.0.1");
            assertThat(outcome(byAddress.withEncryption(trusting(Mode.VERIFY_CA, "root")), "postgres"))
                    .isEqualTo("t");
            assertThat(outcome(byName.withEncryption(trusting(Mode.VERIFY_FULL, "root")), "postgres"))
                    .isEqualTo("t");
            Encryption named = trusting(Mode.VERIFY_FULL, "root");
            assertThat(outcome(byAddress.withEncryption(named.withServerName("localhost")), "postgres"))
                    .isEqualTo("t");
            assertThat(outcome(byAddress.withEncryption(named.withServerName("db.example")), "postgres"))
                    .contains("db.example");

            Encryption system =
                    new Encryption(Mode.VERIFY_FULL, Encryption.SYSTEM, null, null, ChannelBinding.PREFER, "localhost");
            assertThat(outcome(byAddress.withEncryption(system), "postgres")).contains("leads to no authority in the");
            Encryption absent = Encryption.of(Mode.VERIFY_CA).withRootCertificates("/nowhere/root.crt");
            assertThat(outcome(byAddress.withEncryption(absent), "postgres"))
                    .contains("/nowhere/root.crt does not exist");
        }
    }

    @Test
    void aClientIsKnownByItsCertificate() {
        try (RealServer server = startEncrypting("server")) {
            for (String user : List.of("shop", "audit")) {
                Encryption own = trusting(Mode.VERIFY_FULL, "root")
                        .withClient(certificates.certificate(user), certificates.key(user));
                try (WireSession session = login(server.endpoint().withEncryption(own), user)) {
                    assertThat(session.query("select client_dn from pg_stat_ssl where pid = pg_backend_pid()"))
                            .containsExactly(List.of("/CN=" + user));
                }
                Encryption allowing =
                        trusting(Mode.ALLOW, "root").withClient(certificates.certificate(user), certificates.key(user));
                assertThat(outcome(server.endpoint().withEncryption(allowing), user))
                        .isEqualTo("t");
                assertThat(outcome(at(server, Mode.REQUIRE), user)).isEqualTo("28000");
                assertThat(outcome(at(server, Mode.PREFER), user)).isEqualTo("28000");
                assertThat(outcome(server.endpoint().withEncryption(own), user.equals("shop") ? "audit" : "shop"))
                        .isEqualTo("28000");
            }
            Encryption stolen = trusting(Mode.VERIFY_FULL, "root")
                    .withClient(certificates.certificate("thief"), certificates.key("thief"));
            assertThat(outcome(server.endpoint().withEncryption(stolen), "shop"))
                    .startsWith("connection to " + server.endpoint() + " broke: ")
                    .contains("unknown_ca");
        }
    }

    @Test
    void aPasswordsProofIsBoundToTheConnection() {
        try (RealServer server = startEncrypting("server")) {
            for (ChannelBinding binding : ChannelBinding.values()) {
                Encryption encryption = trusting(Mode.VERIFY_FULL, "root").withChannelBinding(binding);
                assertThat(outcome(server.endpoint().withEncryption(encryption), "bound"))
                        .as("%s", binding)
                        .isEqualTo("t");
            }
            Encryption must = trusting(Mode.REQUIRE, "root").withChannelBinding(ChannelBinding.REQUIRE);
            Endpoint endpoint = server.endpoint().withEncryption(must);
            assertThat(outcome(endpoint, "postgres")).contains("lets postgres in without channel binding");
            assertThat(outcome(endpoint, "digest")).contains("md5 password, which knows no channel binding");
            Encryption inClear = Encryption.of(Mode.DISABLE).withChannelBinding(ChannelBinding.REQUIRE);
            assertThat(outcome(server.endpoint().withEncryption(inClear), "bound"))
                    .contains("does not encrypt, so there is no channel binding");
            assertThat(catchThrowableOfType(
                                    ErrorResponseException.class,
                                    () -> WireSession.connect(
                                            endpoint, new Credentials("bound", "pen", "postgres"), "it", PATIENCE))
                            .sqlState())
                    .isEqualTo("28P01");
        }
    }

    @Test
    void somebodyInTheMiddleCannotPassThePasswordsProofOn() throws Exception {
        try (RealServer server = startEncrypting("server");
                Middleman middleman = Middleman.decrypting(
                        server.endpoint(), certificates.serverSide("impostor"), certificates.clientSide())) {
            Encryption unverified = Encryption.of(Mode.REQUIRE);
            Endpoint endpoint = middleman.endpoint().withEncryption(unverified);
            ErrorResponseException caught =
                    catchThrowableOfType(ErrorResponseException.class, () -> login(endpoint, "bound"));
            assertThat(caught.serverMessage()).containsIgnoringCase("channel binding check failed");
            // the same one goes unnoticed where nothing is bound
            Encryption unbound = unverified.withChannelBinding(ChannelBinding.DISABLE);
            assertThat(outcome(middleman.endpoint().withEncryption(unbound), "bound"))
                    .isEqualTo("t");
            assertThat(outcome(middleman.endpoint().withEncryption(trusting(Mode.VERIFY_CA, "root")), "bound"))
                    .contains("leads to no authority");
        }
    }

    @Test
    void largeMessagesGoBothWaysInWhateverPiecesTheyArrive() throws Exception {
        long seed = Long.getLong("assay.test.seed", 42);
        System.out.println("EncryptionIT seed " + seed);
        try (RealServer server = startEncrypting("server");
                Middleman crumbling = Middleman.crumbling(server.endpoint(), seed)) {
            try (WireSession session = login(at(server, Mode.VERIFY_FULL), "postgres")) {
                List<List<String>> rows = session.query("select repeat('x', 1048576), i from generate_series(1, 20) i");
                assertThat(rows).hasSize(20);
                assertThat(rows.get(19)).containsExactly("x".repeat(1048576), "20");
                assertThat(session.query("select length('" + "y".repeat(5_000_000) + "')"))
                        .containsExactly(List.of("5000000"));
            }
            Endpoint endpoint = crumbling.endpoint().withEncryption(trusting(Mode.VERIFY_FULL, "root"));
            try (WireSession session = login(endpoint, "bound")) {
                assertThat(session.query("select repeat('z', 50000), length('" + "y".repeat(40_000) + "')"))
                        .containsExactly(List.of("z".repeat(50000), "40000"));
                assertThat(session.query("select 1")).containsExactly(List.of("1"));
            }
        }
    }

    @Test
    void statementsAreCancelledAndEndsAreTold() {
        try (RealServer server = startEncrypting("server");
                WireSession session = login(at(server, Mode.VERIFY_FULL), "postgres")) {
            for (Mode mode : Mode.values()) {
                CompletableFuture<Throwable> running =
                        CompletableFuture.supplyAsync(() -> catchThrowable(() -> session.query("select pg_sleep(30)")));
                await().atMost(PATIENCE).until(() -> sleeping(server, session.backendPid()));
                WireSession.cancel(at(server, mode), session.backendPid(), session.secret(), PATIENCE);
                assertThat(running.join()).as("%s", mode).hasMessageContaining("57014");
            }
            ErrorResponseException end = catchThrowableOfType(
                    ErrorResponseException.class, () -> session.query("select pg_terminate_backend(pg_backend_pid())"));
            assertThat(end.sqlState()).isEqualTo("57P01");
            WireSession doomed = login(at(server, Mode.VERIFY_FULL), "postgres");
            RealServer.signal("KILL", doomed.backendPid());
            assertThatThrownBy(() -> doomed.query("select 1"))
                    .isInstanceOf(WireException.class)
                    .hasMessageStartingWith("connection to " + server.endpoint() + " broke: ");
        }
    }

    private static boolean sleeping(RealServer server, int pid) {
        try (WireSession session = server.session()) {
            return !session.query("select 1 from pg_stat_activity where wait_event = 'PgSleep' and pid = " + pid)
                    .isEmpty();
        }
    }

    @Test
    void aUnixSocketIsNeverEncrypted() {
        try (RealServer server = startEncrypting("server")) {
            Endpoint socket = new Endpoint(
                    server.socketFolder().toString(), server.endpoint().port());
            for (Mode mode : Mode.values()) {
                assertThat(outcome(socket.withEncryption(trusting(mode, "root")), "postgres"))
                        .isEqualTo("f");
            }
        }
    }
}
