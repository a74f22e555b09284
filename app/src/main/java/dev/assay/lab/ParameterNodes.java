package dev.assay.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Puts the values of the file's {@code parameters} where <code>${name}</code> stands: in any value of the file, before it is read, so that
 * what comes out meets the same checks as what is written out. Lines stay what they are.
 *
 * <p>Why this spelling: pgbench's variables are {@code :name} and its array literals have braces of their own, and a plain YAML value may
 * begin with a dollar but not with a brace. <code>$${</code> is left alone: a dollar quote may end there.
 */
final class ParameterNodes {

    static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String KEY = "parameters";

    private final String source;
    private final MappingNode root;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Mark> marks = new LinkedHashMap<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final Set<Node> visited = Collections.newSetFromMap(new IdentityHashMap<>());

    ParameterNodes(String source, MappingNode root) {
        this.source = source;
        this.root = root;
    }

    /**
     * Replaces all of them.
     *
     * @throws ExperimentFileException for a name that is not declared, a parameter that is used nowhere, or a value that is not one line
     */
    void apply() {
        declare();
        List<NodeTuple> entries = new ArrayList<>();
        for (NodeTuple entry : root.getValue()) {
            entries.add(
                    isParameters(entry) ? entry : new NodeTuple(entry.getKeyNode(), replaced(entry.getValueNode())));
        }
        root.setValue(entries);
        marks.forEach((name, mark) -> {
            if (!used.contains(name)) {
                throw ExperimentFileException.at(
                        source,
                        mark,
                        "parameter '" + name + "' is used nowhere",
                        "write ${" + name + "} where its value belongs, or remove it");
            }
        });
    }

    private void declare() {
        for (NodeTuple entry : root.getValue()) {
            if (isParameters(entry)) {
                new YamlMap(source, "", root).map(KEY).scalars().forEach(values::put);
                for (NodeTuple parameter : ((MappingNode) entry.getValueNode()).getValue()) {
                    ScalarNode key = (ScalarNode) parameter.getKeyNode();
                    marks.put(key.getValue(), key.getStartMark());
                    check(key, ((ScalarNode) parameter.getValueNode()));
                }
            }
        }
    }

    private void check(ScalarNode key, ScalarNode value) {
        if (!NAME.matcher(key.getValue()).matches()) {
            throw ExperimentFileException.at(
                    source,
                    key.getStartMark(),
                    "parameter '" + key.getValue() + "' is not a word",
                    "letters, digits and _ only");
        }
        if (value.getValue().contains("\n") || value.getValue().contains("${")) {
            throw ExperimentFileException.at(
                    source,
                    value.getStartMark(),
                    "the value of parameter '" + key.getValue() + "' must be one line without ${",
                    "longer text belongs into a schema or a script");
        }
    }

    private static boolean isParameters(NodeTuple entry) {
        return entry.getKeyNode() instanceof ScalarNode key && key.getValue().equals(KEY);
    }

    private void visit(Node node) {
        if (!visited.add(node)) {
            return;
        }
        if (node instanceof MappingNode mapping) {
            mapping.setValue(new ArrayList<>(mapping.getValue().stream()
                    .map(entry -> new NodeTuple(entry.getKeyNode(), replaced(entry.getValueNode())))
                    .toList()));
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().replaceAll(this::replaced);
        }
    }

    private Node replaced(Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            visit(node);
            return node;
        }
        String text = scalar.getValue();
        if (!text.contains("${")) {
            return node;
        }
        String result =
                Nodes.PLACEHOLDER.matcher(text).replaceAll(match -> Matcher.quoteReplacement(value(scalar, match)));
        return new ScalarNode(
                scalar.getTag(), result, scalar.getStartMark(), scalar.getEndMark(), scalar.getScalarStyle());
    }

    private String value(ScalarNode scalar, MatchResult match) {
        String name = match.group(1);
        String value = values.get(name);
        if (value == null) {
            throw ExperimentFileException.at(
                    source,
                    markOf(scalar, match.start()),
                    "unknown parameter '${" + name + "}'",
                    values.isEmpty()
                            ? "declare it: parameters: {" + (NAME.matcher(name).matches() ? name : "rows") + ": 1000}"
                            : NearestName.hint(name, values.keySet(), KEY));
        }
        used.add(name);
        return value;
    }

    /** The line on which a character of a value stands; of a value that is not a literal block, its beginning. */
    private static Mark markOf(ScalarNode scalar, int position) {
        Mark start = scalar.getStartMark();
        if (scalar.getScalarStyle() != ScalarStyle.LITERAL) {
            return start;
        }
        int below = (int) scalar.getValue()
                .substring(0, position)
                .chars()
                .filter(character -> character == '\n')
                .count();
        return new Mark(start.getName(), 0, start.getLine() + 1 + below, 0, new int[0], 0);
    }
}
