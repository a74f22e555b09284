package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.Signals;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stalls on a real server, recorded by the real recorder, and found again. */
@Timeout(180)
final class EpisodesIT {

    private static final int WAITERS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** What was done to the server, by this machine's clock. */
    private record Done(Instant from, Instant to) {
        double seconds() {
            return Duration.between(from, to).toMillis() / 1000.0;
        }
    }

    /**
     * Twenty quiet seconds, a row that is locked for four while eight others want it, ten quiet seconds, and a server whose processes all stand
     * still for five: two episodes, and nothing else.
     */
    @Test
    void a_lock_of_four_seconds_and_a_silence_of_five_are_found_again() throws Exception {
        Path recording = folder.resolve("recording");
        Done stall;
        Done silence;
        int holder;
        try (EmbeddedServer server = TestServers.fresh("16");
                TestDatabase database = TestDatabase.on(
                        server, "create table t (id int primary key, n int)", "insert into t values (1, 0)");
                AssayProcess recorder = AssayCommand.at("record", server, database.name())
                        .and("-o", recording.toString())
                        .start()) {
            try (Connection view = database.connect("view");
                    Connection blocker = database.connect("nightly")) {
                awaitRecorder(view);
                holder = Integer.parseInt(TestDatabase.one(blocker, "select pg_backend_pid()"));
                Thread.sleep(20_000);
                stall = lock(database, view, blocker);
                Thread.sleep(10_000);
                silence = standStill(server, view);
                Thread.sleep(5_000);
            }
            recorder.signal("INT");
            recorder.end(PATIENCE);
        }
        JsonNode document =
                Schemas.document("episodes", episodes(recording, "--json").out());
        assertThat(document.at("/episodes")).as("%s", document).hasSize(2);
        boolean blockingSeen = !AssayCommand.of(
                        "query", recording.toString(), "select count(*) as n from blocking", "--csv")
                .run()
                .assertDone()
                .out()
                .equals("n\n0\n");
        isTheStall(document.at("/episodes/0"), stall);
        theBlocker(document.at("/episodes/0/blocker"), blockingSeen, stall, holder);
        isTheSilence(document.at("/episodes/1"), silence);
        text(recording, blockingSeen ? "Blocked by pid " + holder + ", user postgres, application nightly" : "#1");
        narrowed(recording, document, stall);
    }

    private static void awaitRecorder(Connection view) {
        await().atMost(PATIENCE)
                .until(() -> Integer.parseInt(TestDatabase.one(
                                view, "select count(*) from pg_stat_activity where application_name = 'assay'"))
                        > 0);
    }

    private static Done lock(TestDatabase database, Connection view, Connection blocker) throws Exception {
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        List<Connection> sessions = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            sessions.add(database.connect("web"));
        }
        TestDatabase.run(blocker, "begin");
        TestDatabase.run(blocker, "update t set n = n + 1 where id = 1");
        for (Connection session : sessions) {
            waiting.add(TestDatabase.runAside(session, "update t set n = n + 10 where id = 1"));
        }
        Instant from = Instant.now();
        await().atMost(PATIENCE)
                .until(() -> TestDatabase.one(
                                view, "select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
                        .equals(Integer.toString(WAITERS)));
        Thread.sleep(4_000);
        TestDatabase.run(blocker, "rollback");
        Instant to = Instant.now();
        waiting.forEach(CompletableFuture::join);
        for (Connection session : sessions) {
            session.close();
        }
        return new Done(from, to);
    }

    /** The postmaster and every process of its, so that nobody answers and nobody can log in. */
    private static Done standStill(EmbeddedServer server, Connection view) throws Exception {
        List<String> pids = new ArrayList<>(List.of(Long.toString(server.pid())));
        TestDatabase.rows(view, "select pid from pg_stat_activity").forEach(row -> pids.add(row.get(0)));
        Instant from = Instant.now();
        try {
            Signals.send("STOP", pids);
            Thread.sleep(5_000);
        } finally {
            Signals.send("CONT", pids);
        }
        return new Done(from, Instant.now());
    }

    private static Outcome episodes(Path recording, String... more) throws Exception {
        String[] words = Stream.concat(Stream.of("episodes", recording.toString()), Stream.of(more))
                .toArray(String[]::new);
        return AssayCommand.of(words).run().assertDone();
    }

