package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.wire.Encryption.Mode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL does seldom or never: servers that the test plays with the JDK's own blocking TLS. */
@Timeout(30)
class TlsChannelTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration BRIEF = Duration.ofMillis(300);

    @TempDir
    private static Path folder;

    private static TestCertificates certificates;

    @BeforeAll
    static void make() {
        certificates = TestCertificates.in(folder);
    }

    private static WireSession connect(PlayedServer server, Mode mode, Duration patience) {
        Encryption encryption = Encryption.of(mode)
                .withRootCertificates(certificates.certificate("root").toString());
        return WireSession.connect(
                server.endpoint().withEncryption(encryption), new Credentials("u", null, "d"), "test", patience);
    }

    private static PlayedServer encrypting(PlayedServer.Encrypted part) throws IOException {
        return PlayedServer.encrypting(certificates.serverSide("server"), part);
    }

    @Test
    void keysThatTheServerChangesAreFollowedAndAnswered() throws Exception {
        try (PlayedServer server = encrypting((socket, raw) -> {
            PlayedServer.welcome(socket);
            for (int i = 0; i < 3; i++) {
                PlayedServer.readMessage(socket);
                socket.startHandshake(); // on a connection of TLS 1.3: KeyUpdate, with an answer wanted
                // the client says nothing of its own now: what arrives is its answer
                await().atMost(PATIENCE).until(() -> raw.getInputStream().available() > 0);
                PlayedServer.answer(socket, "row " + i);
            }
            PlayedServer.readMessage(socket);
        })) {
            try (WireSession session = connect(server, Mode.VERIFY_FULL, PATIENCE)) {
                for (int i = 0; i < 3; i++) {
                    assertThat(session.query("select")).containsExactly(List.of("row " + i));
                }
            }
            server.awaitEnd();
        }
    }

    @Test
    void theFarewellEndsWithTheEndOfTls() throws Exception {
        try (PlayedServer server = encrypting((socket, raw) -> {
            PlayedServer.welcome(socket);
            assertThat(PlayedServer.readMessage(socket)).isEqualTo('X');
            // a connection that was cut off would be an exception
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        })) {
            connect(server, Mode.REQUIRE, PATIENCE).close();
            server.awaitEnd();
        }
    }

    @Test
    void anEndOfTlsIsAnEndAndACutIsTold() throws Exception {
        for (boolean cut : new boolean[] {true, false}) {
            try (PlayedServer server = encrypting((socket, raw) -> {
                        PlayedServer.welcome(socket);
                        PlayedServer.readMessage(socket);
                        if (cut) {
                            raw.shutdownOutput();
                        } else {
                            socket.close();
                        }
                    });
                    WireSession session = connect(server, Mode.REQUIRE, PATIENCE)) {
                assertThatThrownBy(() -> session.query("select 1"))
                        .isInstanceOf(WireException.class)
                        .hasMessageMatching(
                                cut
                                        ? "connection to 127.0.0.1:\\d+ broke: the connection was cut off without TLS's end"
                                        : "127.0.0.1:\\d+ closed the connection after \\d+ ms");
            }
        }
    }

    @Test
    void aNewHandshakeUnderTheOldTlsIsRefused() throws Exception {
        try (PlayedServer server = encrypting((socket, raw) -> {
                            PlayedServer.welcome(socket);
                            PlayedServer.readMessage(socket);
                            socket.startHandshake(); // under TLS 1.2: a HelloRequest
                            socket.getInputStream().read();
                        })
                        .speaking("TLSv1.2");
                WireSession session = connect(server, Mode.VERIFY_FULL, PATIENCE)) {
            assertThatThrownBy(() -> session.query("select 1"))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("negotiate its encryption anew");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void answersOfAnySizeComeWhole(String protocol) throws Exception {
        int[] sizes = {0, 1, 16_000, 16_370, 16_384, 16_385, 100_000, 3_000_000};
        try (PlayedServer server = encrypting((socket, raw) -> {
                            PlayedServer.welcome(socket);
                            for (int size : sizes) {
                                PlayedServer.readMessage(socket);
                                PlayedServer.answer(socket, "x".repeat(size));
                            }
                            PlayedServer.readMessage(socket);
                        })
                        .speaking(protocol);
                WireSession session = connect(server, Mode.VERIFY_FULL, PATIENCE)) {
            for (int size : sizes) {
                assertThat(session.query("select '" + "y".repeat(size) + "'"))
                        .containsExactly(List.of("x".repeat(size)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            S       | the connection was closed in the midst of the handshake
            SX      | agreed to encrypt and sent 1 bytes in clear behind that
            E       | answered the request to encrypt with an error
            H       | answered the request to encrypt with byte 72 (expected S or N): not a PostgreSQL server?
            N       | does not encrypt (it has ssl = off), and sslmode require asks for it
            ''      | closed the connection after
            """)
    void aServerThatDoesNotGoThroughWithItIsTold(String answer, String problem) throws Exception {
        try (PlayedServer server = PlayedServer.answering(socket -> {
            Middleman.readRequest(socket);
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            if (answer.equals("S")) {
                socket.getInputStream().read(); // the handshake begins
            }
        })) {
            assertThatThrownBy(() -> connect(server, Mode.REQUIRE, PATIENCE))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining(problem);
        }
    }

    @Test
    void aServerThatFallsSilentIsGivenUpInTime() throws Exception {
        for (String answer : new String[] {"", "S"}) {
            for (Mode mode : new Mode[] {Mode.PREFER, Mode.REQUIRE}) {
                try (PlayedServer server = PlayedServer.answering(socket -> {
                    OutputStream out = socket.getOutputStream();
                    out.write(answer.getBytes(StandardCharsets.US_ASCII));
                    while (socket.getInputStream().read() >= 0) {
                        // says nothing more
                    }
                })) {
                    String awaited = answer.isEmpty() ? "answer" : "end of the TLS handshake";
                    assertThatThrownBy(() -> connect(server, mode, BRIEF))
                            .isInstanceOf(WireException.class)
                            .hasMessageMatching("no " + awaited + " from 127.0.0.1:\\d+ in \\d+ ms \\(limit 300 ms\\)");
                }
            }
        }
    }

    @Test
    void preferGoesOnInClearWhereTheHandshakeFails() throws Exception {
        try (PlayedServer server = PlayedServer.answering(socket -> {
            int first = PlayedServer.readUntyped(socket);
            if (first == Messages.SSL_REQUEST) {
                socket.getOutputStream().write('S');
                socket.getInputStream().read();
                return; // closed in the midst of the handshake
            }
            PlayedServer.letIn(socket);
            PlayedServer.readMessage(socket);
            PlayedServer.answer(socket, "in clear");
        })) {
            try (WireSession session = connect(server, Mode.PREFER, PATIENCE)) {
                assertThat(session.query("select")).containsExactly(List.of("in clear"));
            }
        }
    }
}
