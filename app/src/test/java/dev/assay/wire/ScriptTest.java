package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptTest {

    private static List<String> expand(String text) {
        return Script.parse("s", text).expand(1);
    }

    private static ScriptException refusal(String text) {
        ScriptException refusal = catchThrowableOfType(ScriptException.class, () -> Script.parse("load.sql", text));
        assertThat(refusal).as("not refused: %s", text).isNotNull();
        return refusal;
    }

    @Test
    void statementsSpanLinesAndLoseTheirComments() {
        assertThat(expand("-- first\nselect 1,\n  2 -- two\n  , 3;\n\nselect 4;"))
                .containsExactly("select 1,\n  2 \n  , 3", "select 4");
    }

    @Test
    void lastStatementAndOneBeforeACommandNeedNoSemicolon() {
        assertThat(expand("select 1 \\set x 7\nselect :x")).containsExactly("select 1", "select 7");
    }

    @Test
    void semicolonsInsideQuotesCommentsAndParenthesesDoNotEndAStatement() {
        for (String whole : List.of(
                "select 'a;b''c;'",
                "select E'it\\'s;'",
                "select e'\\\\', 1",
                "select \"a;\"\"b;\"",
                "select $$ ; $$, $tag$ $$ ; $tag$",
                "select /* ; /* ; */ ; */ 1",
                "create rule r as on insert to t do also (insert into u values (1); select 2)",
                "select '\\'")) {
            assertThat(expand(whole + ";select 2;")).as(whole).containsExactly(whole, "select 2");
        }
    }

    @Test
    void aDollarInsideAWordBeginsNoQuote() {
        assertThat(expand("select a$b$ from t; select $1;")).containsExactly("select a$b$ from t", "select $1");
    }

    @Test
    void aWordThatEndsInEMakesNoEscapeString() {
        assertThat(expand("select date'a\\'; select 2;")).containsExactly("select date'a\\'", "select 2");
    }

    @Test
    void joinedStatementsStayInOneMessage() {
        assertThat(expand("begin\\; select 1\\; commit; select 2;"))
                .containsExactly("begin; select 1; commit", "select 2");
    }

    @Test
    void variablesAreReplacedEverywhereButInCasts() {
        assertThat(expand("\\set n 42\nselect :n, ':n', \":n\", $$:n$$, :n::int, x::n, a[1::n], :nn, ':' , :n:n;"))
                .containsExactly("select 42, '42', \"42\", $$42$$, 42::int, x::n, a[1::n], :nn, ':' , 4242");
    }

    @Test
    void aNameThatIsNotSetIsLeft() {
        assertThat(expand("select a[1:m], '10:30:other';")).containsExactly("select a[1:m], '10:30:other'");
    }

    @Test
    void valuesAreAssignedInOrder() {
        assertThat(
                        expand(
                                "\\set x -5\nselect :x;\n\\set x 9223372036854775807\nselect :x; \\set y -9223372036854775808\nselect :y;"))
                .containsExactly("select -5", "select 9223372036854775807", "select -9223372036854775808");
    }

    @Test
    void sameSetLinesAndSeedDrawTheSameValuesWhateverTheSql() {
        String sets = "\\set a random(1, 1000000)\n\\set b random(:a, 2000000)\n";
        for (long seed = 0; seed < 50; seed++) {
            List<String> one = Script.parse("one", sets + "select :a, :b;").expand(seed);
            List<String> other =
                    Script.parse("other", sets + "select 1;\nselect :a, :b;").expand(seed);
            assertThat(other.get(1)).as("seed %d", seed).isEqualTo(one.get(0));
        }
        assertThat(Script.parse("one", sets + "select :a;").expand(1))
                .isNotEqualTo(Script.parse("one", sets + "select :a;").expand(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "3 | select 1;\\n\\n\\sleep 10 ms | \\sleep is not supported",
                "1 | \\if 1 | \\if is not supported",
                "2 | select 1 as a\\n\\gset | \\gset is not supported",
                "1 | \\startpipeline | \\startpipeline is not supported",
                "2 | \\n\\set x :y + 1\\nselect 1; | expression not supported: :y + 1",
                "1 | \\set x random_gaussian(1, 10, 2.5) | expression not supported",
                "1 | \\set x random(1, 100 * :scale) | a bound of random is an integer or a variable",
                "1 | \\set x 1.5 | expression not supported: 1.5",
                "1 | \\set x 9223372036854775808 | does not fit into 64 bits",
                "1 | \\set x | needs a name and a value",
                "1 | \\set 1x 2 | not a variable's name: 1x",
                "1 | \\set x random(10, 1) | can be empty",
                "2 | \\set a random(1, 10)\\n\\set b random(:a, 9) | can be empty",
                "1 | \\set b random(:a, 9) | :a is not set above",
                "1 | \\set x random(-9223372036854775808, 0) | spans more than 2^63",
                "2 | select 1,\\n :x;\\n\\set x 1 | :x is used above its \\set",
                "3 | select 1;\\nselect 2,\\n:client_id; | pgbench's own variable :client_id",
                "3 | select 1;\\n\\nselect 'abc;\\n | the quote ' that begins here does not end",
                "2 | select 1;\\nselect $a$ $$; | the quote $a$ that begins here does not end",
                "2 | select 1;\\n/* /* */ | the comment that begins here does not end",
                "1 | select (1; select 2; | leaves a parenthesis open",
                "2 | select 1;\\n; | a semicolon without a statement",
                "1 | -- nothing | no SQL statement",
                "2 | \\n copy t\\nfrom stdin; | COPY FROM STDIN is not supported",
                "1 | create function f() returns int begin atomic select 1; end; | BEGIN ATOMIC is not supported",
            })
    void whatIsNotInTheSubsetIsRefusedWithItsLine(int line, String text, String problem) {
        // in the table \n stands for a line end
        ScriptException refusal = refusal(text.replace("\\n", "\n"));
        assertThat(refusal.problem()).contains(problem);
        assertThat(refusal.line()).as(refusal.getMessage()).isEqualTo(line);
        assertThat(refusal).hasMessageStartingWith("load.sql, line " + line + ": ");
        assertThat(refusal.hint()).isNotBlank();
    }

    @Test
    void parametersReplaceVariablesOneForEachUse() {
        Script script = Script.parse("s", "\\set a 1\n\\set b 2\nselect :b + :a + :b, x::int, :c;");
        Step.Statement statement = (Step.Statement) script.steps().get(2);
        assertThat(statement.parameterised()).isEqualTo("select $1 + $2 + $3, x::int, :c");
        assertThat(statement.variableNumbers()).containsExactly(1, 0, 1);
    }

    @Test
    void whatParametersCannotCarryIsRefusedForThemAlone() {
        for (String text : List.of(
                "\\set n 1\nselect 1;\nselect ':n';",
                "select 0;\nselect\n1\\; select 2;",
                "\\set n 1\nselect 1;\nselect 1 /* :n */;",
                "\\set n 1\n\nselect " + ":n, ".repeat(255) + ":n;")) {
            Script script = Script.parse("s", text);
            script.requireFit(Protocol.SIMPLE);
            for (Protocol protocol : List.of(Protocol.EXTENDED, Protocol.PREPARED)) {
                ScriptException refusal =
                        catchThrowableOfType(ScriptException.class, () -> script.requireFit(protocol));
                assertThat(refusal).as(text).isNotNull();
                assertThat(refusal.line()).isEqualTo(3);
            }
        }
        Script.parse("s", "\\set n 1\nselect ':m', 'a', :n;").requireFit(Protocol.PREPARED);
    }
}