    private static void isTheStall(JsonNode episode, Done stall) {
        assertThat(episode.at("/nature").asText()).isEqualTo("stall");
        assertThat(secondsTo(stall.from(), episode.at("/from"))).isCloseTo(0, within(2.0));
        assertThat(episode.at("/seconds").asDouble()).isCloseTo(stall.seconds(), within(2.0));
        assertThat(episode.at("/peak_aas").asInt()).isGreaterThanOrEqualTo(WAITERS);
        assertThat(episode.at("/wait_event").asText()).isIn("Lock:tuple", "Lock:transactionid");
        assertThat(episode.at("/statements/0/statement").asText()).isEqualTo("update t set n = n + ? where id = ?");
        assertThat(episode.at("/statements/0/share").asDouble()).isGreaterThan(0.8);
    }

    /** Looks at blocking keep to what they may cost: on a machine as busy as that of tests a short stall may have none, and then nobody is blamed. */
    private static void theBlocker(JsonNode blocker, boolean seen, Done stall, int holder) {
        assertThat(blocker.isNull()).isEqualTo(!seen);
        if (seen) {
            assertThat(blocker.at("/pid").asInt()).isEqualTo(holder);
            assertThat(blocker.at("/application").asText()).isEqualTo("nightly");
            assertThat(blocker.at("/state").asText()).isEqualTo("idle in transaction");
            assertThat(blocker.at("/statement").asText()).isEqualTo("update t set n = n + ? where id = ?");
            assertThat(blocker.at("/victims").asInt()).isEqualTo(WAITERS);
            assertThat(blocker.at("/transaction_seconds").asDouble()).isCloseTo(stall.seconds(), within(2.0));
        }
    }

    private static void isTheSilence(JsonNode episode, Done silence) {
        assertThat(episode.at("/nature").asText()).isEqualTo("no_answer");
        assertThat(secondsTo(silence.from(), episode.at("/from"))).isCloseTo(0, within(2.0));
        assertThat(episode.at("/unanswered_seconds").asDouble()).isCloseTo(silence.seconds(), within(3.0));
        assertThat(episode.at("/detail").asText()).isNotEmpty();
    }

    private static double secondsTo(Instant real, JsonNode found) {
        return Duration.between(real, Instant.parse(found.asText())).toMillis() / 1000.0;
    }

    private static void text(Path recording, String blocked) throws Exception {
        Outcome all = episodes(recording);
        System.out.println(all.out());
        assertThat(all.out())
                .containsPattern("(?m)^  #1  2\\d{3}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ +[3-6]\\.\\d s  stall  Lock:")
                .contains(blocked)
                .containsPattern("(?m)^  #2 .* no answer")
                .contains("All times are UTC");
        assertThat(episodes(recording, "--min-length", "1m").out())
                .doesNotContain("#1", "#2")
                .contains("2 shorter ones left out");
        assertThat(episodes(recording, "--at", "2").out()).contains("#2").doesNotContain("#1");
    }

