package dev.assay.lab;

import java.io.StringReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * One YAML document as a graph of nodes, each of which knows its line. Nothing is constructed from it: values are read as they are written
 * ({@code 16.10} stays {@code 16.10}), tags have no effect, and a graph that aliases would blow up is refused.
 */
final class YamlDocument {

    static final int CHARACTERS_MAX = 1024 * 1024;
    static final int DEPTH_MAX = 20;
    private static final int ALIASES_MAX = 50;

    private YamlDocument() {}

    /**
     * The top-level mapping.
     *
     * @throws ExperimentFileException when the text is not YAML, or not a mapping
     */
    static MappingNode compose(String source, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setAllowRecursiveKeys(false);
        options.setMaxAliasesForCollections(ALIASES_MAX);
        options.setNestingDepthLimit(DEPTH_MAX);
        options.setCodePointLimit(CHARACTERS_MAX);
        Node root;
        try {
            root = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            throw notYaml(source, e);
        } catch (ReaderException e) {
            Mark mark = markAt(text, e.getPosition());
            throw ExperimentFileException.at(
                    source,
                    mark,
                    String.format("character U+%04X is not allowed in YAML", e.getCodePoint()),
                    "remove it, or save the file as UTF-8 text");
        } catch (YAMLException e) {
            throw ExperimentFileException.of(
                    source, "not readable as YAML: " + oneLine(e.getMessage()), "write it without aliases", e);
        }
        if (root == null) {
            throw ExperimentFileException.of(source, "the file is empty", "docs/experiments.md has an example");
        }
        if (root.getNodeId() != NodeId.mapping) {
            throw ExperimentFileException.at(
                    source,
                    root.getStartMark(),
                    "expected keys with values, found " + (root.getNodeId() == NodeId.scalar ? "text" : "a list"),
                    "an experiment begins with name: and title:, docs/experiments.md has an example");
        }
        return (MappingNode) root;
    }

    private static ExperimentFileException notYaml(String source, MarkedYAMLException e) {
        String problem = oneLine(e.getProblem());
        Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
        if (problem.contains("(TAB)")) {
            return ExperimentFileException.at(source, mark, "a tab where YAML wants spaces", "indent with spaces");
        }
        if (problem.contains("unexpected end of stream") && e.getContextMark() != null) {
            return ExperimentFileException.at(
                    source,
                    e.getContextMark(),
                    "not YAML: this quote is never closed",
                    "close it, or double quotes inside");
        }
        String place = mark == null ? "" : " (column " + (mark.getColumn() + 1) + ")";
        String hint = problem.contains("another document")
                ? "one file holds one experiment: remove the line ---"
                : "look at the indentation and the quotes here and on the line above";
        return ExperimentFileException.at(source, mark, "not YAML: " + problem + place, hint);
    }

    private static Mark markAt(String text, int position) {
        int end = Math.min(Math.max(0, position), text.length());
        String before = text.substring(0, end);
        int line = (int) before.chars().filter(character -> character == '\n').count();
        int column = end - (before.lastIndexOf('\n') + 1);
        return new Mark("position", position, line, column, new int[0], 0);
    }

    private static String oneLine(@Nullable String message) {
        return message == null
                ? "unknown problem"
                : String.join(" ", List.of(message.strip().split("\\s+")));
    }
}
