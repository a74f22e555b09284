package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Versions, experiment files and folders that cannot be used: each is told in one line and a hint, whatever was started is gone. */
final class BadInputIT {

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    Path folder;

    private Outcome failsWith(String experiment, String... more) throws Exception {
        Path file = Files.writeString(folder.resolve("mine.yaml"), experiment);
        Path output = folder.resolve("results");
        Path data = folder.resolve("data");
        String[] line = new String[more.length + 8];
        System.arraycopy(
                new String[] {
                    "lab", "run", file.toString(), "--json", "-o", output.toString(), "--data", data.toString()
                },
                0,
                line,
                0,
                8);
        System.arraycopy(more, 0, line, 8, more.length);
        Outcome outcome = AssayCommand.of(line).run().assertFailed(1);
        assertThat(output).doesNotExist();
        assertThat(ServerFolders.left(data)).isEmpty();
        return outcome;
    }

    @ParameterizedTest
    @CsvSource({
        "16.99, 'PostgreSQL 16.99 ', 'nearest known: 16.14'",
        "99,    'no release of PostgreSQL 99 is known', 'nearest known: 18.'",
        "9.6,   'PostgreSQL 9.6', 'nearest known: 1'",
        "16.x,  'systems.only.server', '16.4'",
        "newest, 'systems.only.server', '16.4'"
    })
    void a_version_that_cannot_be_had_is_named_with_the_nearest(String version, String problem, String hint)
            throws Exception {
        Outcome outcome = failsWith(Experiments.SMALL, "--set", "systems.only.server=" + version);
        assertThat(outcome.problem()).contains(problem, version);
        assertThat(outcome.hint()).contains(hint);
    }

    @Test
    void an_unknown_key_is_named_with_its_line_and_the_nearest() throws Exception {
        Outcome outcome = failsWith(Experiments.SMALL.replace("  clients: 4", "  clinets: 4"));
        assertThat(outcome.problem()).contains("mine.yaml:5:", "'clinets'");
        assertThat(outcome.hint()).contains("'clients'");
    }

    @Test
    void a_file_that_is_not_YAML_is_told_with_its_line() throws Exception {
        Outcome outcome = failsWith("name: mine\nload: {clients: 4\nscripts: [\n");
        assertThat(outcome.problem()).contains("mine.yaml:");
        assertThat(failsWith("#!/bin/sh\necho hello\n").problem()).contains("mine.yaml:2:");
        assertThat(failsWith("").problem()).contains("mine.yaml");
    }

    @Test
    void a_script_that_cannot_be_read_is_told_with_its_line_of_the_file() throws Exception {
        String broken = Experiments.SMALL.replace(
                "    select count(*) from numbers;\n", "    select 1;\n    \\set n gaussian(1, 2)\n    select :n;\n");
        int line = lineOf(broken, "gaussian");
        Outcome outcome = failsWith(broken);
        assertThat(outcome.problem()).contains("mine.yaml:" + line + ":", "script 'count'");
    }

    @Test
    void a_schema_that_fails_on_the_server_is_quoted_with_its_statement() throws Exception {
        Outcome outcome = failsWith(Experiments.SMALL.replace("generate_series(1, 100)", "generate_serious(1, 100)"));
        assertThat(outcome.problem())
                .contains("the schema of system 'only' fails on PostgreSQL 16.", "generate_serious");
        assertThat(outcome.hint()).contains("insert into numbers");
    }

    @Test
    void a_script_that_fails_on_the_server_is_told_with_its_line() throws Exception {
        Outcome outcome = failsWith(Experiments.SMALL.replace("count(*) from numbers", "count(*) from letters"));
        assertThat(outcome.problem()).contains("'first'", "\"letters\" does not exist");
        assertThat(outcome.hint())
                .contains("line " + lineOf(Experiments.SMALL, "select count"), "count(*) from letters");
    }

    private static int lineOf(String text, String part) {
        return text.substring(0, text.indexOf(part)).split("\n", -1).length;
    }

    @Test
    void a_server_that_has_no_place_for_the_clients_is_told() throws Exception {
        Outcome outcome = failsWith(
                Experiments.SMALL.replace("schema: numbers", "schema: numbers\n    settings: {max_connections: 12}"));
        assertThat(outcome.problem()).contains("max_connections is 12, too few for the clients of its variants");
        assertThat(outcome.hint()).contains("18 or more");
    }

    @Test
    void a_script_that_takes_the_server_down_is_told() throws Exception {
        Outcome outcome = failsWith(Experiments.SMALL.replace(
                "select count(*) from numbers", "copy (select 1) to program 'kill -s KILL $PPID'"));
        assertThat(outcome.problem()).contains("server");
        assertThat(outcome.hint()).contains("script");
    }

