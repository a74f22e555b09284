package dev.assay.cli;

import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.BuiltinScripts;
import dev.assay.lab.script.Script;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The scripts of {@code assay lab pgbench}, in the order of their options. */
final class PgbenchScripts {

    private static final int SCRIPTS_MAX = 128;

    private final List<Source> sources = new ArrayList<>();

    /** What an option named; read when all options are. */
    private record Source(boolean builtIn, String name) {}

    @Option(
            names = {"-b", "--builtin"},
            paramLabel = "NAME[@W]",
            description = "Add a built-in script, weighted at W (default 1); -b list shows them.")
    void builtin(@Nullable String value) {
        if (value != null) {
            sources.add(new Source(true, value));
        }
    }

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE[@W]",
            description = "Add a script from a file, - for standard input, weighted at W (default 1).")
    void file(@Nullable String value) {
        if (value != null) {
            sources.add(new Source(false, value));
        }
    }

    @Option(
            names = {"-N", "--skip-some-updates"},
            description = "Same as -b simple-update.")
    void simpleUpdate(boolean given) {
        if (given) {
            sources.add(new Source(true, "simple-update"));
        }
    }

    @Option(
            names = {"-S", "--select-only"},
            description = "Same as -b select-only.")
    void selectOnly(boolean given) {
        if (given) {
            sources.add(new Source(true, "select-only"));
        }
    }

    /** A name and the weight behind its last @. */
    private record Weighted(String name, int weight) {
        static Weighted of(String option) {
            int at = option.lastIndexOf('@');
            if (at < 0) {
                return new Weighted(option, 1);
            }
            String digits = option.substring(at + 1);
            try {
                int weight = Integer.parseInt(digits);
                if (weight < 0) {
                    throw new CommandException(
                            "weight specification out of range (0 .. " + Integer.MAX_VALUE + "): " + digits,
                            "Write NAME@3, for example.");
                }
                return new Weighted(option.substring(0, at), weight);
            } catch (NumberFormatException e) {
                throw new CommandException("invalid weight specification: @" + digits, "Write NAME@3, for example.");
            }
        }
    }

    /** The built-in script that a name, or the beginning of one, means. */
    static BuiltinScripts find(String name) {
        List<BuiltinScripts> found = BuiltinScripts.named(name);
        if (found.size() == 1) {
            return found.get(0);
        }
        String known = Arrays.stream(BuiltinScripts.values())
                .map(BuiltinScripts::scriptName)
                .collect(Collectors.joining(", "));
        throw new CommandException(
                found.isEmpty()
                        ? "no builtin script found for name \"" + name + "\""
                        : "ambiguous builtin name: " + found.size() + " builtin scripts found for prefix \"" + name
                                + "\"",
                "Built-in scripts are " + known + ".");
    }

    static String list() {
        return Arrays.stream(BuiltinScripts.values())
                .map(script -> String.format("  %13s: %s%n", script.scriptName(), script.description()))
                .collect(Collectors.joining("", String.format("Available builtin scripts:%n"), ""));
    }

    private static String read(String name) {
        try {
            byte[] bytes = name.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(name));
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CommandException("\"" + name + "\" is not UTF-8", "Save it as UTF-8.");
        } catch (NoSuchFileException e) {
            throw new CommandException(
                    "could not open file \"" + name + "\": No such file or directory", "Name a file that is there.");
        } catch (IOException e) {
            throw new CommandException(
                    "could not read file \"" + name + "\": " + e.getMessage(), "Name a file that can be read.");
        }
    }

    /**
     * All of them; without any option pgbench's default.
     *
     * @throws CommandException when a name, a weight or a file is no good
     * @throws dev.assay.lab.script.ScriptException when a file is no script
     */
    List<WeightedScript> scripts() {
        if (sources.size() > SCRIPTS_MAX) {
            throw new CommandException("at most " + SCRIPTS_MAX + " SQL scripts are allowed", "Leave some out.");
        }
        if (sources.isEmpty()) {
            sources.add(new Source(true, "tpcb-like"));
        }
        List<WeightedScript> scripts = new ArrayList<>();
        for (Source source : sources) {
            Weighted weighted = Weighted.of(source.name);
            Script script =
                    source.builtIn ? find(weighted.name).script() : Script.parse(weighted.name, read(weighted.name));
            scripts.add(new WeightedScript(script, weighted.weight));
        }
        if (scripts.stream().allMatch(script -> script.weight() == 0)) {
            throw new CommandException(
                    "total script weight must not be zero", "Give one of the scripts a weight above 0.");
        }
        return scripts;
    }

    boolean given() {
        return !sources.isEmpty();
    }

    /** Whether -b list asks for the names. */
    boolean asksForList() {
        return sources.contains(new Source(true, "list"));
    }

    /** Whether a script needs the standard tables. */
    boolean anyBuiltIn() {
        return sources.stream().anyMatch(Source::builtIn);
    }
}
