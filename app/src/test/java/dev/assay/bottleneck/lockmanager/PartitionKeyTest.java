package dev.assay.bottleneck.lockmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.LockFootprint;
import dev.assay.evidence.StatementId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PartitionKeyTest {

    /** Keys as the catalog snapshot and servers of 14 to 18 write them; columns that must be compared, separated by blanks, and the condition. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
                    RANGE (order_ts)                          | order_ts | order_ts >= '<from>' and order_ts < '<to>'
                    RANGE (region, order_ts)                  | region   | region >= '<from>' and region < '<to>'
                    RANGE (ts timestamp_ops)                  | ts       | ts >= '<from>' and ts < '<to>'
                    RANGE (ts tools.my_ops)                   | ts       | ts >= '<from>' and ts < '<to>'
                    RANGE (name COLLATE "C" text_pattern_ops) | name     | name >= '<from>' and name < '<to>'
                    LIST (name COLLATE pg_catalog."C")        | name     | name = '<value>'
                    RANGE ("Order Ts")                        | Order Ts | "Order Ts" >= '<from>' and "Order Ts" < '<to>'
                    LIST ("a""b, c")                          | a"b, c   | "a""b, c" = '<value>'
                    LIST (region)                             | region   | region = '<value>'
                    HASH (a, b)                               | a b      | a = '<value>' and b = '<value>'
                    HASH (a, lower(b))                        | -        | -
                    LIST (lower(x))                           | -        | -
                    RANGE (lower(x), y)                       | -        | -
                    RANGE (x, lower(y))                       | x        | x >= '<from>' and x < '<to>'
                    RANGE (((a + b)))                         | -        | -
                    LIST ((expression))                       | -        | -
                    RANGE (x, (expression))                   | x        | x >= '<from>' and x < '<to>'
                    RANGE (EXTRACT(year FROM ts))             | -        | -
                    """)
    void columnsAndConditionOf(String text, String columns, String condition) {
        PartitionKey key = PartitionKey.parse(text).orElseThrow();
        assertThat(String.join(" ", key.needed())).isEqualTo(columns == null ? "" : columns);
        assertThat(key.condition().orElse(null)).isEqualTo(condition);
    }

    @Test
    void anythingElseIsNoKey() {
        assertThat(PartitionKey.parse("")).isEmpty();
        assertThat(PartitionKey.parse("RANGE")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    RANGE (aid)        | select * from t where aid_parent = 3          | false
                    RANGE (aid)        | select * from t where xaid = 3                | false
                    RANGE (aid)        | select * from t where t.AID = 3               | true
                    RANGE ("Order Ts") | select * from t where "Order Ts" > $1         | true
                    HASH (a, b)        | select * from t where a = 1                   | false
                    HASH (a, b)        | select * from t where a = 1 and b = 2         | true
                    RANGE (a, b)       | select * from t where a = 1                   | true
                    """)
    void tellsWhetherTheStatementNamesTheColumns(String text, String statement, boolean named) {
        LockFootprint footprint = new LockFootprint(StatementId.of(null, statement), 1, 0, 1, List.of());
        assertThat(PartitionKey.parse(text).orElseThrow().namedBy(footprint)).isEqualTo(named);
    }
}
