package dev.assay.lab.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pgbench does too is compared with it in {@code DifferentialIT}; here stand the details of cutting a script. */
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
    void statementsSpanLinesAndKeepTheCommentsWithinThem() {
        assertThat(expand("-- first\nselect 1,\n  2 -- two\n  , 3;\n\nselect 4;"))
                .containsExactly("select 1,\n  2 -- two\n  , 3;", "select 4;");
    }

    @Test
    void lastStatementAndOneBeforeACommandNeedNoSemicolon() {
        assertThat(expand("select 1 \\set x 7\nselect :x")).containsExactly("select 1 ", "select 7");
    }

    @Test
    void semicolonsInsideQuotesCommentsAndParenthesesDoNotEndAStatement() {
        for (String whole : List.of(
                "select 'a;b''c;';",
                "select E'it\\'s;';",
                "select e'\\\\', 1;",
                "select \"a;\"\"b;\";",
                "select $$ ; $$, $tag$ $$ ; $tag$;",
                "select /* ; /* ; */ ; */ 1;",
                "create rule r as on insert to t do also (insert into u values (1); select 2);",
                "select '\\';",
                "create function f() returns int begin atomic select 1; select case when true then 2 end; end;",
                "create or replace procedure p() begin atomic; end;")) {
            assertThat(expand(whole + "select 2;")).as(whole).containsExactly(whole, "select 2;");
        }
    }

    @Test
    void aTransactionBeginsWithoutBody() {
        assertThat(expand("begin; select 1; end; create table t (begin int); select 2;"))
                .containsExactly("begin;", "select 1;", "end;", "create table t (begin int);", "select 2;");
    }

    @Test
    void aDollarInsideAWordBeginsNoQuote() {
        assertThat(expand("select a$b$ from t; select $1;")).containsExactly("select a$b$ from t;", "select $1;");
    }

    @Test
    void aWordThatEndsInEMakesNoEscapeString() {
        assertThat(expand("select date'a\\'; select 2;")).containsExactly("select date'a\\';", "select 2;");
    }

    @Test
    void joinedStatementsStayInOneMessage() {
        assertThat(expand("begin\\; select 1\\; commit; select 2;"))
                .containsExactly("begin; select 1; commit;", "select 2;");
    }

    @Test
    void variablesAreReplacedEverywhereButInCasts() {
        assertThat(expand("\\set n 42\nselect :n, ':n', \":n\", $$:n$$, :n::int, x::n, a[1::n], :nn, ':' , :n:n;"))
                .containsExactly("select 42, '42', \"42\", $$42$$, 42::int, x::n, a[1::n], :nn, ':' , 4242;");
    }

    @Test
    void aNameThatIsNotSetIsLeft() {
        assertThat(expand("select a[1:m], '10:30:other';")).containsExactly("select a[1:m], '10:30:other';");
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
                "3 | select 1;\\n\\nselect 'abc;\\n | a quote does not end",
                "2 | select 1;\\nselect $a$ $$; | a quote does not end",
                "2 | select 1;\\n/* /* */ | a comment does not end",
                "1 | select (1; select 2; | leaves a parenthesis open",
                "1 | \\set 1x 2 | invalid variable name: \"1x\"",
                "2 | select 1;\\n\\setshell 1x echo 2 | invalid variable name: \"1x\"",
                "1 | -- nothing | empty command list",
            })
    void whatTheServerCouldOnlyRefuseIsRefusedWithItsLine(int line, String text, String problem) {
        // in the table \n stands for a line end
        ScriptException refusal = refusal(text.replace("\\n", "\n"));
        assertThat(refusal.problem()).contains(problem);
        assertThat(refusal.line()).as(refusal.getMessage()).isEqualTo(line);
        assertThat(refusal.hint()).isNotBlank();
    }

    @Test
    void thePlaceOfAnErrorIsShown() {
        ScriptException refusal = refusal("select 1;\n  \\set a 1 + * 2\n");
        assertThat(refusal).hasMessage("load.sql:2: syntax error in command \"set\"");
        assertThat(refusal.excerpt()).isEqualTo("\\set a 1 + * 2\n           ^ error found here");
        assertThat(refusal.column()).isEqualTo(12);
        assertThat(refusal.hint()).contains("\\set NAME EXPRESSION");
    }

    @Test
    void parametersReplaceVariablesOneForEachUse() {
        Command.Sql sql = (Command.Sql)
                Script.parse("s", "select :b + :a + :b, x::int, :c;").commands().get(0);
        assertThat(sql.sql().parameterised()).isEqualTo("select $1 + $2 + $3, x::int, $4;");
        assertThat(sql.sql().variables()).containsExactly("b", "a", "b", "c");
    }

    @Test
    void whatParametersCannotCarryIsToldWithItsLine() {
        for (String text : List.of(
                "\\set n 1\nselect 1;\nselect ':n';",
                "select 0;\nselect 1;\nselect 1\\; select 2;",
                "\\set n 1\nselect 1;\nselect 1 /* :n */;")) {
            ScriptException refusal = catchThrowableOfType(
                    ScriptException.class, () -> Script.parse("s", text).requireParameters());
            assertThat(refusal).as(text).isNotNull();
            assertThat(refusal.line()).isEqualTo(3);
        }
        Script.parse("s", "\\set n 1\nselect '::m', 'a:', '10:30', :n;").requireParameters();
    }

    @Test
    void whatDependsOnTheServerCannotBeExpanded() {
        for (String text : List.of("select 1 as x \\gset", "\\if true\n\\endif", "\\shell true", "\\startpipeline")) {
            assertThat(catchThrowableOfType(
                            ScriptException.class, () -> Script.parse("s", text).expand(1)))
                    .as(text)
                    .hasMessageContaining("needs a running load");
        }
    }
}
