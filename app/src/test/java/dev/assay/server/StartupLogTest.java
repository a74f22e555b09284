package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.pg.ServerVersion;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** The logs are as servers of 16.14 and 18.4 wrote them. */
final class StartupLogTest {

    private static final ServerVersion VERSION = new ServerVersion(16, 14);

    private static ServerStartException explain(String log) {
        return StartupLog.explain(VERSION, log, 1, Path.of("somewhere"));
    }

    @Test
    void an_unknown_setting_is_quoted() {
        ServerStartException e = explain("""
                2026-01-01 10:00:00.000 GMT [7] LOG:  unrecognized configuration parameter "foo" in file "assay.conf" line 4
                2026-01-01 10:00:00.000 GMT [7] FATAL:  configuration file "postgresql.conf" contains errors
                """);
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.BAD_SETTING);
        assertThat(e)
                .hasMessage("PostgreSQL 16.14 rejects a setting: unrecognized configuration parameter \"foo\" in file"
                        + " \"assay.conf\" line 4");
        assertThat(e.logTail()).hasSize(2);
    }

    @Test
    void a_bad_value_is_quoted() {
        assertThat(explain("""
                x [7] LOG:  invalid value for parameter "max_connections": "many"
                x [7] FATAL:  configuration file "postgresql.conf" contains errors
                """)).hasMessageEndingWith("invalid value for parameter \"max_connections\": \"many\"");
    }

    @Test
    void another_end_quotes_the_fatal_line_and_else_the_last() {
        ServerStartException e = explain("""
                x [7] LOG:  starting PostgreSQL
                x [7] FATAL:  could not access file "none": No such file or directory
                x [7] LOG:  database system is shut down
                """);
        assertThat(e.reason()).isEqualTo(ServerStartException.Reason.DIED);
        assertThat(e)
                .hasMessage("PostgreSQL 16.14 ended at start (exit 1): FATAL: could not access file \"none\": No such"
                        + " file or directory");
        assertThat(explain("postgres: error while loading shared libraries: libz.so.1\n"))
                .hasMessageEndingWith("(exit 1): postgres: error while loading shared libraries: libz.so.1");
        assertThat(explain("")).hasMessageEndingWith("no output");
    }

    @Test
    void a_full_disk_and_a_forbidden_folder_are_told_apart() {
        assertThat(explain("x [7] FATAL:  could not write lock file \"postmaster.pid\": No space left on device\n")
                        .reason())
                .isEqualTo(ServerStartException.Reason.NO_SPACE);
        assertThat(explain("x [7] FATAL:  could not open file \"x\": Permission denied\n")
                        .reason())
                .isEqualTo(ServerStartException.Reason.PERMISSION);
    }

    @Test
    void a_taken_port_is_seen_and_its_twin_is_not() {
        assertThat(StartupLog.saysPortTaken(
                        "x LOG:  could not bind IPv4 address \"127.0.0.1\": Address already in use\n"))
                .isTrue();
        assertThat(StartupLog.saysPortTaken("x LOG:  listening on IPv4 address \"127.0.0.1\", port 15000\n"))
                .isFalse();
    }

    @Test
    void a_long_log_is_cut() {
        String log = String.join("\n", Collections.nCopies(100, "x [7] LOG:  line"));
        assertThat(explain(log).logTail()).hasSize(20);
    }
}
