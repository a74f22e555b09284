package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.lab.pgbench.Pgbench;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code assay lab pgbench} beside pgbench: the same tables, the same closing block, the same logs, the same exit codes. */
@Timeout(180)
final class PgbenchIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private static EmbeddedServer server;
    private static TestDatabase database;

    @BeforeAll
    static void start() throws Exception {
        server = TestServers.shared("18");
        database = TestDatabase.on(server);
        Pgbench.run(server, database.name(), folder, List.of("-i", "-q"));
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    private static AssayCommand pgbench(TestDatabase on, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "lab", "pgbench", "-h", server.host(), "-p", Integer.toString(server.port()), "-U", server.user()));
        arguments.addAll(List.of(options));
        arguments.add(on.name());
        return AssayCommand.of(arguments.toArray(String[]::new)).in(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-i -q",
                "-i -s 2 --foreign-keys",
                "-i --partitions=3 -F 80",
                "-i --partitions=2 --partition-method=hash",
                "-i -I dtGvp --unlogged-tables",
                "-i -n -I dtpfg",
            })
    void tablesAreMadeAsByPgbench(String options) throws Exception {
        try (TestDatabase theirs = TestDatabase.on(server);
                TestDatabase ours = TestDatabase.on(server)) {
            Pgbench.Outcome peer = Pgbench.run(server, theirs.name(), folder, List.of(options.split(" ")));
            assertThat(peer.exitCode()).as(peer.err()).isZero();
            Outcome outcome = pgbench(ours, options.split(" ")).run();
            outcome.assertExit(0);
            assertThat(outcome.err()).contains("done in ");
            assertThat(description(ours)).isEqualTo(description(theirs)).contains("pgbench_accounts");
        }
    }

    /** Everything that the catalog and the rows say of the tables. */
    private static String description(TestDatabase on) throws Exception {
        try (Connection view = on.connect("view")) {
            return TestDatabase.one(view, """
                    select string_agg(line, E'\\n' order by line) from (
                      select format('%s %s %s %s %s', c.relname, c.relkind, c.relpersistence, c.reloptions,
                                    pg_get_expr(c.relpartbound, c.oid)) as line
                      from pg_class c where c.relname like 'pgbench%'
                      union all
                      select format('%s.%s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull)
                      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                      where c.relname like 'pgbench%' and c.relkind in ('r', 'p')
                      union all
                      select format('%s: %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
                      from pg_constraint where conrelid::regclass::text like 'pgbench%'
                      union all
                      select format('accounts %s %s %s %s', count(*), sum(aid), sum(bid), sum(length(filler)))
                      from pgbench_accounts
                      union all
                      select format('tellers %s %s %s %s', count(*), sum(tid), sum(bid), count(filler)) from pgbench_tellers
                      union all
                      select format('branches %s %s %s', count(*), sum(bid), count(filler)) from pgbench_branches) d
                    """);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-t 5",
                "-S -t 20 -c 4 -j 2",
                "-N -T 1 -c 2",
                "-S -t 10 -r",
                "-b tpcb@3 -b select@1 -t 20 -c 2",
                "-b simple-update -f two.sql@2 -t 20 -r",
                "-S -t 20 -R 200",
                "-S -t 20 -R 200 -L 1000",
                "-S -t 20 -L 0.01",
                "-S -t 5 -C",
                "-t 5 --max-tries=3 --failures-detailed",
                "-S -T 2 -P 1 -M prepared",
                "-S -t 5 -M extended -s 7",
            })
    void theClosingBlockIsPgbenchs(String options) throws Exception {
        Files.writeString(folder.resolve("two.sql"), "select 1;\n\\set x 2\nselect :x;\n");
        List<String> arguments =
                Stream.concat(Stream.of("-n"), Stream.of(options.split(" "))).toList();
        Pgbench.Outcome peer = Pgbench.run(server, database.name(), folder, arguments);
        assertThat(peer.exitCode()).as(peer.err()).isZero();
        Outcome outcome = pgbench(database, arguments.toArray(String[]::new)).run();
        outcome.assertExit(0);
        List<String> expected = masked(peer.out()).stream()
                .filter(line -> !line.startsWith("pgbench ("))
                .toList();
        List<String> seen = masked(outcome.out());
        assertThat(seen.subList(0, Math.min(seen.size(), expected.size())))
                .as(outcome.out())
                .isEqualTo(expected);
        assertThat(outcome.out()).contains("latency percentiles: p50 ");
        assertThat(masked(outcome.err())).isEqualTo(masked(peer.err()));
    }

    /** Lines with N for every number; what was measured differs, and what was asked for is in the options. */
    private static List<String> masked(String text) {
        return text.lines()
                .map(line -> line.replaceFirst("^pgbench: (warning|error): ", "")
                        .replaceAll("-?\\d+(\\.\\d+)?", "N")
                        .replaceAll(" +", " "))
                .toList();
    }

    @Test
    void theLogIsPgbenchs() throws Exception {
        for (String options : List.of(
                "-S -t 10 -l --log-prefix=plain",
                "-S -t 10 -c 2 -l --log-prefix=rated -R 500",
                "-t 10 -l --log-prefix=tried --max-tries=2",
                "-S -t 2000 -l --log-prefix=sampled --sampling-rate=0.1",
                "-S -T 2 -l --log-prefix=summed --aggregate-interval=1")) {
            List<String> arguments = new ArrayList<>(List.of("-n"));
            arguments.addAll(List.of(options.split(" ")));
            String prefix = options.replaceAll(".*--log-prefix=(\\w+).*", "$1");
            Pgbench.run(server, database.name(), folder, arguments);
            List<String> theirs = takeLog(prefix);
            pgbench(database, arguments.toArray(String[]::new)).run().assertExit(0);
            List<String> ours = takeLog(prefix);
            assertThat(columns(ours))
                    .as("%s: %s beside %s", options, ours, theirs)
                    .isEqualTo(columns(theirs));
            if (prefix.equals("sampled")) {
                // 200 expected, standard deviation 13
                assertThat(ours.size()).isBetween(110, 290);
            } else if (!prefix.equals("summed")) {
                assertThat(ours).hasSameSizeAs(theirs);
                assertThat(ours.get(0)).matches("\\d+ 1 \\d+ 0 1\\d{9} \\d{1,6}( \\d+)?");
            }
        }
    }

    private static List<Long> columns(List<String> log) {
        return log.stream()
                .map(line -> line.chars().filter(c -> c == ' ').count())
                .distinct()
                .toList();
    }

    private static List<String> takeLog(String prefix) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> lines = new ArrayList<>();
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith(prefix + "."))
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
                Files.delete(file);
            }
            assertThat(lines).as(prefix).isNotEmpty();
            return lines;
        }
    }

    @Test
    void theJsonDocumentKeepsItsShape() throws Exception {
        JsonNode document = Schemas.document(
                "pgbench",
                pgbench(
                                database,
                                "-n",
                                "-b",
                                "tpcb-like@2",
                                "-S",
                                "-c",
                                "3",
                                "-j",
                                "2",
                                "-t",
                                "20",
                                "-r",
                                "--json",
                                "-L",
                                "500")
                        .run()
                        .assertDone()
                        .out());
        assertThat(document.at("/succeeded").asInt()).isEqualTo(60);
        assertThat(document.at("/scripts")).hasSize(2);
        assertThat(document.at("/scripts/0/succeeded").asInt()
                        + document.at("/scripts/1/succeeded").asInt())
                .isEqualTo(60);
        assertThat(document.at("/scripts/0/commands")).hasSize(11);
        assertThat(document.at("/partial").asBoolean()).isFalse();
    }

    @Test
    void aClientThatIsAbortedMakesTheExitCodeTwo() throws Exception {
        Path script = Files.writeString(folder.resolve("zero.sql"), "\\set x 1 / 0\n");
        Outcome outcome =
                pgbench(database, "-n", "-c", "2", "-f", script.toString()).run();
        outcome.assertExit(2);
        assertThat(outcome.err())
                .contains("division by zero")
                .contains("client 1 script 0 aborted in command 0: evaluation of meta-command failed")
                .contains("Run was aborted; the above results are incomplete.");
        assertThat(outcome.out()).contains("number of transactions actually processed: 0/20");
    }

    @Test
    void aScriptThatCannotBeReadIsShownWithItsPlace() throws Exception {
        Files.writeString(folder.resolve("broken.sql"), "select 1;\n\\set x 1 + * 2\n");
        Outcome outcome = pgbench(database, "-n", "-f", "broken.sql").run();
        outcome.assertExit(1);
        assertThat(outcome.err().lines())
                .containsExactly(
                        "assay: broken.sql:2: syntax error in command \"set\"",
                        "\\set x 1 + * 2",
                        "           ^ error found here",
                        "hint: it is written \\set NAME EXPRESSION");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-i -T 5",
                "-F 90",
                "-t 5 -T 5",
                "-c 0",
                "-R 0",
                "--max-tries=0",
                "--sampling-rate=0.5",
                "-M fast",
                "-D x",
                "-i -I dtx",
                "-i --partition-method=hash",
                "--random-seed=seven",
                "-l --aggregate-interval=2 -T 3",
            })
    void optionsThatContradictEachOtherAreRefused(String options) throws Exception {
        pgbench(database, options.split(" ")).run().assertFailed(2);
    }

    @Test
    void whatIsMissingIsTold() throws Exception {
        try (TestDatabase empty = TestDatabase.on(server)) {
            assertThat(pgbench(empty, "-S").run().assertFailed(1).hint()).contains("assay lab pgbench -i");
        }
        for (String init : new String[] {"-n", "-i"}) {
            Outcome nobody = AssayCommand.of("lab", "pgbench", "-h", "127.0.0.1", "-p", "1", init, "postgres")
                    .run()
                    .assertFailed(1);
            assertThat(nobody.problem()).contains("cannot connect to 127.0.0.1:1", "Connection refused");
            assertThat(nobody.hint()).contains("Check host and port");
        }
        assertThat(AssayCommand.of(
                                "lab",
                                "pgbench",
                                "-h",
                                server.host(),
                                "-p",
                                Integer.toString(server.port()),
                                "-U",
                                server.user(),
                                "nowhere")
                        .run()
                        .assertFailed(1)
                        .problem())
                .contains("3D000", "database \"nowhere\" does not exist");
        assertThat(pgbench(database, "-f", "nowhere.sql").run().assertFailed(1).problem())
                .contains("could not open file \"nowhere.sql\"");
        assertThat(pgbench(database, "-b", "s").run().assertFailed(1).problem()).contains("ambiguous builtin name");
    }

    @Test
    void aServerThatDiesEndsItsClientsAndTheyAreCounted() throws Exception {
        try (EmbeddedServer mortal = TestServers.fresh("16");
                AssayProcess running = AssayCommand.of(
                                "lab",
                                "pgbench",
                                "-h",
                                mortal.host(),
                                "-p",
                                Integer.toString(mortal.port()),
                                "-U",
                                mortal.user(),
                                "-n",
                                "-c",
                                "3",
                                "-T",
                                "60",
                                "-f",
                                Files.writeString(folder.resolve("one.sql"), "select 1;\n")
                                        .toString(),
                                mortal.database())
                        .start()) {
            try (Connection view = DriverManager.getConnection(mortal.jdbcUrl(), mortal.user(), "")) {
                await().atMost(PATIENCE)
                        .until(() -> TestDatabase.one(
                                        view, "select count(*) from pg_stat_activity where query = 'select 1;'")
                                .equals("3"));
            }
            mortal.crash();
            Outcome outcome = running.end(PATIENCE).assertExit(2);
            assertThat(outcome.out()).contains("number of transactions actually processed: ");
            assertThat(outcome.err())
                    .contains("Run was aborted; the above results are incomplete.")
                    .doesNotContain("fault of Assay");
        }
    }

    @Test
    void anInterruptedRunTellsWhatItHasAndLeavesNoSession() throws Exception {
        try (AssayProcess running = pgbench(database, "-n", "-S", "-c", "4", "-T", "60", "--json")
                        .start();
                Connection view = database.connect("view")) {
            await().atMost(PATIENCE)
                    .until(() -> TestDatabase.one(
                                    view,
                                    "select count(*) from pg_stat_activity where application_name = 'pgbench'"
                                            + " and query like 'SELECT abalance%'")
                            .equals("4"));
            running.signal("INT");
            Outcome outcome = running.end(PATIENCE);
            outcome.assertExit(130);
            JsonNode document = Schemas.document("pgbench", outcome.out());
            assertThat(document.at("/partial").asBoolean()).isTrue();
            assertThat(document.at("/succeeded").asInt()).isPositive();
            await().atMost(PATIENCE)
                    .until(() -> TestDatabase.one(
                                    view, "select count(*) from pg_stat_activity where application_name = 'pgbench'")
                            .equals("0"));
        }
    }

    @Test
    void aThousandClientsOnFourThreadsAreSmall() throws Exception {
        Files.writeString(folder.resolve("idle.sql"), "select 1;\n\\sleep 60 s\n");
        try (EmbeddedServer large =
                EmbeddedServer.start(TestServers.settings("18").withMaxConnections(1020))) {
            long one = resident(large, 1);
            long thousand = resident(large, 1000);
            long each = (thousand - one) / 999;
            System.out.printf(
                    "a client takes %d bytes (%d KiB with one, %d KiB with 1,000)%n", each, one >> 10, thousand >> 10);
            assertThat(each).isLessThan(64 * 1024);
        }
    }

    /** Memory of the process when all its clients are idle. */
    private static long resident(EmbeddedServer large, int clients) throws Exception {
        AssayCommand command = AssayCommand.of(
                        "lab",
                        "pgbench",
                        "-h",
                        large.host(),
                        "-p",
                        Integer.toString(large.port()),
                        "-U",
                        large.user(),
                        "-n",
                        "-c",
                        Integer.toString(clients),
                        "-j",
                        "4",
                        "-T",
                        "300",
                        "-f",
                        "idle.sql",
                        "postgres")
                .in(folder);
        try (TestDatabase on = TestDatabase.on(large);
                Connection view = on.connect("view");
                AssayProcess running = command.start()) {
            await().atMost(PATIENCE)
                    .until(() -> TestDatabase.one(
                                    view,
                                    "select count(*) from pg_stat_activity where application_name = 'pgbench' and"
                                            + " state = 'idle' and query = 'select 1;'")
                            .equals(Integer.toString(clients)));
            assertThat(Files.list(Path.of("/proc", Long.toString(running.pid()), "task"))
                            .map(task -> name(task))
                            .filter(name -> name.startsWith("assay-load")))
                    .hasSizeBetween(1, 4);
            long resident = ProcFs.system().stat(running.pid()).orElseThrow().rssBytes();
            running.signal("KILL");
            return resident;
        }
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
