package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code assay record} and {@code assay query}, as their users run them. */
final class RecordIT {

    @TempDir
    Path folder;

    private Path recording() {
        return folder.resolve("recording");
    }

    private AssayCommand record(EmbeddedServer server, String database, String... more) {
        return AssayCommand.at("record", server, database)
                .and("-o", recording().toString())
                .and(more);
    }

    private Outcome query(String sql, String... more) throws Exception {
        return AssayCommand.of("query", recording().toString(), sql).and(more).run();
    }

    private List<String> csv(String sql) throws Exception {
        return query(sql, "--csv").assertDone().out().lines().skip(1).toList();
    }

    private String everything() throws Exception {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(recording())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    @Test
    void what_a_session_did_is_found_again_without_its_literals() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (TestDatabase database = TestDatabase.on(server, "create table orders (id int primary key)");
                Connection sleeper = database.connect("sleeper")) {
            TestDatabase.run(sleeper, "begin; lock table orders in share mode");
            CompletableFuture<Void> sleeps =
                    TestDatabase.runAside(sleeper, "select pg_sleep(120), 'the-literal' as literal");
            Outcome recorded = record(server, database.name(), "--for", "4s", "--json")
                    .with("PGPASSWORD", "the-password")
                    .run()
                    .assertDone();
            JsonNode document = Schemas.document("record", recorded.out());
            assertThat(document.path("server").path("version").asText()).startsWith("16.");
            assertThat(document.path("window").path("seconds").asDouble()).isBetween(4.0, 10.0);
            assertThat(document.path("partial").asBoolean()).isFalse();
            assertThat(document.path("connections").asInt()).isEqualTo(2);
            assertThat(document.path("size_bytes").asLong()).isPositive();

            assertThat(csv("select distinct state, wait_event, statement from activity where application = 'sleeper'"))
                    .containsExactly("active,Timeout:PgSleep,\"select pg_sleep(?), ? as literal\"");
            long looks = Long.parseLong(csv("select count(*) from sample where table_name = 'activity'")
                    .get(0));
            long seen = Long.parseLong(csv("select count(*) from activity where application = 'sleeper'")
                    .get(0));
            assertThat(looks).isBetween(3L, 6L).isEqualTo(seen);
            assertThat(csv("select distinct name, mode, granted, fast_path from fast_path where name = 'orders'"))
                    .containsExactly("orders,ShareLock,true,false");
            assertThat(csv("select value from setting where name = 'server_version'"))
                    .allMatch(v -> v.startsWith("16."));
            assertThat(everything()).doesNotContain("the-literal", "the-password");
            TestDatabase.run(
                    database.connect("end"),
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sleeper'");
            sleeps.join();
        }
        try (Stream<Path> left = Files.walk(recording())) {
            assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".jsonl") || name.endsWith(".part"));
        }
        JsonNode answer = Schemas.document(
                "query",
                query("select pid, locks from relation_locks limit 1", "--json")
                        .assertDone()
                        .out());
        assertThat(answer.path("row_count").asInt()).isEqualTo(1);
        assertThat(answer.path("rows").path(0).path(1).path(0).path("mode").asText())
                .endsWith("Lock");
        assertThat(query("select 'a' as word, 7 as number union all select 'longer', null order by 1")
                        .assertDone()
                        .out())
                .isEqualTo("word    number\na            7\nlonger       –\n2 rows\n");
    }

    @Test
    void literals_are_kept_when_that_is_asked_for_but_no_password_is() throws Exception {
        EmbeddedServer server = TestServers.shared("18");
        try (TestDatabase database = TestDatabase.on(server);
                Connection sleeper = database.connect("sleeper");
                Connection secret = database.connect("secret")) {
            CompletableFuture<Void> one = TestDatabase.runAside(sleeper, "select pg_sleep(120), 'the-literal'");
            CompletableFuture<Void> two = TestDatabase.runAside(
                    secret, "do $$ begin perform pg_sleep(120); create role x password 'the-secret'; end $$");
            record(server, database.name(), "--for", "2s", "--every", "200ms", "--keep-literals")
                    .run()
                    .assertDone();
            assertThat(csv("select distinct literal_text from activity where application = 'sleeper'"))
                    .containsExactly("\"select pg_sleep(120), 'the-literal'\"");
            assertThat(csv("select count(*) > 0, count(literal_text) from activity where application = 'secret'"))
                    .containsExactly("true,0");
            assertThat(everything()).doesNotContain("the-secret");
            assertThat(Long.parseLong(csv("select count(*) from sample where table_name = 'activity'")
                            .get(0)))
                    .isBetween(6L, 13L);
            TestDatabase.run(
                    database.connect("end"),
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('sleeper', 'secret')");
            one.join();
            two.join();
        }
    }

    @Test
    void it_goes_on_until_it_is_stopped_and_another_one_has_to_wait() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (AssayProcess running = record(server, "postgres").start()) {
            running.awaitOut("until stopped (Ctrl-C)", Duration.ofSeconds(30));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> Files.isDirectory(recording().resolve("sample")));
            Outcome second = record(server, "postgres", "--for", "1s").run().assertFailed(1);
            assertThat(second.problem()).contains("somebody else is recording");
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            Long.parseLong(csv("select count(*) from sample").get(0)) > 10);
            running.signal("INT");
            Outcome end = running.end(Duration.ofSeconds(20)).assertExit(130);
            assertThat(end.out()).contains("samples in", "looking took at most");
            assertThat(end.err()).isEmpty();
        }
        try (Stream<Path> left = Files.walk(recording())) {
            assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".jsonl") || name.endsWith(".part"));
        }
        record(server, "postgres", "--for", "1s").run().assertDone();
        assertThat(Files.readString(recording().resolve("recording.json"))).containsPattern("(?s)ended_at.*ended_at");
        Outcome other = record(server, "template1", "--for", "1s").run().assertFailed(1);
        assertThat(other.problem()).contains("/postgres, not of").contains("/template1");
    }

    @Test
    void a_restart_of_the_server_is_a_gap_and_no_end() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("18");
                AssayProcess running =
                        record(server, "postgres", "--for", "15s").start()) {
            running.awaitOut("recording ", Duration.ofSeconds(30));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> Files.isDirectory(recording().resolve("server")));
            server.crash();
            server.restart();
            running.end(Duration.ofSeconds(60)).assertExit(0);
            List<String> events = csv("select kind from observer order by sampled_at");
            assertThat(events).contains("connected", "lost");
            assertThat(events.subList(events.indexOf("lost"), events.size())).contains("connected");
            assertThat(csv("select count(distinct started_at) from server")).containsExactly("2");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            record -o x --for 0s            ~ 2 ~ --for takes 1s or more
            record -o x --every 5ms         ~ 2 ~ --every takes 100ms to 1m
            record -o x --max-size 1KB      ~ 2 ~ --max-size takes 1MiB or more
            record -o x --max-size huge     ~ 2 ~ is not a size
            record -o x --max-age 1s        ~ 2 ~ --max-age takes 1m or more
            record --for 5s                 ~ 2 ~ Missing required option
            record -o x -p 1 --for 5s       ~ 1 ~ cannot reach PostgreSQL
            query nowhere select            ~ 1 ~ is no recording
            query nowhere                   ~ 2 ~ Missing required parameter
            query a b --csv --json          ~ 2 ~ exclude each other
            """)
    void bad_input_is_told_in_one_line(String line, int exitCode, String problem) throws Exception {
        Outcome outcome = AssayCommand.of(line.split(" ", -1)).in(folder).run().assertFailed(exitCode);
        assertThat(outcome.problem()).contains(problem);
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void a_folder_that_is_no_recording_is_left_alone() throws Exception {
        Files.createDirectories(recording());
        Files.writeString(recording().resolve("thesis.txt"), "precious");
        Outcome outcome = record(TestServers.shared("16"), "postgres", "--for", "1s")
                .run()
                .assertFailed(1);
        assertThat(outcome.problem()).contains("is not empty and no recording: it holds thesis.txt");
        try (Stream<Path> left = Files.list(recording())) {
            assertThat(left).containsExactly(recording().resolve("thesis.txt"));
        }
    }

    @Test
    void a_question_that_is_none_is_answered_with_the_tables() throws Exception {
        record(TestServers.shared("16"), "postgres", "--for", "1s").run().assertDone();
        Outcome unknown = query("select * from aktivity").assertFailed(1);
        assertThat(unknown.problem()).contains("aktivity");
        assertThat(unknown.hint()).contains("setting", "waits");
        Outcome writes =
                query("copy (select 1) to '" + folder.resolve("stolen") + "'").assertFailed(1);
        assertThat(writes.problem()).contains("only SELECT");
        assertThat(folder.resolve("stolen")).doesNotExist();
        assertThat(query("select * from read_text('/etc/passwd')")
                        .assertFailed(1)
                        .problem())
                .contains("/etc/passwd");
    }
}
