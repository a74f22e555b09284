package dev.assay.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TargetAddressTest {

    private static TargetAddress of(String connection) {
        return TargetAddress.of(connection, null, null, null, Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    postgresql://ann:s%40crt@db.example:6432/shop?sslmode=require | jdbc:postgresql://db.example:6432/shop | ann
                    postgres://ann@[::1]:5433/shop                                | jdbc:postgresql://[::1]:5433/shop      | ann
                    postgresql://ann@a:1,b:2/shop                                 | jdbc:postgresql://a:1,b:2/shop         | ann
                    host=db.example port=6432 dbname='my shop' user=ann           | jdbc:postgresql://db.example:6432/my+shop | ann
                    host = h dbname = 'it\\'s' user=ann                           | jdbc:postgresql://h:5432/it%27s        | ann
                    postgresql://ann@h                                            | jdbc:postgresql://h:5432/ann           | ann
                    """)
    void readsWhatPsqlReads(String connection, String url, String user) {
        assertThat(of(connection).jdbcUrl()).isEqualTo(url);
        assertThat(of(connection).user()).isEqualTo(user);
    }

    @Test
    void aHostThatIsAFolderIsASocket() {
        for (String connection : new String[] {
            "host=/var/run/postgresql port=5433 dbname=shop user=ann sslmode=require",
            "postgresql://ann@%2Fvar%2Frun%2Fpostgresql:5433/shop?sslmode=require",
            "postgresql:///shop?host=/var/run/postgresql&port=5433&user=ann"
        }) {
            TargetAddress address = of(connection);
            assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://localhost:5433/shop");
            assertThat(address.socket()).isEqualTo("/var/run/postgresql/.s.PGSQL.5433");
            assertThat(address.driverProperties()).containsEntry("sslmode", "disable");
            assertThat(address).hasToString("ann@/var/run/postgresql:5433/shop");
        }
        assertThat(of("host=/tmp hostaddr=127.0.0.1 dbname=d user=u").socket()).isNull();
        assertThat(of("host=h dbname=d user=u").socket()).isNull();
        assertThat(of("dbname=d user=u").jdbcUrl()).isEqualTo("jdbc:postgresql://localhost:5432/d");
    }

    @Test
    void optionsWinOverTheStringAndThatOverTheEnvironment() {
        TargetAddress address = TargetAddress.of(
                "host=string user=bob dbname=d",
                "option",
                7000,
                null,
                Map.of("PGHOST", "environment", "PGPORT", "1", "PGUSER", "eve", "PGPASSWORD", "pw"));
        assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://option:7000/d");
        assertThat(address.user()).isEqualTo("bob");
        assertThat(address.driverProperties()).containsEntry("password", "pw");
    }

    @Test
    void percentSignsInThePasswordAreDecodedAndNeverShown() {
        TargetAddress address = of("postgresql://ann:s%40c+rt@h/shop");
        assertThat(address.driverProperties()).containsEntry("password", "s@c+rt");
        assertThat(address).hasToString("ann@h:5432/shop");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    hots=localhost            | unknown connection keyword 'hots'
                    host=h port=abc           | invalid port 'abc'
                    host='h                   | unterminated quoted value
                    jdbc:postgresql://h/x     | is a JDBC URL
                    host=@abstract            | a socket without a file
                    host=/tmp,db.example      | more than one place
                    postgresql://h/x?sslmode  | is not keyword=value
                    host=h dbname             | has no value
                    """)
    void saysWhatItCannotUnderstand(String connection, String problem) {
        assertThatThrownBy(() -> of(connection))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(problem)
                .extracting(e -> ((TargetException) e).hint())
                .asString()
                .isNotBlank();
    }
}
