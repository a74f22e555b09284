package dev.assay.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;

/**
 * The experiment file: YAML, UTF-8, one document, at most {@value #BYTES_MAX} bytes.
 *
 * <pre>
 * name, title, question          text
 * parameters    {name: value, or a list of values: a matrix}; ${name} stands for the value everywhere else
 * load          {clients, threads, protocol, trials, warmup, measured, rate, latency_limit, max_tries}
 * schemas       {name: SQL with :parameter}
 * systems       {name: {server, settings {}, schema, parameters {}}}
 * scripts       {name: pgbench script}
 * tasks         {name: {prepare: SQL, sql: SQL}}
 * background    {name: {hold: SQL} or {script, clients, rate, ...}}
 * variants      {name: {title, system, script or {script: weight} or task, load {}, background [], fresh, checks {name: SQL}}}
 * comparisons   [{question, baseline, candidate, metric, margin, same_answer, proves}]
 * signatures    [{variant, relation_locks {total, fastpath, slow}}]
 * </pre>
 *
 * <p>Every name must be defined, nothing unknown is skipped, nothing is executed. {@code docs/experiments.md} explains the keys;
 * {@code dev/assay/schema/experiment.schema.json} is the same for editors.
 */
public final class ExperimentFile {

    /** A file larger than this is not an experiment. */
    public static final int BYTES_MAX = 1024 * 1024;

    private static final String FOLDER = "/experiments/";
    private static final List<String> BUILT_IN = List.of("lock-partitions", "lock-partitions-aa");

    private ExperimentFile() {}

    /** {@link #read(Path, Map)} as the file stands. */
    public static Experiment read(Path file) {
        return read(file, Map.of());
    }

    /**
     * Reads a user's file.
     *
     * @param overrides what {@code --set} gave, see {@link #parse}
     * @throws ExperimentFileException when it cannot be read or does not hold an experiment
     */
    public static Experiment read(Path file, Map<String, String> overrides) {
        String source = file.getFileName() == null
                ? file.toString()
                : file.getFileName().toString();
        return parse(source, decode(source, bytes(file)), overrides);
    }

    /** Names of the experiments that come with Assay, in the order to show them. */
    public static List<String> builtInNames() {
        return BUILT_IN;
    }

    /** {@link #builtIn(String, Map)} as it stands. */
    public static Experiment builtIn(String name) {
        return builtIn(name, Map.of());
    }

    /**
     * An experiment that comes with Assay.
     *
     * @throws ExperimentFileException when there is none of this name, or an override does not fit
     */
    public static Experiment builtIn(String name, Map<String, String> overrides) {
        return parse(name + ".yaml", builtInText(name), overrides);
    }

    /**
     * The file of an experiment that comes with Assay, to start one's own from.
     *
     * @throws ExperimentFileException when there is none of this name
     */
    public static String builtInText(String name) {
        if (!BUILT_IN.contains(name)) {
            throw ExperimentFileException.of(
                    name, "no built-in experiment of this name", NearestName.hint(name, BUILT_IN, "experiments"));
        }
        try (InputStream in = ExperimentFile.class.getResourceAsStream(FOLDER + name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + FOLDER + name + ".yaml");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads the text of an experiment file.
     *
     * @param sourceName names the file in messages
     * @param overrides path to value, for example {@code load.trials} to {@code 3}; a key without a dot is a parameter or a top-level
     *     key
     * @throws ExperimentFileException names the line, or the override
     */
    public static Experiment parse(String sourceName, String yaml, Map<String, String> overrides) {
        if (yaml.length() > BYTES_MAX) {
            throw tooLarge(sourceName, yaml.length());
        }
        MappingNode root = YamlDocument.compose(sourceName, yaml);
        new YamlOverrides(sourceName, root).apply(overrides);
        new MatrixNodes(sourceName, root).apply();
        new ParameterNodes(sourceName, root).apply();
        return new ExperimentReader(new YamlMap(sourceName, "", root)).read();
    }

    private static byte[] bytes(Path file) {
        String source = file.toString();
        if (Files.isDirectory(file)) {
            throw ExperimentFileException.of(
                    source, "is a folder, not an experiment file", "name the .yaml file in it");
        }
        if (!Files.exists(file)) {
            throw ExperimentFileException.of(
                    source, "no such file", "built-in experiments: " + String.join(", ", BUILT_IN));
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw tooLarge(source, Math.max(bytes.length, Files.size(file)));
            }
            return bytes;
        } catch (IOException e) {
            throw ExperimentFileException.of(
                    source, "cannot be read: " + e.getMessage(), "check the file's permissions", e);
        }
    }

    private static ExperimentFileException tooLarge(String source, long size) {
        return ExperimentFileException.of(
                source,
                "is " + size + " bytes, an experiment file has at most " + BYTES_MAX,
                "build large data with generate_series in the schema");
    }

    private static String decode(String source, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ExperimentFileException.of(source, "is not UTF-8 text", "save the file as UTF-8", e);
        }
    }
}
