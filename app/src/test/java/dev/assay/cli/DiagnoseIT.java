package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@code assay diagnose} against servers that refuse, keep silent, hide things, go away, or have nothing to hide. */
final class DiagnoseIT {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static AssayCommand diagnose(int port, String user, String database, String... more) {
        return AssayCommand.at("diagnose", "127.0.0.1", port, user, database).and(more);
    }

    private static Connection connect(EmbeddedServer server) throws SQLException {
        return DriverManager.getConnection(
                server.jdbcUrl(), server.user(), server.password().orElse(""));
    }

    @Test
    void a_port_where_nothing_listens_is_named() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, LOOPBACK)) {
            port = free.getLocalPort();
        }
        Outcome outcome = diagnose(port, "postgres", "postgres", "--json").run().assertFailed(1);
        assertThat(outcome.problem()).startsWith("cannot reach PostgreSQL at 127.0.0.1:" + port);
        assertThat(outcome.hint()).contains("-h", "-p");
    }

    @Test
    void an_address_that_cannot_be_one_is_told_without_words_of_the_driver() throws Exception {
        Outcome port = AssayCommand.of("diagnose", "-p", "70000").run().assertFailed(1);
        assertThat(port.problem()).contains("70000");
        Outcome host =
                AssayCommand.of("diagnose", "-h", "no-such-host.invalid").run().assertFailed(1);
        assertThat(host.problem()).contains("no-such-host.invalid").doesNotContain("Exception");
        Outcome keyword =
                AssayCommand.of("diagnose", "-d", "hots=localhost").run().assertFailed(1);
        assertThat(keyword.problem()).contains("'hots'");
    }

    @Test
    void a_server_that_accepts_and_keeps_silent_is_given_up() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, LOOPBACK)) {
            Outcome outcome = diagnose(silent.getLocalPort(), "postgres", "postgres", "--json")
                    .run()
                    .assertFailed(1);
            assertThat(outcome.problem()).startsWith("no answer from 127.0.0.1:" + silent.getLocalPort());
            assertThat(outcome.took()).isLessThan(Duration.ofSeconds(12)); // ten of them to wait, the rest to start
        }
    }

    @Test
    void a_wrong_password_and_a_wrong_database_are_told_apart() throws Exception {
        try (EmbeddedServer server =
                EmbeddedServer.start(TestServers.settings("16").withScram("secret"))) {
            Outcome password = diagnose(server.port(), "postgres", "postgres", "--json")
                    .with("PGPASSWORD", "guess")
                    .run()
                    .assertFailed(1);
            assertThat(password.problem())
                    .startsWith("login as postgres@127.0.0.1:" + server.port() + "/postgres refused: ")
                    .contains("password authentication failed")
                    .doesNotContain("guess");
            assertThat(password.hint()).contains("PGPASSWORD", ".pgpass");
            Outcome none = diagnose(server.port(), "postgres", "postgres").run().assertFailed(1);
            assertThat(none.problem()).contains("refused: ", "no password was provided");
            assertThat(none.hint()).isEqualTo(password.hint());
            Outcome database = diagnose(server.port(), "postgres", "shop")
                    .with("PGPASSWORD", "secret")
                    .run()
                    .assertFailed(1);
            assertThat(database.problem()).contains("\"shop\" does not exist");
            Outcome trace = diagnose(server.port(), "postgres", "shop", "--debug")
                    .with("PGPASSWORD", "secret")
                    .run()
                    .assertExit(1)
                    .assertStackTrace();
            assertThat(trace.err()).doesNotContain("secret");
            watchedWithTheRightPassword(server);
        }
    }

    private static void watchedWithTheRightPassword(EmbeddedServer server) throws Exception {
        Outcome watched = diagnose(server.port(), "postgres", "postgres", "--json", "--for", "1s", "--fail-on", "info")
                .with("PGPASSWORD", "secret")
                .run()
                .assertDone();
        JsonNode document = Schemas.document("diagnose", watched.out());
        assertThat(document.at("/findings")).isEmpty();
        assertThat(document.at("/partial").asBoolean()).isFalse();
        assertThat(document.at("/server/version").asText())
                .isEqualTo(server.version().toString());
    }

    @Test
    void a_role_that_may_not_look_is_told_what_it_could_not_see() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (Connection busy = connect(server);
                Connection admin = connect(server);
                Statement statement = admin.createStatement();
                Statement sleeping = busy.createStatement()) {
            statement.execute("create role assay_blind login; create role assay_watcher login in role pg_monitor");
            busy.setAutoCommit(false);
            sleeping.execute("select 1"); // stays idle in its transaction
            try {
                Outcome blind = diagnose(server.port(), "assay_blind", "postgres", "--for", "1s")
                        .run()
                        .assertDone();
                assertThat(blind.out())
                        .containsPattern("what up to [1-9]\\d* sessions of other roles do: role assay_blind may not")
                        .contains("pg_monitor");
                Outcome watcher = diagnose(server.port(), "assay_watcher", "postgres", "--for", "1s")
                        .run()
                        .assertDone();
                assertThat(watcher.out()).doesNotContain("may not see", "NOT AVAILABLE");
            } finally {
                busy.rollback();
                statement.execute("drop role assay_blind; drop role assay_watcher");
            }
        }
    }

    @Test
    void an_idle_server_has_no_finding_and_the_text_says_why() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("18");
                Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute("create table orders (n int) partition by range (n)");
            for (int part = 0; part < 60; part++) {
                statement.execute("create table orders_" + part + " partition of orders for values from (" + part
                        + ") to (" + (part + 1) + ")");
            }
            AssayCommand command =
                    diagnose(server.port(), "postgres", "postgres", "--for", "6s", "--fail-on", "warning");
            try (AssayProcess process = command.start()) {
                process.awaitOut("after 5 s: nothing found yet", Duration.ofSeconds(30));
                statement.execute("select count(*) from orders where n >= (select 7)");
                Outcome idle = process.end(Duration.ofSeconds(30)).assertDone();
                assertThat(idle.out())
                        .containsPattern("FINDINGS\\n +None\\.")
                        .containsPattern(
                                "NO FINDING, AND WHY\\n +lockmanager.slot-overflow: LWLock:LockManager was seen"
                                        + " in 0 of ");
            }
        }
    }

    @Test
    void a_server_that_goes_away_leaves_what_was_seen_until_then() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16");
                AssayProcess process = diagnose(server.port(), "postgres", "postgres", "--for", "1m")
                        .start()) {
            process.awaitOut("after 5 s: nothing found yet", Duration.ofSeconds(30));
            server.crash();
            Outcome outcome = process.end(Duration.ofSeconds(20)).assertExit(1);
            assertThat(outcome.out()).contains("cut short");
            assertThat(outcome.err().lines()).hasSize(2);
            assertThat(outcome.problem()).startsWith("lost the connection to 127.0.0.1:" + server.port());
        }
    }

    @Test
    void Ctrl_C_ends_the_watch_and_says_nothing_more() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (AssayProcess process =
                diagnose(server.port(), "postgres", "postgres", "--for", "1m").start()) {
            process.awaitOut("after 5 s", Duration.ofSeconds(30));
            String before = process.out();
            process.signal("INT");
            Outcome outcome = process.end(Duration.ofSeconds(5)).assertExit(130);
            assertThat(outcome.out()).isEqualTo(before);
            assertThat(outcome.err()).isEmpty();
        }
    }

    @Test
    void a_running_experiment_shows_to_the_diagnosis_what_the_laboratory_finds() throws Exception {
        Path folder = Files.createTempDirectory("assay-two");
        Path data = folder.resolve("data");
        Path file = Files.writeString(folder.resolve("overflow.yaml"), Experiments.OVERFLOW);
        try (AssayProcess lab = AssayCommand.of(
                        "lab", "run", file.toString(), "--data", data.toString(), "-o", folder + "/results")
                .start()) {
            lab.awaitOut("trials, about", Duration.ofSeconds(60));
            int port = Integer.parseInt(ServerFolders.awaitPidFile(data, Duration.ofSeconds(1))
                    .get(3)
                    .strip());
            Outcome watched = diagnose(port, "postgres", "postgres", "--json", "--for", "8s", "--fail-on", "warning")
                    .run()
                    .assertExit(3);
            assertThat(lab.out()).as("the laboratory was still at work").doesNotContain("8/8");
            JsonNode diagnosis = Schemas.document("diagnose", watched.out());
            System.out.println(
                    "diagnosis beside the experiment: " + watched.took().toSeconds() + " s, " + diagnosis.at("/aas"));
            lab.end(Duration.ofSeconds(90)).assertDone();
            JsonNode result = Schemas.document("lab-run", Files.readString(folder.resolve("results/result.json")));
            assertThat(diagnosis.at("/findings")).hasSize(1);
            assertThat(diagnosis.at("/findings/0/rule").asText())
                    .isEqualTo(result.at("/findings/0/rule").asText())
                    .isEqualTo("lockmanager.slot-overflow");
            assertThat(diagnosis.at("/findings/0/fingerprint").asText())
                    .isEqualTo(result.at("/findings/0/fingerprint").asText())
                    .isNotEmpty();
        } finally {
            assertThat(ServerFolders.left(data)).isEmpty();
            new ProcessBuilder("rm", "-r", folder.toString()).start().waitFor();
        }
    }
}
