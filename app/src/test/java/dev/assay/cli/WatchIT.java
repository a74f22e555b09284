package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.StatementId;
import dev.assay.observe.recording.RecordingHeader;
import dev.assay.observe.recording.RecordingLimits;
import dev.assay.observe.recording.RecordingWriter;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.WaitEvent;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.sys.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code assay watch} as its users run it, at a terminal. */
final class WatchIT {

    private static final String LEAVES_SECOND_SCREEN = "\u001b[?1049l";
    private static final String SHOWS_CURSOR = "\u001b[?25h";

    @TempDir
    Path folder;

    private static String[] watch(EmbeddedServer server, String database) {
        return new String[] {
            "watch", "-h", server.host(), "-p", Integer.toString(server.port()), "-U", server.user(), "-d", database
        };
    }

    /** The terminal is as it was: its modes, its first screen, its cursor. */
    private static void assertGivenBack(PseudoTerminal terminal) {
        assertThat(terminal.modes().get(0))
                .isNotEmpty()
                .isEqualTo(terminal.modes().get(1));
        String sent = terminal.sent();
        assertThat(sent).as("no character").doesNotContain("\uffff");
        assertThat(sent.lastIndexOf(LEAVES_SECOND_SCREEN)).isGreaterThan(sent.lastIndexOf("\u001b[?1049h"));
        assertThat(sent.lastIndexOf(SHOWS_CURSOR)).isGreaterThan(sent.lastIndexOf("\u001b[?25l"));
        assertThat(terminal.read("err")).doesNotContain("Exception");
    }

