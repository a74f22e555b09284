package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EmbeddedServerIT {

    @TempDir
    Path base;

    @AfterEach
    void nothing_is_left() {
        assertThat(Traces.below(base)).isEmpty();
    }

    private ServerSettings settings(String version) {
        return ServerSettings.of(version).withBaseFolder(base);
    }

    private static Connection connect(EmbeddedServer server, String password) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", password);
        return DriverManager.getConnection(server.jdbcUrl(), properties);
    }

    private static String ask(EmbeddedServer server, String sql) throws SQLException {
        try (Connection connection = connect(server, server.password().orElse("ignored"));
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    private static void run(EmbeddedServer server, String... sql) throws SQLException {
        try (Connection connection = connect(server, server.password().orElse("ignored"));
                Statement statement = connection.createStatement()) {
            for (String one : sql) {
                statement.execute(one);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "15", "16.4", "16", "17.2", "17", "18"})
    void starts_the_version_that_was_asked_for(String request) throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(settings(request).with("cluster_name", "it's \\ ok"))) {
            assertThat(ask(server, "show server_version"))
                    .isEqualTo(server.version().toString())
                    .startsWith(request);
            assertThat(ask(server, "show cluster_name")).isEqualTo("it's \\ ok");
            assertThat(ask(server, "show data_directory"))
                    .isEqualTo(server.dataFolder().toString());
            assertThat(ask(server, "show unix_socket_directories"))
                    .isEqualTo(server.dataFolder().resolveSibling("s").toString());
            assertThat(ask(server, "show fsync")).isEqualTo("on");
            assertThat(ask(server, "show server_encoding")).isEqualTo("UTF8");
            assertThat(ask(server, "select datcollate from pg_database where datname = current_database()"))
                    .isEqualTo("C");
            assertThat(server.logTail(5)).anyMatch(line -> line.contains("ready to accept connections"));
            assertThat(Files.readAllLines(server.dataFolder().resolve("postmaster.pid")))
                    .startsWith(Long.toString(server.pid()));
        }
    }

    @Test
    void several_run_at_once_on_ports_of_their_own() throws Exception {
        List<String> versions = List.of("14", "16", "16", "17", "18", "18");
        ExecutorService threads = Executors.newFixedThreadPool(versions.size());
        List<EmbeddedServer> servers = new ArrayList<>();
        try {
            List<Future<EmbeddedServer>> starting = new ArrayList<>();
            for (String version : versions) {
                starting.add(threads.submit(() -> EmbeddedServer.start(settings(version))));
            }
            for (Future<EmbeddedServer> one : starting) {
                servers.add(one.get(120, TimeUnit.SECONDS));
            }
            assertThat(new HashSet<>(servers.stream().map(EmbeddedServer::port).toList()))
                    .hasSize(versions.size());
            for (EmbeddedServer server : servers) {
                assertThat(ask(server, "show server_version"))
                        .isEqualTo(server.version().toString());
            }
        } finally {
            servers.forEach(EmbeddedServer::close);
            threads.shutdownNow();
        }
    }

    @Test
    void a_second_server_starts_in_well_under_a_second() throws Exception {
        EmbeddedServer.start(settings("16")).close();
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long before = System.nanoTime();
            try (EmbeddedServer server = EmbeddedServer.start(settings("16"))) {
                millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before));
                assertThat(server.isAlive()).isTrue();
            }
        }
        System.out.println("start of a further server, ms: " + millis);
        assertThat(millis).anyMatch(each -> each < 1000);
    }

    @Test
    void a_password_is_asked_of_everybody_when_there_is_one_and_of_nobody_otherwise() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(settings("16").withScram("it's secret \\"))) {
            assertThat(server.password()).contains("it's secret \\");
            assertThat(ask(server, "select left(rolpassword, 13) from pg_authid where rolname = 'postgres'"))
                    .isEqualTo("SCRAM-SHA-256");
            assertThatThrownBy(() -> connect(server, "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            assertThat(ask(server, "select count(*) from pg_hba_file_rules where auth_method <> 'scram-sha-256'"))
                    .isEqualTo("0");
            assertThat(server.dataFolder().resolveSibling("password.sql")).doesNotExist();
        }
        try (EmbeddedServer server = EmbeddedServer.start(settings("16"));
                Connection anybody = connect(server, "wrong")) {
            assertThat(anybody.isValid(5)).isTrue();
        }
    }

    @Test
    void restart_keeps_data_and_port_and_takes_altered_settings() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(settings("18").withMaxConnections(50))) {
            int port = server.port();
            long pid = server.pid();
            run(server, "create table kept as select 42 as n", "alter system set max_connections = 60");
            server.stop();
            assertThat(server.isAlive()).isFalse();
            assertThat(server.cpuNanos()).isZero();
            server.stop();
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(ask(server, "select n from kept")).isEqualTo("42");
            assertThat(ask(server, "show max_connections")).isEqualTo("60");
            server.restart();
            assertThat(ask(server, "select n from kept")).isEqualTo("42");
            assertThat(server.logTail(100)).noneMatch(line -> line.contains("not properly shut down"));
        }
    }

    @Test
    void a_crash_kills_all_at_once_and_the_restart_recovers_what_was_committed() throws Exception {
        EmbeddedServer server = EmbeddedServer.start(settings("16"));
        try (server) {
            run(server, "create table kept (n int)", "insert into kept values (42)");
            long pid = server.pid();
            Connection open = connect(server, "");
            server.crash();
            assertThat(server.isAlive()).isFalse();
            assertThat(Traces.processes(server.dataFolder().getParent())).isEmpty();
            assertThatThrownBy(() -> open.createStatement().execute("select 1")).isInstanceOf(SQLException.class);
            assertThat(Traces.segmentsOf(pid)).as("a crash leaves it").hasSize(1);
            server.restart();
            assertThat(ask(server, "select n from kept")).isEqualTo("42");
            assertThat(server.logTail(100)).anyMatch(line -> line.contains("not properly shut down"));
            assertThat(Traces.segmentsOf(pid)).as("the restart removes it").isEmpty();
        }
        assertThat(Traces.segmentsOf(server.pid())).isEmpty();
    }

    @Test
    void closing_a_crashed_server_removes_its_shared_memory() throws Exception {
        EmbeddedServer server = EmbeddedServer.start(settings("18"));
        List<Path> objects = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/" + server.pid() + "/maps"))) {
            if (line.contains("/dev/shm/PostgreSQL.")) {
                objects.add(Path.of(line.substring(line.indexOf("/dev/shm"))));
            }
        }
        server.crash();
        assertThat(objects).isNotEmpty().allSatisfy(object -> assertThat(object).exists());
        assertThat(Traces.segmentsOf(server.pid())).hasSize(1);
        server.close();
        server.close();
        assertThat(objects).allSatisfy(object -> assertThat(object).doesNotExist());
        assertThat(Traces.segmentsOf(server.pid())).isEmpty();
        assertThatThrownBy(server::restart)
                .isInstanceOfSatisfying(
                        ServerStartException.class,
                        e -> assertThat(e.reason()).isEqualTo(ServerStartException.Reason.CLOSED));
    }

    @Test
    void cpu_time_counts_sessions_that_run_and_those_that_ended() throws Exception {
        String burn = "do $$ declare t timestamptz := clock_timestamp(); i bigint := 0; begin"
                + " while clock_timestamp() < t + interval '700 ms' loop i := i + 1; end loop; end $$";
        try (EmbeddedServer server = EmbeddedServer.start(settings("16"))) {
            long before = server.cpuNanos();
            long own;
            long live;
            try (Connection connection = connect(server, "");
                    Statement statement = connection.createStatement()) {
                statement.execute(burn);
                try (ResultSet pid = statement.executeQuery("select pg_backend_pid()")) {
                    pid.next();
                    own = schedulerNanos(pid.getLong(1));
                }
                live = server.cpuNanos() - before;
            }
            assertThat(own).isGreaterThan(Duration.ofMillis(100).toNanos());
            assertThat(live).isGreaterThan(own - Duration.ofMillis(60).toNanos());
            assertThat(live).isLessThan(own + Duration.ofMillis(600).toNanos());
            run(server, "select 1");
            assertThat(server.cpuNanos() - before).isGreaterThanOrEqualTo(live);
        }
    }

    /** The scheduler's own account of the process, another source than the ticks in {@code stat}. */
    private static long schedulerNanos(long pid) throws Exception {
        return Long.parseLong(
                Files.readString(Path.of("/proc/" + pid + "/schedstat")).split(" ", -1)[0]);
    }

    @Test
    void an_interrupted_start_leaves_nothing() throws Exception {
        for (int delayMillis : new int[] {0, 30, 80, 150, 250}) {
            List<Throwable> thrown = new ArrayList<>();
            Thread starter = new Thread(() -> {
                try {
                    EmbeddedServer.start(settings("16")).close();
                } catch (InterruptedException | RuntimeException e) {
                    thrown.add(e);
                }
            });
            starter.start();
            starter.join(Math.max(1, delayMillis));
            starter.interrupt();
            starter.join(20_000);
            assertThat(starter.isAlive()).isFalse();
            assertThat(thrown).allSatisfy(e -> assertThat(e).isInstanceOf(InterruptedException.class));
            assertThat(Traces.below(base)).isEmpty();
        }
    }

    @Test
    void a_long_path_does_without_a_socket() throws Exception {
        Path deep = base.resolve("a-folder-with-a-name-that-makes-the-path-of-a-socket-too-long-for-the-kernel");
        try (EmbeddedServer server = EmbeddedServer.start(settings("16").withBaseFolder(deep))) {
            assertThat(ask(server, "show unix_socket_directories")).isEmpty();
        }
    }

    @Test
    void the_server_is_in_a_session_of_its_own() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(settings("16"))) {
            String stat = Files.readString(Path.of("/proc/" + server.pid() + "/stat"));
            String session = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
            assertThat(session).isEqualTo(Long.toString(server.pid()));
        }
    }

    @Test
    void tests_share_one_server_for_equal_settings() throws Exception {
        EmbeddedServer first = TestServers.shared("16");
        assertThat(TestServers.shared("16")).isSameAs(first);
        assertThat(ask(first, "show max_connections")).isEqualTo("300");
        first.crash();
        assertThat(ask(TestServers.shared("16"), "show fsync")).isEqualTo("off");
        try (EmbeddedServer other = TestServers.fresh("16")) {
            assertThat(other.port()).isNotEqualTo(first.port());
        }
    }
}
