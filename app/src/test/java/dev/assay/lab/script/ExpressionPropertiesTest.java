package dev.assay.lab.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Properties of the expression language over random expressions; pgbench itself judges their values in {@code RandomExpressionsIT}. */
class ExpressionPropertiesTest {

    private static final long SEED = Long.getLong("assay.test.seed", 20261130);
    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    @BeforeAll
    static void tell() {
        System.out.println("ExpressionPropertiesTest seed " + SEED);
    }

    private static Expression parse(String text) {
        Command.Set set = (Command.Set)
                Script.parse("s", "\\set x " + text + "\n").commands().get(0);
        return set.value();
    }

    private static Value value(Expression expression, long seed) {
        Symbols symbols = new Symbols();
        Code code = Compiler.compile(expression, symbols);
        Scope scope = new Scope(symbols, seed);
        scope.setDefault(Symbols.DEFAULT_SEED, 99);
        long bits = code.run(scope);
        return new Value(scope.kind(), bits);
    }

    private static Value value(String text) {
        return value(parse(text), 1);
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        for (int i = 0; i < 20_000; i++) {
            Random random = new Random(SEED + i);
            RandomExpressions expressions = new RandomExpressions(random);
            Expression expression = expressions.draw(1 + random.nextInt(5));
            String text = expressions.text(expression);
            assertThat(parse(text)).as("seed %d: %s", SEED + i, text).isEqualTo(expression);
        }
    }

