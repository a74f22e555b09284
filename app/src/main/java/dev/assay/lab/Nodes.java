package dev.assay.lab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reading and copying of YAML nodes; copies keep the lines of what they were made from. */
final class Nodes {

    /** <code>${name}</code>, unless a dollar stands before it. */
    static final Pattern PLACEHOLDER = Pattern.compile("(?<!\\$)\\$\\{([^{}\\n]*)\\}");

    /** Written files are not deeper; one that contains itself is, and is not followed further. */
    private static final int DEPTH_MAX = YamlDocument.DEPTH_MAX;

    private Nodes() {}

    /** The value of a key, or null. */
    static @Nullable Node child(MappingNode mapping, String key) {
        return mapping.getValue().stream()
                .filter(entry -> text(entry.getKeyNode()).equals(key))
                .map(NodeTuple::getValueNode)
                .findFirst()
                .orElse(null);
    }

    /** What a scalar says; of anything else nothing. */
    static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    /** Names in placeholders below a node. */
    static Set<String> placeholders(Node node) {
        Set<String> names = new LinkedHashSet<>();
        collect(node, names, DEPTH_MAX);
        return names;
    }

    private static void collect(Node node, Set<String> names, int depth) {
        if (node instanceof ScalarNode scalar) {
            PLACEHOLDER
                    .matcher(scalar.getValue())
                    .results()
                    .map((MatchResult match) -> match.group(1))
                    .forEach(names::add);
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().stream().filter(item -> depth > 0).forEach(item -> collect(item, names, depth - 1));
        } else if (node instanceof MappingNode mapping) {
            mapping.getValue().stream()
                    .filter(entry -> depth > 0)
                    .forEach(entry -> collect(entry.getValueNode(), names, depth - 1));
        }
    }

    /** A copy of everything below, with these values in place of their placeholders. */
    static Node copy(Node node, Map<String, String> values) {
        return copy(node, values, DEPTH_MAX);
    }

    private static Node copy(Node node, Map<String, String> values, int depth) {
        if (depth == 0) {
            return node;
        }
        if (node instanceof ScalarNode scalar) {
            String text = PLACEHOLDER
                    .matcher(scalar.getValue())
                    .replaceAll(match -> Matcher.quoteReplacement(values.getOrDefault(match.group(1), match.group())));
            return scalar(scalar, text);
        }
        if (node instanceof SequenceNode sequence) {
            List<Node> items = new ArrayList<>();
            sequence.getValue().forEach(item -> items.add(copy(item, values, depth - 1)));
            return new SequenceNode(
                    sequence.getTag(),
                    true,
                    items,
                    sequence.getStartMark(),
                    sequence.getEndMark(),
                    sequence.getFlowStyle());
        }
        if (node instanceof MappingNode mapping) {
            return mapping(
                    mapping,
                    mapping.getValue().stream()
                            .map(entry ->
                                    new NodeTuple(entry.getKeyNode(), copy(entry.getValueNode(), values, depth - 1)))
                            .toList());
        }
        return node;
    }

    /** A mapping of other entries in the place of this one. */
    static MappingNode mapping(MappingNode like, List<NodeTuple> entries) {
        return new MappingNode(
                like.getTag(),
                true,
                new ArrayList<>(entries),
                like.getStartMark(),
                like.getEndMark(),
                like.getFlowStyle());
    }

    /** A text in the place of this one. */
    static ScalarNode scalar(ScalarNode like, String text) {
        return new ScalarNode(like.getTag(), text, like.getStartMark(), like.getEndMark(), like.getScalarStyle());
    }

    /** Exchanges the value of a key that the mapping has. */
    static void put(MappingNode mapping, String key, Node value) {
        List<NodeTuple> entries = new ArrayList<>(mapping.getValue());
        entries.replaceAll(
                entry -> text(entry.getKeyNode()).equals(key) ? new NodeTuple(entry.getKeyNode(), value) : entry);
        mapping.setValue(entries);
    }

    /** Exchanges the names that a key's value holds: the text, the items of a list, or the keys of a mapping. */
    static void rename(MappingNode mapping, String key, UnaryOperator<String> name) {
        Node value = child(mapping, key);
        if (value instanceof ScalarNode scalar) {
            put(mapping, key, scalar(scalar, name.apply(scalar.getValue())));
        } else if (value instanceof SequenceNode sequence) {
            sequence.getValue()
                    .replaceAll(item ->
                            item instanceof ScalarNode scalar ? scalar(scalar, name.apply(scalar.getValue())) : item);
        } else if (value instanceof MappingNode mix) {
            put(
                    mapping,
                    key,
                    mapping(
                            mix,
                            mix.getValue().stream()
                                    .map(entry -> entry.getKeyNode() instanceof ScalarNode scalar
                                            ? new NodeTuple(
                                                    scalar(scalar, name.apply(scalar.getValue())), entry.getValueNode())
                                            : entry)
                                    .toList()));
        }
    }
}