    /** A number and a time narrow the diagnosis; what is not there is said. */
    private static void narrowed(Path recording, JsonNode document, Done stall) throws Exception {
        String path = recording.toString();
        JsonNode first = document.at("/episodes/0");
        JsonNode narrow = Schemas.document(
                "diagnose",
                AssayCommand.of("diagnose", path, "--at", "#1", "--json")
                        .run()
                        .assertDone()
                        .out());
        assertThat(narrow.at("/window/from").asText())
                .isEqualTo(first.at("/from").asText());
        assertThat(narrow.at("/window/to").asText()).isEqualTo(first.at("/to").asText());
        assertThat(narrow.at("/aas/0/wait_event").asText()).startsWith("Lock:");
        String quiet = stall.from().minusSeconds(12).toString();
        JsonNode before = Schemas.document(
                "diagnose",
                AssayCommand.of("diagnose", path, "--at", quiet + "/6s", "--json")
                        .run()
                        .assertDone()
                        .out());
        assertThat(before.at("/window/seconds").asDouble()).isEqualTo(6);
        assertThat(before.at("/window/samples").asInt()).isBetween(4, 7);
        assertThat(before.at("/aas").toString()).doesNotContain("Lock:");
        String blocked = "select count(*) as blocked from waits where wait_event like 'Lock:%'";
        assertThat(AssayCommand.of("query", path, blocked, "--csv", "--at", "1")
                        .run()
                        .assertDone()
                        .out())
                .matches("blocked\\R[1-9]\\d*\\R");
        assertThat(AssayCommand.of("query", path, blocked, "--csv", "--at", quiet + "/6s")
                        .run()
                        .assertDone()
                        .out())
                .matches("blocked\\R0\\R");
        assertThat(episodes(recording, "--to", stall.from().minusSeconds(3).toString())
                        .out())
                .contains("None: ");
        Outcome none = AssayCommand.of("episodes", path, "--at", "9").run().assertFailed(1);
        assertThat(none.problem()).isEqualTo("no episode 9: the recording has 2 of them");
        assertThat(none.hint()).isEqualTo("List them: assay episodes " + path);
        Outcome outside = AssayCommand.of("diagnose", path, "--at", "2001-01-01T00:00:00Z")
                .run()
                .assertFailed(1);
        assertThat(outside.problem()).isEqualTo("--at is outside of the recording " + path);
        assertThat(outside.hint()).matches("It spans 2\\d{3}-.*Z to 2\\d{3}-.*Z \\(UTC\\)\\.");
    }

    @Test
    void what_is_no_recording_is_told_in_a_line_and_a_hint() throws Exception {
        for (String command : List.of("episodes", "diagnose")) {
            Outcome nothing =
                    AssayCommand.of(command, folder + "/nowhere").run().assertFailed(1);
            assertThat(nothing.problem()).contains(folder + "/nowhere");
            Files.createDirectories(folder.resolve("plain"));
            Outcome plain =
                    AssayCommand.of(command, folder + "/plain", "--json").run().assertFailed(1);
            assertThat(plain.problem()).contains(folder + "/plain");
        }
        Outcome slip = AssayCommand.of("episodes", folder.toString(), "--at", "noon")
                .run()
                .assertFailed(2);
        assertThat(slip.problem()).contains("'noon' is no time and no episode");
        Outcome length = AssayCommand.of("episodes", folder.toString(), "--from", "12:00/3s")
                .run()
                .assertFailed(2);
        assertThat(length.problem()).isEqualTo("--from takes a time: 12:34:56 or 2026-03-14T12:34:56Z");
        Outcome both = AssayCommand.of("diagnose", folder.toString(), "-p", "5432")
                .run()
                .assertFailed(2);
        assertThat(both.problem()).isEqualTo("a recording takes no connection, --for or --pool");
        Outcome live = AssayCommand.of("diagnose", "--at", "3").run().assertFailed(2);
        assertThat(live.problem()).isEqualTo("--at needs a recording");
    }

    /** What the recorder leaves when there was nothing to see: its header. */
    @Test
    void an_empty_recording_is_told() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        Path recording = folder.resolve("recording");
        AssayCommand.at("record", server, server.database())
                .and("-o", recording.toString(), "--for", "1s")
                .run()
                .assertDone();
        try (Stream<Path> files = Files.walk(recording)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!Objects.requireNonNull(file.getFileName()).toString().equals("recording.json")) {
                    Files.delete(file);
                }
            }
        }
        Outcome empty = AssayCommand.of("episodes", recording.toString()).run().assertFailed(1);
        assertThat(empty.problem()).isEqualTo("the recording " + recording + " holds no samples");
        assertThat(empty.hint()).contains("assay record --for");
    }

    @Test
    void a_server_that_nobody_uses_has_no_episodes() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        Path recording = folder.resolve("recording");
        AssayCommand.at("record", server, server.database())
                .and("-o", recording.toString(), "--for", "15s")
                .run()
                .assertDone();
        Outcome none = episodes(recording);
        assertThat(none.out()).contains("None: in no two looks").doesNotContain("#1");
        JsonNode document =
                Schemas.document("episodes", episodes(recording, "--json").out());
        assertThat(document.at("/episodes")).isEmpty();
        assertThat(document.at("/window/samples").asInt()).isBetween(13, 16);
        assertThat(document.at("/window/gaps")).isEmpty();
    }
}
