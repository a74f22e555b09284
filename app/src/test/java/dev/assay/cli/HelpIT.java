package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line says about itself, and what it answers to a slip. */
final class HelpIT {

    private static final Path GOLDEN = Path.of("src", "test", "resources", "dev", "assay", "cli", "help.txt");

    @Test
    void every_command_explains_itself_with_an_example() throws Exception {
        StringBuilder all = new StringBuilder();
        for (String command : List.of(
                "",
                "demo",
                "diagnose",
                "watch",
                "record",
                "query",
                "episodes",
                "lab",
                "lab list",
                "lab run",
                "lab pgbench",
                "lab calibrate",
                "lab compare")) {
            String line = (command + " --help").strip();
            Outcome help = AssayCommand.of(line.split(" ", -1)).run().assertDone();
            assertThat(help.out()).containsPattern("(?m)^(Example|Start with): +assay ");
            assertThat(help.out().lines()).allMatch(text -> text.length() <= 80);
            all.append("$ assay ").append(line).append('\n').append(help.out()).append('\n');
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, all);
        }
        assertThat(all.toString()).isEqualTo(golden());
    }

    private static String golden() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            return Files.readString(GOLDEN);
        }
        try (InputStream in = HelpIT.class.getResourceAsStream("help.txt")) {
            assertThat(in).as("golden text help.txt").isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Java 24 and newer warn on stderr about each library that is loaded, unless the jar says that it does so. */
    @Test
    void the_jar_says_that_it_loads_libraries() throws Exception {
        try (JarFile jar = new JarFile(System.getProperty("assay.jar"))) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Enable-Native-Access"))
                    .isEqualTo("ALL-UNNAMED");
        }
    }

    @Test
    void the_version_names_commit_and_Java() throws Exception {
        Outcome version = AssayCommand.of("--version").run().assertDone();
        assertThat(version.out())
                .matches("assay \\d+\\.\\d+\\.\\d+\\S*\\ncommit ([0-9a-f]{7,40}( with local changes)?|unknown)\\nJava "
                        + "\\d.*\\n");
        assertThat(version.out()).contains("Java " + Runtime.version());
    }

    @Test
    void the_list_of_experiments_says_what_each_asks() throws Exception {
        assertThat(AssayCommand.of("lab", "list").run().assertDone().out())
                .containsPattern("(?m)^lock-partitions +What .*\\?$")
                .containsPattern("(?m)^lock-partitions-aa +Does .*\\?$");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '"', textBlock = """
            dmeo                     ~ unknown command 'dmeo'              ~ Did you mean 'assay demo'?
            diagnos --json           ~ unknown command 'diagnos'           ~ Did you mean 'assay diagnose'?
            lab rnu                  ~ unknown command 'rnu'               ~ Did you mean 'assay lab run'?
            benchmark                ~ unknown command 'benchmark'         ~ Commands: demo, diagnose, watch, record, query, episodes, lab. See 'assay --help'.
            --verison                ~ unknown option '--verison'          ~ Did you mean '--version'?
            diagnose --jsom          ~ unknown option '--jsom'             ~ Did you mean '--json'?
            diagnose --fail-no=info  ~ unknown option '--fail-no'          ~ Did you mean '--fail-on'?
            demo --quick             ~ unknown option '--quick'            ~ See 'assay demo --help'.
            demo lock-partitions     ~ unexpected argument                 ~ See 'assay demo --help'.
            lab                      ~ missing command                     ~ See 'assay lab --help'.
            lab run                  ~ Missing required parameter                          ~ See 'assay lab run --help'.
            lab compare one          ~ Missing required parameter                          ~ See 'assay lab compare --help'.
            lab comapre one two      ~ unknown command 'comapre'           ~ Did you mean 'assay lab compare'?
            """)
    void a_slip_is_answered_with_what_was_meant(String line, String problem, String hint) throws Exception {
        Outcome slip = AssayCommand.of(line.split(" ", -1)).run().assertFailed(2);
        assertThat(slip.problem()).contains(problem);
        assertThat(slip.hint()).isEqualTo(hint);
    }

    @Test
    void no_command_at_all_is_a_slip_too() throws Exception {
        Outcome nothing = AssayCommand.of().run().assertFailed(2);
        assertThat(nothing.problem()).contains("demo", "diagnose", "watch", "lab");
        assertThat(nothing.hint()).isEqualTo("See 'assay --help'.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "diagnose --for 0s",
                "diagnose --for 999999999h",
                "diagnose --for soon",
                "diagnose --for -5s",
                "diagnose --fail-on nonsense",
                "diagnose -p five",
                "lab run lock-partitions --set nonsense",
                "lab run lock-partitions --seed seven",
                "lab compare one two --margin wide",
                "lab compare one two --margin 0",
                "demo --set load.trials"
            })
    void a_value_that_does_not_fit_its_option_is_named(String line) throws Exception {
        List<String> words = List.of(line.split(" ", -1));
        Outcome slip = AssayCommand.of(line.split(" ", -1)).run().assertFailed(2);
        assertThat(slip.problem()).contains(words.get(words.size() - 2)).doesNotContain("option option");
        assertThat(slip.hint()).startsWith("See 'assay ");
    }
}