    @Test
    void a_blocked_session_is_drawn_below_its_blocker_and_q_ends() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (TestDatabase database = TestDatabase.on(
                        server, "create table stock (id int primary key, n int)", "insert into stock values (1, 1)");
                Connection holder = database.connect("holder");
                Connection victim = database.connect("victim");
                Connection view = database.connect("view")) {
            TestDatabase.run(holder, "begin");
            TestDatabase.run(holder, "update stock set n = 2 where id = 1");
            CompletableFuture<Void> blocked = TestDatabase.runAside(victim, "update stock set n = 3 where id = 1");
            String pids = TestDatabase.one(
                    view,
                    "select string_agg(pid::text, ' ' order by application_name) from pg_stat_activity where datname = '"
                            + database.name() + "' and application_name in ('holder', 'victim')");
            String blocker = pids.split(" ", -1)[0] + " postgres holder  blocks 1";
            try (PseudoTerminal terminal = PseudoTerminal.run(folder, watch(server, database.name()))) {
                String screen = terminal.awaitText(blocker);
                assertThat(screen)
                        .contains("PostgreSQL " + server.version(), "/" + database.name())
                        .contains("└─ " + pids.split(" ", -1)[1] + " postgres victim  waits");
                terminal.press("4");
                terminal.awaitScreen(
                        "blocking pane", text -> text.lines().toList().get(4).startsWith(blocker));
                terminal.press("\r");
                assertThat(terminal.awaitText("Blocks"))
                        .contains("Session " + pids.split(" ", -1)[0], "idle in transaction for");
                terminal.press("\u001b[6~");
                assertThat(terminal.awaitText("stock_pkey")).contains("RowExclusiveLock slot");
                terminal.press("q");
                assertThat(terminal.exitCode()).isZero();
                assertGivenBack(terminal);
            }
            TestDatabase.run(holder, "rollback");
            blocked.join();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> TestDatabase.one(
                                    view,
                                    "select count(*) from pg_stat_activity where application_name = 'assay' and datname = '"
                                            + database.name() + "'")
                            .equals("0"));
        }
    }

    @Test
    void ctrl_c_ends_with_130_and_gives_the_terminal_back() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (PseudoTerminal terminal = PseudoTerminal.run(folder, watch(server, server.database()))) {
            terminal.awaitText("live");
            terminal.press("\u0003");
            assertThat(terminal.exitCode()).isEqualTo(130);
            assertGivenBack(terminal);
        }
    }

    @Test
    void term_ends_with_143_and_gives_the_terminal_back() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (PseudoTerminal terminal = PseudoTerminal.run(folder, watch(server, server.database()))) {
            terminal.awaitText("live");
            terminal.signal("TERM");
            assertThat(terminal.exitCode()).isEqualTo(143);
            assertGivenBack(terminal);
        }
    }

    @Test
    void kill_9_leaves_nothing_among_the_temporary_files() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (PseudoTerminal terminal = PseudoTerminal.run(folder, watch(server, server.database()))) {
            terminal.awaitText("live");
            terminal.signal("KILL");
            assertThat(terminal.exitCode()).isEqualTo(137);
        }
        try (Stream<Path> left = Files.list(folder.resolve("temporary"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void a_server_that_goes_away_is_told_and_seen_again_when_it_is_back() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16");
                PseudoTerminal terminal = PseudoTerminal.run(folder, watch(server, server.database()))) {
            terminal.awaitText("live");
            server.stop();
            assertThat(terminal.awaitText("SERVER LOST since")).contains("Active sessions", "PostgreSQL 16");
            server.restart();
            terminal.awaitScreen("server that is back", screen -> screen.contains("live") && !screen.contains("LOST"));
            terminal.press("q");
            assertThat(terminal.exitCode()).isZero();
        }
    }

    @Test
    void without_a_terminal_it_says_what_to_use_instead() throws Exception {
        Outcome outcome = AssayCommand.of("watch", "-h", "127.0.0.1").run().assertFailed(2);
        assertThat(outcome.problem()).contains("terminal");
        assertThat(outcome.hint()).contains("assay diagnose");
    }

    @Test
    void a_server_that_cannot_be_reached_is_told_on_the_first_screen() throws Exception {
        try (PseudoTerminal terminal =
                PseudoTerminal.run(folder, "watch", "-h", "no-such-host.invalid", "-U", "postgres")) {
            assertThat(terminal.exitCode()).isEqualTo(1);
            assertThat(terminal.read("err")).contains("no-such-host.invalid", "hint: ");
            assertThat(terminal.sent()).doesNotContain("\u001b[?1049h");
        }
    }

    /** Noon to ten past: one session at work, thirty behind a lock from 12:05:00 to 12:05:09. */
    private Path recording() {
        Instant noon = Instant.parse("2026-03-14T12:00:00Z");
        Path path = folder.resolve("shop");
        RecordingHeader header = new RecordingHeader(
                new ServerFacts(ServerVersion.parse("16.14"), "PostgreSQL 16.14 on x86_64", "shop"),
                "db.example:5432",
                "monitor",
                null,
                null,
                List.of());
        try (RecordingWriter writer = RecordingWriter.open(
                path,
                header,
                new RecordingHeader.Run("test", noon, null, Map.of()),
                RecordingLimits.DEFAULT.withAgeMax(Duration.ofDays(10_000)),
                Clock.system())) {
            writer.add(ServerRow.class, new Sample<>(noon, List.of(new ServerRow(noon, noon, false, null, noon))));
            for (int second = 0; second <= 600; second++) {
                Instant at = noon.plusSeconds(second);
                List<ActivityRow> rows = new ArrayList<>();
                rows.add(session(1, null, at));
                for (int i = 0; i < (second >= 300 && second < 310 ? 30 : 0); i++) {
                    rows.add(session(2 + i, new WaitEvent("Lock", "tuple"), at));
                }
                writer.add(ActivityRow.class, new Sample<>(at, rows));
            }
        }
        return path;
    }

    private static ActivityRow session(int pid, WaitEvent wait, Instant at) {
        return new ActivityRow(
                pid, "shop", "shop", "app", "active", wait, StatementId.of(null, "select 1"), at.minusSeconds(60), at);
    }

    @Test
    void a_recording_is_played_paused_and_moved_in() throws Exception {
        Path recording = recording();
        try (PseudoTerminal terminal =
                PseudoTerminal.run(folder, "watch", recording.toString(), "--at", "2026-03-14T12:02:30Z")) {
            // the minute around that time begins at 12:02:00
            terminal.awaitText("PLAY ×1  2");
            assertThat(terminal.awaitText("Active sessions 1.0")).contains("2026-03-14 12:02:", "of 10 min");
            terminal.press(" ");
            terminal.awaitText("PAUSE ×1");
            terminal.press("g12:04:00\r");
            terminal.awaitText("2026-03-14 12:04:00 UTC");
            terminal.press("\u001b[C");
            terminal.awaitText("12:04:10 UTC");
            terminal.press("\u001b[1;2D");
            terminal.awaitText("12:03:10 UTC");
            terminal.awaitScreen("the episode found", screen -> {
                pressQuietly(terminal, "}");
                return screen.contains("12:05:00 UTC");
            });
            assertThat(terminal.awaitText("Active sessions 31.0")).contains("L=Lock 30.0");
            terminal.press("+ ");
            terminal.awaitText("PLAY ×2");
            terminal.press("g12:09:57\r");
            assertThat(terminal.awaitText("12:10:00 UTC")).contains("100 % of 10 min");
            terminal.awaitText("PAUSE ×2");
            terminal.press("q");
            assertThat(terminal.exitCode()).isZero();
            assertGivenBack(terminal);
        }
    }

    private static void pressQuietly(PseudoTerminal terminal, String keys) {
        try {
            terminal.press(keys);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_time_outside_of_the_recording_is_refused_in_one_line() throws Exception {
        Path recording = recording();
        try (PseudoTerminal terminal =
                PseudoTerminal.run(folder, "watch", recording.toString(), "--at", "2026-03-15T12:00:00Z")) {
            assertThat(terminal.exitCode()).isEqualTo(1);
            assertThat(terminal.read("err")).contains("outside of the recording", "hint: ");
        }
    }
}
