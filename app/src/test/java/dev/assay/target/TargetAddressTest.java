package dev.assay.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.wire.Encryption;
import dev.assay.wire.Encryption.ChannelBinding;
import dev.assay.wire.Encryption.Mode;
import dev.assay.wire.Endpoint;
import java.nio.file.Path;
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

    @Test
    void encryptionIsReadAsLibpqReadsIt() {
        assertThat(of("host=h user=u").endpoint().encryption()).isEqualTo(Encryption.preferred());
        assertThat(
                        of("postgresql://u@h/d?sslmode=verify-full&sslrootcert=/r&sslcert=/c&sslkey=/k&channel_binding=require")
                                .endpoint()
                                .encryption())
                .isEqualTo(new Encryption(
                        Mode.VERIFY_FULL, "/r", Path.of("/c"), Path.of("/k"), ChannelBinding.REQUIRE, null));
        assertThat(of("host=h user=u sslmode='' sslrootcert=''").endpoint().encryption())
                .isEqualTo(Encryption.preferred());
        TargetAddress surroundings = TargetAddress.of(
                "host=db.example hostaddr=10.0.0.1 user=u",
                null,
                null,
                null,
                Map.of(
                        "PGSSLMODE", "verify-ca",
                        "PGSSLROOTCERT", "/r",
                        "PGSSLCERT", "/c",
                        "PGSSLKEY", "/k",
                        "PGCHANNELBINDING", "disable"));
        assertThat(surroundings.endpoint())
                .isEqualTo(new Endpoint(
                        "10.0.0.1",
                        5432,
                        new Encryption(
                                Mode.VERIFY_CA,
                                "/r",
                                Path.of("/c"),
                                Path.of("/k"),
                                ChannelBinding.DISABLE,
                                "db.example")));
        TargetAddress system = of("host=h user=u sslrootcert=system");
        assertThat(system.endpoint().encryption().mode()).isEqualTo(Mode.VERIFY_FULL);
        assertThat(system.driverProperties())
                .containsEntry("sslmode", "verify-full")
                .containsEntry("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory")
                .doesNotContainKey("sslrootcert");
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
                    host=h sslmode=always     | invalid sslmode 'always'
                    host=h channel_binding=on | invalid channel_binding 'on'
                    host=h sslmode=require sslrootcert=system | too weak for sslrootcert=system
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
