package dev.assay.lab.pgbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.load.RunPlan;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.Script;
import dev.assay.lab.script.ScriptException;
import dev.assay.lab.script.ScriptMutations;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same scripts by pgbench and by the load engine, with the same seed: the same rows, the same debug lines, the same exit code. */
@Timeout(120)
class DifferentialIT {

    private static final long SEED = Long.getLong("assay.test.seed", 20261130);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private static EmbeddedServer server;
    private static TestDatabase database;
    private static Connection view;

    @BeforeAll
    static void start() throws Exception {
        System.out.println("DifferentialIT seed " + SEED);
        server = EmbeddedServer.start(TestServers.settings("18"));
        database = TestDatabase.on(server);
        view = database.connect("view");
    }

    @AfterAll
    static void stop() throws Exception {
        view.close();
        database.close();
        server.close();
    }

    static Stream<Corpus.Entry> corpus() {
        return Corpus.read("corpus.txt").stream();
    }

    static Stream<Corpus.Entry> errors() {
        return Corpus.read("errors.txt").stream();
    }

    /** What a run left behind. */
    record Trace(String rows, List<String> debug, int exitCode) {}

    @ParameterizedTest(name = "{0}")
    @MethodSource("corpus")
    void scriptsDoWhatTheyDoInPgbench(Corpus.Entry entry) throws Exception {
        fresh();
        Path file = Files.writeString(folder.resolve("script.sql"), entry.text());
        List<String> options = new ArrayList<>(
                List.of("-n", "--random-seed=" + SEED, "-f", file.getFileName().toString()));
        options.addAll(entry.options());
        Pgbench.Outcome theirs = Pgbench.run(server, database.name(), folder, options);
        Trace expected = new Trace(rows(), debugLines(theirs.err().lines()), theirs.exitCode());
        List<String> said = new ArrayList<>();
        Trace seen = ours(entry, Script.parse("script.sql", entry.text()), said);
        assertThat(seen)
                .as("pgbench said:%n%s%nthe engine said:%n%s", theirs.err(), String.join("\n", said))
                .isEqualTo(expected);
    }

    static Stream<String> constructs() {
        return Stream.concat(
                ScriptMutations.all().keySet().stream(), Stream.of("-M", "-C", "-D", "-s", "-c", "-t", "--max-tries"));
    }

    /** The comparison can fail: for each construct a script of the corpus tells an engine that gets it wrong from pgbench. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("constructs")
    void everyConstructIsMissedWhenItIsBroken(String construct) throws Exception {
        List<String> unmoved = new ArrayList<>();
        for (Corpus.Entry entry : Corpus.read("corpus.txt")) {
            Corpus.Entry changed = construct.startsWith("-") ? entry.without(construct) : entry;
            Script script = Script.parse("script.sql", entry.text());
            ScriptMutations.Change change = ScriptMutations.all().get(construct);
            Script broken = change == null ? script : change.apply(script);
            if (broken == null || (change == null && changed.options().equals(entry.options()))) {
                continue;
            }
            Trace right = ours(entry, script, new ArrayList<>());
            Trace wrong = ours(changed, broken, new ArrayList<>());
            if (!right.equals(wrong)) {
                System.out.println(construct + " broken is seen by '" + entry + "'");
                return;
            }
            unmoved.add(entry.name());
        }
        assertThat(unmoved).as("%s broken is seen by none of these", construct).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("errors")
    void whatCannotBeReadIsToldAsByPgbench(Corpus.Entry entry) throws Exception {
        Path file = Files.writeString(folder.resolve("broken.sql"), entry.text());
        Pgbench.Outcome theirs = Pgbench.run(
                server,
                database.name(),
                folder,
                List.of("-n", "-f", file.getFileName().toString()));
        assertThat(theirs.exitCode()).as(theirs.err()).isEqualTo(1);
        String expected =
                theirs.err().replaceFirst("^pgbench: (error|fatal): ", "").stripTrailing();
        if (expected.contains("must follow an SQL command")) {
            // pgbench 15 counts a line too many here
            expected = expected.replaceFirst(":\\d+:", ":1:");
        }
        try {
            Script.parse("broken.sql", entry.text());
            assertThat("read").as("pgbench said:%n%s", theirs.err()).isEqualTo(expected);
        } catch (ScriptException e) {
            String seen = e.excerpt().isEmpty() ? e.getMessage() : e.getMessage() + "\n" + e.excerpt();
            if (expected.contains("must follow an SQL command")) {
                seen = seen.replaceFirst(":\\d+:", ":1:");
            }
            assertThat(seen).isEqualTo(expected);
            assertThat(e.hint()).isNotBlank();
        }
    }

    static void fresh() throws Exception {
        try (var statement = view.createStatement()) {
            statement.execute("drop table if exists result; drop sequence if exists corpus_tries;"
                    + " create table result (id bigint generated always as identity, a text, b text, c text, d text);"
                    + " create sequence corpus_tries");
        }
    }

    /** In the order of the clients and of what each wrote: clients take turns as they like. */
    static String rows() throws Exception {
        return TestDatabase.one(
                view,
                "select coalesce(string_agg(concat_ws('|', coalesce(a, '~'), coalesce(b, '~'), coalesce(c, '~'),"
                        + " coalesce(d, '~')), E'\\n' order by case when a ~ '^[0-2]$' then a end, id), '') from result");
    }

    private static List<String> debugLines(Stream<String> lines) {
        return lines.filter(line -> line.startsWith("debug(")).toList();
    }

    /** Runs a script by the engine as an entry says. */
    static Trace ours(Corpus.Entry entry, Script script, List<String> said) throws Exception {
        fresh();
        Map<String, String> variables = new TreeMap<>();
        for (int i = 0; i < entry.options().size(); i++) {
            if (entry.options().get(i).equals("-D")) {
                String[] define = entry.options().get(i + 1).split("=", 2);
                variables.put(define[0], define[1]);
            }
        }
        LoadSettings settings = new LoadSettings(
                new Endpoint(server.host(), server.port()),
                new Credentials(server.user(), null, database.name()),
                "pgbench",
                List.of(new WeightedScript(script, 1)),
                Protocol.valueOf(entry.option("-M", "simple").toUpperCase(Locale.ROOT)),
                Integer.parseInt(entry.option("-c", "1")),
                1,
                SEED,
                PATIENCE,
                PATIENCE,
                new LoadRules(
                        0,
                        null,
                        Integer.parseInt(entry.option("--max-tries", "1")),
                        false,
                        false,
                        entry.options().contains("-C"),
                        false,
                        Long.parseLong(entry.option("-s", "1")),
                        variables));
        try (LoadClient client = LoadClient.open(settings, said::add)) {
            LoadResult result = client.run(
                    new RunPlan(Duration.ZERO, null, Long.parseLong(entry.option("-t", "10")), true, true, null));
            return new Trace(rows(), debugLines(said.stream()), result.clientsAborted() > 0 ? 2 : 0);
        }
    }
}
