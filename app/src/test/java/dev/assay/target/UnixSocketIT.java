package dev.assay.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A guarded session over the socket of a server, and the socket itself against a peer that keeps silent. */
@Timeout(60)
final class UnixSocketIT {

    private Path folder;

    @BeforeEach
    void open() throws IOException {
        folder = Files.createTempDirectory("assay-socket");
    }

    @AfterEach
    void close() throws IOException {
        Files.deleteIfExists(folder.resolve("s"));
        Files.delete(folder);
    }

    @Test
    void a_session_over_the_servers_socket_is_guarded_as_any() throws Exception {
        EmbeddedServer server = TestServers.shared("17");
        try (TestDatabase database = TestDatabase.on(server, "create table t (i int)");
                Connection view = database.connect("view")) {
            String sockets = TestDatabase.one(view, "show unix_socket_directories");
            assertThat(sockets).startsWith("/");
            TargetAddress address = TargetAddress.of(database.name(), sockets, server.port(), server.user(), Map.of());
            try (TargetSession session = TargetSession.open(address)) {
                assertThat(session.query(
                                "select inet_server_addr() is null and client_addr is null and client_port = -1"
                                        + " from pg_stat_get_activity(pg_backend_pid())",
                                row -> row.getBoolean(1)))
                        .containsExactly(true);
                // more than the kernel's buffers hold, both ways
                String long_ = "x".repeat(3 << 20);
                assertThat(session.query(
                                "select length(?) as n, repeat('y', 3000000)",
                                row -> row.getInt(1) + " " + row.getString(2).length(),
                                long_))
                        .containsExactly(long_.length() + " 3000000");
                TargetException slow = catchThrowableOfType(
                        TargetException.class,
                        () -> session.query("select pg_sleep(40)::text", row -> row.getString(1)));
                assertThat(slow.sqlState()).isEqualTo("57014");
                TargetException write = catchThrowableOfType(
                        TargetException.class,
                        () -> session.query("insert into t values (1) returning i", row -> row.getInt(1)));
                assertThat(write.sqlState()).isEqualTo("25006");
                assertThat(session.server().pooler()).isNull();
            }
        }
    }

    @Test
    void a_folder_without_a_socket_is_told() {
        TargetException absent = catchThrowableOfType(
                TargetException.class,
                () -> TargetSession.open(TargetAddress.of("d", folder.toString(), 5999, "u", Map.of()))
                        .close());
        assertThat(absent)
                .hasMessage("cannot reach PostgreSQL at " + folder + ":5999: there is no socket " + folder
                        + "/.s.PGSQL.5999");
        assertThat(absent.hint()).contains("-h, -p");
    }

    @Test
    void reading_ends_by_its_time_out_by_data_and_by_closing() throws Exception {
        Path file = folder.resolve("s");
        try (ServerSocketChannel peer = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            peer.bind(UnixDomainSocketAddress.of(file));
            UnixSocket socket = new UnixSocket(file.toString());
            socket.connect(null);
            try (SocketChannel other = peer.accept()) {
                InputStream in = socket.getInputStream();
                socket.setSoTimeout(200);
                long start = System.nanoTime();
                assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isBetween(Duration.ofMillis(190), Duration.ofSeconds(10));
                other.write(ByteBuffer.wrap(new byte[] {7, -1, 9}));
                assertThat(in.read()).isEqualTo(7);
                assertThat(in.read()).isEqualTo(255);
                assertThat(in.readNBytes(1)).containsExactly(9);
                OutputStream out = socket.getOutputStream();
                out.write(new byte[] {1, 2, 3});
                ByteBuffer got = ByteBuffer.allocate(3);
                while (got.hasRemaining()) {
                    other.read(got);
                }
                assertThat(got.array()).containsExactly(1, 2, 3);
                socket.setSoTimeout(0);
                CompletableFuture<Throwable> reading = CompletableFuture.supplyAsync(() -> {
                    try {
                        return new AssertionError("read " + in.read());
                    } catch (IOException e) {
                        return e;
                    }
                });
                assertThatThrownBy(() -> reading.get(300, TimeUnit.MILLISECONDS))
                        .isInstanceOf(java.util.concurrent.TimeoutException.class);
                socket.close();
                assertThat(reading.get(10, TimeUnit.SECONDS)).hasMessage("Socket closed");
                assertThat(socket.isClosed()).isTrue();
            }
        }
    }
}