    @Test
    void the_log_of_a_server_that_does_not_start_is_shown_on_request() throws Exception {
        Path file = Files.writeString(folder.resolve("mine.yaml"), Experiments.SMALL);
        Outcome outcome = AssayCommand.of(
                        "lab",
                        "run",
                        file.toString(),
                        "--debug",
                        "--set",
                        "systems.only.settings.shared_preload_libraries=no_such_library")
                .in(folder)
                .run()
                .assertExit(1)
                .assertStackTrace();
        assertThat(outcome.hint()).contains("--debug");
        assertThat(outcome.err()).containsPattern("(?m)^server: .*FATAL: .*no_such_library");
    }

    @Test
    void a_setting_that_the_server_does_not_know_is_quoted() throws Exception {
        Outcome outcome = failsWith(Experiments.SMALL, "--set", "systems.only.settings.shared_bufers=1GB");
        assertThat(outcome.problem()).contains("shared_bufers");
    }

    @Test
    void an_experiment_that_does_not_exist_is_told_with_those_that_do() throws Exception {
        assertThat(AssayCommand.of("lab", "run", "lock-partition")
                        .run()
                        .assertFailed(1)
                        .hint())
                .contains("lock-partitions");
        Outcome file = AssayCommand.of("lab", "run", folder + "/no.yaml").run().assertFailed(1);
        assertThat(file.problem()).contains("no.yaml");
        Outcome override = AssayCommand.of("demo", "--set", "load.trails=2", "--json")
                .run()
                .assertFailed(1);
        assertThat(override.problem()).contains("load.trails");
        assertThat(override.hint()).contains("trials");
    }

    @Test
    void a_stack_trace_is_shown_on_request_only() throws Exception {
        AssayCommand.of("lab", "run", "nothing", "--debug").run().assertExit(1).assertStackTrace();
        AssayCommand.of("--debug", "lab", "run", "nothing").run().assertExit(1).assertStackTrace();
    }

    @Test
    void a_result_folder_that_cannot_be_made_is_told_before_any_server_starts() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        Path data = folder.resolve("data");
        for (String wrong : List.of(file.toString(), file + "/below", "/proc/none")) {
            Outcome outcome = AssayCommand.of("demo", "--json", "-o", wrong, "--data", data.toString())
                    .run()
                    .assertFailed(1);
            assertThat(outcome.problem()).startsWith("cannot write to " + wrong + ": ");
            assertThat(outcome.hint()).contains("-o");
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void folders_of_others_are_refused_in_one_line() throws Exception {
        open(folder);
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.setAttribute(home, "unix:uid", 65534);
        Path jar = Files.copy(Path.of(System.getProperty("assay.jar")), folder.resolve("assay.jar"));
        Outcome output = AssayCommand.of("demo", "--json", "-o", closed + "/results")
                .jar(jar)
                .behind(AS_NOBODY)
                .in(home)
                .run()
                .assertFailed(1);
        assertThat(output.problem()).isEqualTo("cannot write to " + closed + "/results: permission denied");
        Outcome data = AssayCommand.of("demo", "--json", "--data", closed + "/data")
                .jar(jar)
                .behind(AS_NOBODY)
                .in(home)
                .with("XDG_CACHE_HOME", home.toString())
                .run()
                .assertFailed(1);
        assertThat(data.problem()).contains(closed + "/data", "permission denied");
        assertThat(data.hint()).contains("--data");
        assertThat(closed).isEmptyDirectory();
        assertThat(home.resolve("assay-results"))
                .satisfiesAnyOf(
                        left -> assertThat(left).doesNotExist(),
                        left -> assertThat(left).isEmptyDirectory());
    }

    /** Lets everybody pass and read the folder and those above it, up to the folder of temporary files. */
    private static void open(Path path) throws IOException {
        Path top = Path.of(System.getProperty("java.io.tmpdir"));
        for (Path at = path; at != null && at.startsWith(top) && !at.equals(top); at = at.getParent()) {
            Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void a_full_disk_is_told() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        command("mount", "-t", "tmpfs", "-o", "size=10m", "assay-test", disk.toString());
        try {
            Outcome outcome = AssayCommand.of("demo", "--json", "--data", disk + "/data")
                    .in(folder)
                    .run()
                    .assertFailed(1);
            assertThat(outcome.problem()).contains("No space left on device");
            assertThat(outcome.hint()).contains("free about", "--data");
            assertThat(ServerFolders.left(disk.resolve("data"))).isEmpty();
        } finally {
            command("umount", disk.toString());
        }
    }

    private static void command(String... words) throws Exception {
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
    }
}
