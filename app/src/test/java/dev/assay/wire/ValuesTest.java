package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ValuesTest {

    private static final Credentials NOBODY = new Credentials("u", "hunter2", "d");

    @Test
    void endpointsAndCredentialsRejectNonsense() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Endpoint(" ", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Endpoint("h", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Endpoint("h", 65536));
        assertThatIllegalArgumentException().isThrownBy(() -> new Credentials("", null, "d"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Credentials("u", "a\0b", "d"));
        assertThat(new Endpoint("::1", 5432)).hasToString("[::1]:5432");
        assertThat(new Endpoint("db", 5432)).hasToString("db:5432");
    }

    @Test
    void aPasswordIsNeverShown() {
        assertThat(NOBODY.toString()).doesNotContain("hunter2");
    }

    @Test
    @Timeout(10)
    void aServerThatNeverAnswersIsGivenUpInTime() throws IOException {
        try (ServerSocket silent = new ServerSocket(0)) {
            Endpoint endpoint = new Endpoint("127.0.0.1", silent.getLocalPort());
            assertThatThrownBy(() -> WireSession.connect(endpoint, NOBODY, "t", Duration.ofMillis(200)))
                    .isInstanceOf(WireException.class)
                    .hasMessageMatching("no answer from 127.0.0.1:\\d+ in \\d+ ms \\(limit 200 ms\\)");
        }
    }

    @Test
    @Timeout(10)
    void aClosedPortIsToldAtOnce() throws IOException {
        int port;
        try (ServerSocket gone = new ServerSocket(0)) {
            port = gone.getLocalPort();
        }
        assertThatThrownBy(
                        () -> WireSession.connect(new Endpoint("127.0.0.1", port), NOBODY, "t", Duration.ofSeconds(5)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("cannot connect to 127.0.0.1:" + port)
                .hasMessageContaining("refused");
    }

    @Test
    @Timeout(10)
    void aServerOfAnotherKindIsRecognised() throws Exception {
        try (ServerSocket web = new ServerSocket(0)) {
            Thread answering = new Thread(() -> {
                try (Socket socket = web.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            answering.start();
            Endpoint endpoint = new Endpoint("localhost", web.getLocalPort());
            assertThatThrownBy(() -> WireSession.connect(endpoint, NOBODY, "t", Duration.ofSeconds(5)))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("not a PostgreSQL server?");
            answering.join();
        }
    }
}
