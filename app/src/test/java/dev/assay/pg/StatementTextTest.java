package dev.assay.pg;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StatementTextTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    select 1                                      | select ?
                    select  a ,\tb  from t;                       | select a , b from t
                    select 'it''s', E'a\\'b', 3.5e-7, 0x1F        | select ?, ?, ?, ?
                    select t1.c2 from t1 where x = $1             | select t1.c2 from t1 where x = $1
                    select "1 'a'" from "T""x"                    | select "1 'a'" from "T""x"
                    select $$a ; b$$, $tag$ $$ $tag$ , 1          | select ?, ? , ?
                    select 1 -- rest                              | select ?
                    select /* a /* b */ c */ 1                    | select ?
                    select timestamp '2025-3-14' + interval '1 day' | select timestamp ? + interval ?
                    select * from t where id in (1,2,3)           | select * from t where id in (?,?,?)
                    select 'cut off in the mid                    | select ?
                    select x::int, -5, a-1, a*2                   | select x::int, -?, a-?, a*?
                    """)
    void literalsCommentsAndSpaceGo(String statement, String normal) {
        assertThat(StatementText.normalise(statement)).isEqualTo(normal);
    }
}
