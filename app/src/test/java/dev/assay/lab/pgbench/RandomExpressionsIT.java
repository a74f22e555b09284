package dev.assay.lab.pgbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.lab.script.CNumbers;
import dev.assay.lab.script.Code;
import dev.assay.lab.script.Compiler;
import dev.assay.lab.script.EvaluationException;
import dev.assay.lab.script.Expression;
import dev.assay.lab.script.Kind;
import dev.assay.lab.script.RandomExpressions;
import dev.assay.lab.script.Scope;
import dev.assay.lab.script.Symbols;
import dev.assay.lab.script.Value;
import dev.assay.lab.script.Xoroshiro;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random expressions, their values judged by pgbench, and doubles as text, judged by the server. */
@Timeout(120)
class RandomExpressionsIT {

    private static final long SEED = Long.getLong("assay.test.seed", 20261130);
    private static final int EXPRESSIONS = 2000;
    private static final int REFUSED = 12;

    @TempDir
    private static Path folder;

    private static TestDatabase database;
    private static EmbeddedServer server;

    @BeforeAll
    static void start() throws Exception {
        System.out.println("RandomExpressionsIT seed " + SEED);
        server = TestServers.shared("18");
        database = TestDatabase.on(server);
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    @Test
    void expressionsHaveTheValuesThatTheyHaveInPgbench() throws Exception {
        Symbols symbols = new Symbols();
        Xoroshiro seeds = new Xoroshiro(SEED);
        Scope scope = new Scope(symbols, seeds.next());
        StringBuilder script = new StringBuilder();
        List<String> texts = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (int i = 0; texts.size() < EXPRESSIONS; i++) {
            Random random = new Random(SEED + i);
            RandomExpressions expressions = new RandomExpressions(random);
            Expression expression = expressions.draw(1 + random.nextInt(5));
            String text = expressions.text(expression);
            Code code = Compiler.compile(expression, symbols);
            scope.save();
            try {
                long bits = code.run(scope);
                Kind kind = scope.kind();
                texts.add(text);
                script.append("\\set x debug(").append(text).append(")\n");
                expected.add("debug(script=0,command=" + texts.size() + "): " + kind
                        + (kind == Kind.NULL ? "" : " " + new Value(kind, bits)));
            } catch (EvaluationException e) {
                scope.restore();
                refused.add(text);
            }
        }
        Files.writeString(folder.resolve("random.sql"), script);
        Pgbench.Outcome outcome = Pgbench.run(
                server, database.name(), folder, List.of("-n", "-t", "1", "--random-seed=" + SEED, "-f", "random.sql"));
        List<String> seen =
                outcome.err().lines().filter(line -> line.startsWith("debug(")).toList();
        for (int i = 0; i < expected.size(); i++) {
            assertThat(i < seen.size() ? seen.get(i) : "(nothing)")
                    .as(texts.get(i))
                    .isEqualTo(expected.get(i));
        }
        assertThat(outcome.exitCode()).isZero();
        System.out.printf("%d expressions agree, %d have no value%n", texts.size(), refused.size());
        assertThat(refused.size()).isGreaterThan(REFUSED);
        for (String text : refused.subList(0, REFUSED)) {
            Files.writeString(folder.resolve("refused.sql"), "\\set x " + text + "\n");
            assertThat(Pgbench.run(
                                    server,
                                    database.name(),
                                    folder,
                                    List.of("-n", "-t", "1", "--random-seed=" + SEED, "-f", "refused.sql"))
                            .exitCode())
                    .as(text)
                    .isEqualTo(2);
        }
    }

    @Test
    void doublesAreWrittenAsTheServerWritesThem() throws Exception {
        Random random = new Random(SEED);
        List<Double> values = new ArrayList<>(List.of(
                0.1,
                0.3,
                1e15,
                1e14,
                999999999999999.5,
                1e-4,
                1e-5,
                123456789012345678.0,
                Double.MIN_VALUE,
                Double.MAX_VALUE));
        for (int i = 0; i < 3000; i++) {
            double drawn = Double.longBitsToDouble(random.nextLong());
            values.add(Double.isFinite(drawn) ? drawn : 1.5);
            values.add(random.nextInt(1_000_000) / 1000.0);
        }
        try (Connection session = database.connect("doubles")) {
            TestDatabase.run(session, "set extra_float_digits = 0");
            String list = String.join(",", values.stream().map(String::valueOf).toList());
            String answer = TestDatabase.one(
                    session,
                    "select string_agg(v::text, ' ' order by n) from unnest('{" + list
                            + "}'::float8[]) with ordinality u (v, n)");
            List<String> texts = List.of(answer.split(" "));
            for (int i = 0; i < values.size(); i++) {
                assertThat(CNumbers.general(values.get(i)))
                        .as("%s", values.get(i))
                        .isEqualTo(texts.get(i));
            }
        }
    }
}