    @Test
    void integersAreExactOrRefused() {
        Random random = new Random(SEED);
        for (int i = 0; i < 50_000; i++) {
            long a = random.nextLong() >> random.nextInt(64);
            long b = random.nextLong() >> random.nextInt(64);
            check(Function.ADD, a, b, BigInteger.valueOf(a).add(BigInteger.valueOf(b)), "bigint add out of range");
            check(
                    Function.SUBTRACT,
                    a,
                    b,
                    BigInteger.valueOf(a).subtract(BigInteger.valueOf(b)),
                    "bigint sub out of range");
            check(
                    Function.MULTIPLY,
                    a,
                    b,
                    BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)),
                    "bigint mul out of range");
            if (b != 0) {
                check(
                        Function.DIVIDE,
                        a,
                        b,
                        BigInteger.valueOf(a).divide(BigInteger.valueOf(b)),
                        "bigint div out of range");
                check(Function.MOD, a, b, BigInteger.valueOf(a).remainder(BigInteger.valueOf(b)), "");
            }
        }
    }

    private static void check(Function function, long a, long b, BigInteger exact, String refusal) {
        Expression call = new Expression.Call(
                function, List.of(new Expression.Constant(Value.of(a)), new Expression.Constant(Value.of(b))));
        if (exact.compareTo(MIN) < 0 || exact.compareTo(MAX) > 0) {
            assertThatThrownBy(() -> value(call, 1))
                    .as("%d %s %d", a, function, b)
                    .isInstanceOf(EvaluationException.class)
                    .hasMessage(refusal);
        } else {
            assertThat(value(call, 1)).as("%d %s %d", a, function, b).isEqualTo(Value.of(exact.longValueExact()));
        }
    }

    @Test
    void aPermutationHitsEveryPlaceOnce() {
        Random random = new Random(SEED);
        for (int i = 0; i < 300; i++) {
            int size = 1 + random.nextInt(2000);
            long seed = random.nextLong();
            BitSet seen = new BitSet();
            for (int value = 0; value < size; value++) {
                long place = Mixing.permute(value, size, seed, new Xoroshiro(0));
                assertThat(place).isBetween(0L, size - 1L);
                seen.set((int) place);
            }
            assertThat(seen.cardinality()).as("size %d, seed %d", size, seed).isEqualTo(size);
        }
    }

    @Test
    void drawsStayInTheirRangesAndHaveTheirShapes() {
        int draws = 20_000;
        for (String text : List.of(
                "random(-5, 5)",
                "random_exponential(-5, 5, 2)",
                "random_gaussian(-5, 5, 2.5)",
                "random_zipfian(-5, 5, 1.5)")) {
            Symbols symbols = new Symbols();
            Code code = Compiler.compile(parse(text), symbols);
            Scope scope = new Scope(symbols, SEED);
            int[] seen = new int[11];
            for (int i = 0; i < draws; i++) {
                seen[(int) code.run(scope) + 5]++;
            }
            double[] expected = shape(text);
            double chiSquare = 0;
            for (int i = 0; i < seen.length; i++) {
                chiSquare += Math.pow(seen[i] - draws * expected[i], 2) / (draws * expected[i]);
            }
            // ten degrees of freedom: one run in 100,000 lies above 41
            assertThat(chiSquare).as("seed %d: %s", SEED, text).isLessThan(41);
        }
    }

    /** How likely each of the values from -5 to 5 is, by the formulas of the manual. */
    private static double[] shape(String text) {
        double[] shares = new double[11];
        for (int i = 0; i < shares.length; i++) {
            double low = i / 11.0;
            double high = (i + 1) / 11.0;
            shares[i] = switch (text.substring(0, text.indexOf('('))) {
                case "random" -> 1 / 11.0;
                case "random_exponential" -> (Math.exp(-2 * low) - Math.exp(-2 * high)) / (1 - Math.exp(-2));
                case "random_gaussian" -> normal(2.5 * (2 * high - 1)) - normal(2.5 * (2 * low - 1));
                default -> Math.pow(i + 1, -1.5);
            };
        }
        double sum = 0;
        for (double share : shares) {
            sum += share;
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    /** The normal distribution's cumulative share, by Simpson's rule. */
    private static double normal(double x) {
        int steps = 1000;
        double width = x / steps;
        double sum = 0;
        for (int i = 0; i <= steps; i++) {
            double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * Math.exp(-Math.pow(i * width, 2) / 2);
        }
        return 0.5 + sum * width / 3 / Math.sqrt(2 * Math.PI);
    }

    @Test
    void nullInGivesNullOut() {
        for (String text : List.of(
                "null + 1",
                "1 - null",
                "null * 2.5",
                "null / 0",
                "mod(1, null)",
                "null < 1",
                "null = null",
                "null & 1",
                "not null",
                "abs(null)",
                "greatest(1, null)",
                "least(null)",
                "int(null)",
                "double(null)",
                "sqrt(null)",
                "pow(null, 1)",
                "hash(null)",
                "permute(1, null)",
                "random(1, null)",
                "random_gaussian(1, 2, null)")) {
            assertThat(value(text)).as(text).isEqualTo(Value.NULL);
        }
        assertThat(value("null is null")).isEqualTo(Value.of(true));
        assertThat(value("case when null then 1 else 2 end")).isEqualTo(Value.of(2));
    }

    @Test
    void textBecomesAValueWhenAnExpressionAsks() {
        for (String[] pair : new String[][] {
            {"12", "12"},
            {" 12", "12"},
            {"+5", "5"},
            {"-7", "-7"},
            {"1.50", "1.5"},
            {"1e3", "1000"},
            {"0x10", "16"},
            {"null", "NULL"},
            {"NULL", "NULL"},
            {"t", "true"},
            {"Yes", "true"},
            {"ON", "true"},
            {"of", "false"},
            {"n", "false"},
            {"inf", "Infinity"},
        }) {
            assertThat(Scope.parse("v", pair[0])).as(pair[0]).hasToString(pair[1]);
        }
        for (String bad : List.of("", "text", "o", "1x", "1 ", "--1", "99999999999999999999", "1e999")) {
            assertThatThrownBy(() -> Scope.parse("v", bad)).as(bad).isInstanceOf(EvaluationException.class);
        }
    }

    @Test
    void deepNestingIsRefusedAndNoError() {
        String deep = "(".repeat(5000) + "1" + ")".repeat(5000);
        assertThatThrownBy(() -> parse(deep))
                .isInstanceOf(ScriptException.class)
                .hasMessageContaining("nested too deeply");
        assertThat(value("(".repeat(400) + "1" + ")".repeat(400))).isEqualTo(Value.of(1));
    }
}
