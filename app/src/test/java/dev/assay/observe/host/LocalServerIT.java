package dev.assay.observe.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.sys.Clock;
import dev.assay.sys.ProcFs;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server is taken for one of this machine when its backend is, and never by its address. */
@Timeout(60)
final class LocalServerIT {

    private static Optional<LocalServer> find(long pid, Instant startedAt) {
        return LocalServer.find(new LocalServer.Claim(pid, startedAt), ProcFs.system(), Clock.system());
    }

    /** As the server writes it into its data directory. */
    private static long pidInFile(Path dataDirectory) throws IOException {
        return Long.parseLong(Files.readAllLines(dataDirectory.resolve("postmaster.pid"))
                .get(0)
                .strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "15", "16", "17", "18"})
    void a_server_of_this_machine_is_recognised_without_privileges(String version) throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared(version), "create role looks_only login");
                Connection view = database.connect("view")) {
            Path data = Path.of(TestDatabase.one(view, "show data_directory"));
            try (TargetSession session = TargetSession.open(database.address("looks_only"))) {
                LocalServer server = LocalServer.find(session).orElseThrow();
                assertThat(server.postmaster().pid()).isEqualTo(pidInFile(data));
                assertThat(server.children())
                        .contains(Long.valueOf(TestDatabase.one(view, "select pg_backend_pid()")))
                        .contains(Long.valueOf(TestDatabase.one(
                                view, "select pid from pg_stat_activity where backend_type = 'checkpointer'")));
                double startSeconds = Double.parseDouble(
                        TestDatabase.one(view, "select extract(epoch from pg_postmaster_start_time())"));
                assertThat(Duration.between(server.postmaster().startedAt(), Instant.ofEpochMilli((long)
                                        (startSeconds * 1000)))
                                .abs())
                        .isLessThan(Duration.ofSeconds(5));
            } finally {
                database.administer("drop role looks_only");
            }
        }
    }

    @Test
    void the_number_of_another_program_or_of_another_time_proves_nothing() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"));
                Connection view = database.connect("view")) {
            long pid = Long.parseLong(TestDatabase.one(view, "select pg_backend_pid()"));
            Instant start = Instant.ofEpochMilli(
                    (long)
                            (1000
                                    * Double.parseDouble(
                                            TestDatabase.one(
                                                    view,
                                                    "select extract(epoch from backend_start) from pg_stat_activity where pid = pg_backend_pid()"))));
            assertThat(find(pid, start)).isPresent();
            assertThat(find(pid, start.plusSeconds(3))).isEmpty();
            assertThat(find(pid, start.minusSeconds(3))).isEmpty();
            ProcessHandle self = ProcessHandle.current();
            Instant selfStart = self.info().startInstant().orElseThrow();
            assertThat(find(self.pid(), selfStart)).isEmpty();
            assertThat(find(4_194_304L + 1, start)).isEmpty();
            // the postmaster is a postgres, but no backend
            long postmaster = find(pid, start).orElseThrow().postmaster().pid();
            Instant postmasterStart = ProcessHandle.of(postmaster)
                    .orElseThrow()
                    .info()
                    .startInstant()
                    .orElseThrow();
            assertThat(find(postmaster, postmasterStart)).isEmpty();
        }
    }

    @Test
    void a_server_that_is_started_anew_is_followed_and_one_that_is_gone_is_told() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16")) {
            TargetAddress address =
                    TargetAddress.of(server.database(), server.host(), server.port(), server.user(), Map.of());
            LocalServer local;
            Path data;
            try (TargetSession session = TargetSession.open(address)) {
                local = LocalServer.find(session).orElseThrow();
                data = Path.of(session.query("show data_directory", row -> row.getString(1))
                        .get(0));
            }
            long first = local.postmaster().pid();
            server.restart();
            assertThat(local.postmaster().pid()).isEqualTo(pidInFile(data)).isNotEqualTo(first);
            server.crash();
            assertThatThrownBy(local::postmaster)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has ended");
        }
    }
}
