package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingSecretsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            primary_conninfo | host=db1 user=repl password=s3cr=et port=5432 | host=db1 user=repl password=*** port=5432
            primary_conninfo | host=db1 password = 'it\\'s s3cret' user=repl | host=db1 password = *** user=repl
            primary_conninfo | host=db1 sslpassword=s3cret sslkey=/k | host=db1 sslpassword=*** sslkey=/k
            primary_conninfo | postgresql://repl:s3c@ret@db1:5432/x?sslmode=require | postgresql://repl:***@db1:5432/x?sslmode=require
            primary_conninfo | postgresql://db1/x?user=repl&password=s3cret&port=1 | postgresql://db1/x?user=repl&password=***&port=1
            archive_command | PGPASSWORD="s3 cret" copy %p %f | PGPASSWORD=*** copy %p %f
            archive_command | AWS_SECRET_ACCESS_KEY=s3cret aws s3 cp %p s3://b/%f | AWS_SECRET_ACCESS_KEY=*** aws s3 cp %p s3://b/%f
            archive_command | wal-push --token s3cret --compress %p | wal-push --token *** --compress %p
            restore_command | curl -u joe:s3cret -o %p https://h/%f | curl -u joe:*** -o %p https://h/%f
            restore_command | curl -H "Authorization: Bearer s3cret" https://h/%f | curl -H "Authorization: Bearer ***" https://h/%f
            ssl_passphrase_command | echo s3cret | ***
            myapp.api_key | s3cret | ***
            myapp.DbPassword | s3cret | ***
            myapp.key | s3cret | ***
            myapp.jwt_secret | s3cret | ***
            myapp.dsn | host=a password=s3cret | host=a password=***
            """)
    void secretsAreTakenOut(String name, String value, String shown) {
        assertThat(SettingSecrets.mask(name, value, true)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            archive_command | test ! -f /archive/%f && cp %p /archive/%f
            archive_command | pgbackrest --stanza=main archive-push %p
            restore_command | curl -o %p https://host:8443/wal/%f
            primary_conninfo | host=db1 port=5432 user=repl passfile=repl.pgpass application_name=s1
            primary_conninfo | postgresql://repl@db1:5432/x
            ssl_key_file | server.key
            krb_server_keyfile | FILE:/etc/krb5.keytab
            search_path | "$user", public
            myapp.monkey | banana
            myapp.keyboard | qwerty
            log_line_prefix | %m [%p] %q%u@%d
            shared_preload_libraries | pg_stat_statements, auto_explain
            """)
    void whatIsNoSecretStays(String name, String value) {
        assertThat(SettingSecrets.mask(name, value, true)).isEqualTo(value);
    }

    @Test
    void numbersTruthsAndChoicesStay() {
        assertThat(SettingSecrets.mask("passwordcheck.min_length", "8", false)).isEqualTo("8");
        assertThat(SettingSecrets.mask("ssl_passphrase_command", "", true)).isEmpty();
    }
}
