package dev.assay.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * One mapping of an experiment file, read key by key with the type that is wanted; every refusal names the line.
 *
 * <p>A getter without a default refuses a missing key.
 */
final class YamlMap {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*(ms|s|min|m|h)");
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(?:\\d{1,18}\\.?\\d{0,18}|\\.\\d{1,18})");

    private final String source;
    private final String path;
    private final Mark mark;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Mark> keyMarks = new LinkedHashMap<>();

    /**
     * @param path of the mapping in the file, for messages; empty for the top level
     */
    YamlMap(String source, String path, MappingNode node) {
        this(source, path, node, node.getStartMark());
    }

    /**
     * @param mark where errors of the whole mapping are told: at its key, not at the line below where it begins
     */
    private YamlMap(String source, String path, MappingNode node, Mark mark) {
        this.source = source;
        this.path = path;
        this.mark = mark;
        for (NodeTuple entry : node.getValue()) {
            Mark keyMark = entry.getKeyNode().getStartMark();
            if (entry.getKeyNode().getTag().equals(Tag.MERGE)) {
                throw ExperimentFileException.at(
                        source,
                        keyMark,
                        "merge keys (<<) are not read",
                        "write the keys out, or use an alias for all of them");
            }
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw ExperimentFileException.at(source, keyMark, "a key must be a word" + in(), "write key: value");
            }
            if (values.put(key.getValue(), entry.getValueNode()) != null) {
                throw ExperimentFileException.at(
                        source,
                        keyMark,
                        "'" + key.getValue() + "' stands twice" + in(),
                        "the first is on line " + (lineOf(keyMarks.get(key.getValue())) + 1)
                                + ": remove or rename one");
            }
            keyMarks.put(key.getValue(), keyMark);
        }
    }

    void onlyKeys(List<String> valid) {
        for (String key : values.keySet()) {
            if (!valid.contains(key)) {
                throw atKey(key, "unknown key '" + key + "'" + in(), NearestName.hint(key, valid, "keys"));
            }
        }
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    Collection<String> keys() {
        return values.keySet();
    }

    String text(String key) {
        String value = scalar(key).getValue().strip();
        if (value.isEmpty()) {
            throw at(key, name(key) + " is empty", "write a value after the colon");
        }
        return value;
    }

    String text(String key, String otherwise) {
        return has(key) ? text(key) : otherwise;
    }

    /** A text that may be many lines, as it stands. */
    String block(String key) {
        text(key);
        return scalar(key).getValue();
    }

    /** Line of the file on which a text's first line stands, from 1; 0 when the value came from an option. */
    int firstLine(String key) {
        ScalarNode node = scalar(key);
        Mark start = node.getStartMark();
        if (start.getName().startsWith(ExperimentFileException.OPTION)) {
            return 0;
        }
        boolean startsBelow =
                node.getScalarStyle() == ScalarStyle.LITERAL || node.getScalarStyle() == ScalarStyle.FOLDED;
        return start.getLine() + (startsBelow ? 2 : 1);
    }

    String oneOf(String key, List<String> valid, String otherwise) {
        String value = text(key, otherwise);
        if (!valid.contains(value)) {
            throw at(key, "unknown " + key + " '" + value + "'" + in(), NearestName.hint(value, valid, "values"));
        }
        return value;
    }

    /** A name that must be one of those that the file defines elsewhere. */
    String reference(String key, Collection<String> defined, String kind) {
        String value = text(key);
        if (!defined.contains(value)) {
            throw at(key, "no " + kind + " '" + value + "'" + of(key), NearestName.hint(value, defined, plural(kind)));
        }
        return value;
    }

    int integer(String key, int min, int max) {
        String value = text(key);
        if (!INTEGER.matcher(value).matches()) {
            throw at(key, name(key) + " must be a whole number, not '" + value + "'", between(min, max));
        }
        long number = Long.parseLong(value);
        if (number < min || number > max) {
            throw at(key, name(key) + " is " + number + ", allowed are " + min + " to " + max, between(min, max));
        }
        return (int) number;
    }

    int integer(String key, int min, int max, int otherwise) {
        return has(key) ? integer(key, min, max) : otherwise;
    }

    @Nullable
    Integer integerOrNull(String key, int min, int max) {
        return has(key) ? Integer.valueOf(integer(key, min, max)) : null;
    }

    double decimal(String key, double min, double max, double otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        String value = text(key);
        if (!DECIMAL.matcher(value).matches()) {
            throw at(key, name(key) + " must be a number, not '" + value + "'", "for example " + otherwise);
        }
        double number = Double.parseDouble(value);
        if (number < min || number > max) {
            throw at(
                    key,
                    name(key) + " is " + value + ", allowed are " + min + " to " + max,
                    "for example " + otherwise);
        }
        return number;
    }

    boolean bool(String key, boolean otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        String value = text(key);
        if (!value.equals("true") && !value.equals("false")) {
            throw at(key, name(key) + " must be true or false, not '" + value + "'", "write true or false");
        }
        return value.equals("true");
    }

    Duration duration(String key, Duration min, Duration max, Duration otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        String value = text(key);
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches()) {
            String hint = INTEGER.matcher(value).matches() ? "add the unit: " + value + "s" : "write 500ms, 5s or 2m";
            throw at(key, name(key) + " is not a duration: '" + value + "'", hint);
        }
        double unitMillis = switch (matcher.group(2)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "h" -> 3_600_000;
            default -> 60_000;
        };
        Duration duration = Duration.ofMillis(Math.round(Double.parseDouble(matcher.group(1)) * unitMillis));
        if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            String range = shown(min) + " to " + shown(max);
            throw at(key, name(key) + " is " + value + ", allowed are " + range, "choose a value from " + range);
        }
        return duration;
    }

    /** Whether the value is keys with values. */
    boolean isMap(String key) {
        return values.get(key) instanceof MappingNode;
    }

    YamlMap map(String key) {
        Node node = required(key);
        if (!(node instanceof MappingNode mapping)) {
            throw at(
                    key,
                    name(key) + " must be keys with values, found " + kind(node),
                    "write " + key + ": and the keys below it");
        }
        return new YamlMap(source, path.isEmpty() ? key : path + "." + key, mapping, keyMarks.getOrDefault(key, mark));
    }

    /** The mapping, or an empty one. */
    YamlMap mapOrEmpty(String key) {
        return has(key) ? map(key) : new YamlMap(source, key, empty(mark));
    }

    /** A list of mappings; empty when the key is missing. */
    List<YamlMap> list(String key) {
        if (!has(key)) {
            return List.of();
        }
        Node node = required(key);
        if (!(node instanceof SequenceNode sequence)) {
            throw at(key, name(key) + " must be a list, found " + kind(node), "begin every item with a dash");
        }
        List<YamlMap> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            String itemPath = name(key) + " " + (items.size() + 1);
            if (!(item instanceof MappingNode mapping)) {
                throw ExperimentFileException.at(
                        source,
                        item.getStartMark(),
                        itemPath + " must be keys with values, found " + kind(item),
                        "write - key: value");
            }
            items.add(new YamlMap(source, itemPath, mapping));
        }
        return items;
    }

    /** A list of names that the file defines elsewhere; empty when the key is missing. */
    List<String> references(String key, Collection<String> defined, String kind) {
        if (!has(key)) {
            return List.of();
        }
        Node node = required(key);
        if (!(node instanceof SequenceNode sequence)) {
            throw at(key, name(key) + " must be a list, found " + kind(node), "write " + key + ": [name]");
        }
        List<String> names = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            String name = item instanceof ScalarNode scalar ? scalar.getValue() : kind(item);
            if (!defined.contains(name)) {
                throw ExperimentFileException.at(
                        source,
                        item.getStartMark(),
                        "no " + kind + " '" + name + "'" + of(key),
                        NearestName.hint(name, defined, kind + "s"));
            }
            names.add(name);
        }
        return names;
    }

    /** A list of scalars as written, at least one. */
    List<String> words(String key) {
        if (!(required(key) instanceof SequenceNode sequence)
                || sequence.getValue().isEmpty()) {
            throw at(key, name(key) + " must be a list of words", "for example " + key + ": [java, -jar, service.jar]");
        }
        List<String> words = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            if (!(item instanceof ScalarNode scalar)) {
                throw ExperimentFileException.at(
                        source, item.getStartMark(), "a word of " + name(key) + " is " + kind(item), "write one value");
            }
            words.add(scalar.getValue());
        }
        return words;
    }

    /** Every key with its scalar as written, in file order; blank values are allowed. */
    Map<String, String> scalars() {
        Map<String, String> all = new LinkedHashMap<>();
        for (String key : values.keySet()) {
            all.put(key, scalar(key).getValue());
        }
        return all;
    }

    ExperimentFileException at(String key, String what, String hint) {
        Node node = values.get(key);
        return ExperimentFileException.at(source, node == null ? mark : node.getStartMark(), what, hint);
    }

    ExperimentFileException atKey(String key, String what, String hint) {
        return ExperimentFileException.at(source, keyMarks.getOrDefault(key, mark), what, hint);
    }

    /** An error on a line, from 1, of a text; where lines are folded, of the text as a whole. */
    ExperimentFileException inBlock(String key, int lineOfText, String what, String hint) {
        ScalarNode node = scalar(key);
        int below = node.getScalarStyle() == ScalarStyle.LITERAL ? lineOfText - 1 : 0;
        int first = firstLine(key);
        Mark line = first == 0 ? node.getStartMark() : new Mark(source, 0, first - 1 + below, 0, new int[0], 0);
        return ExperimentFileException.at(source, line, what, hint);
    }

    /** An error of the mapping as a whole. */
    ExperimentFileException here(String what, String hint) {
        return ExperimentFileException.at(source, mark, what, hint);
    }

    /** The key with the path that leads to it. */
    String name(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private ScalarNode scalar(String key) {
        Node node = required(key);
        if (!(node instanceof ScalarNode scalar)) {
            throw at(key, name(key) + " must be one value, found " + kind(node), "write " + key + ": value");
        }
        return scalar;
    }

    private Node required(String key) {
        Node node = values.get(key);
        if (node == null) {
            throw here("missing key '" + key + "'" + in(), "add " + key + ":");
        }
        if (!node.getTag().getValue().startsWith(Tag.PREFIX)) {
            throw at(key, "tags such as " + node.getTag().getValue() + " are not read", "write the value without it");
        }
        if (node.getTag().equals(Tag.NULL)) {
            throw at(key, name(key) + " is empty", "write a value after the colon, or remove the key");
        }
        return node;
    }

    private String in() {
        return path.isEmpty() ? "" : " in " + path;
    }

    private String of(String key) {
        return " for " + name(key);
    }

    private static String plural(String kind) {
        return kind + (kind.endsWith("s") ? "es" : "s");
    }

    private static MappingNode empty(Mark mark) {
        return new MappingNode(Tag.MAP, true, List.of(), mark, mark, org.yaml.snakeyaml.DumperOptions.FlowStyle.BLOCK);
    }

    private static int lineOf(@Nullable Mark mark) {
        return mark == null ? -1 : mark.getLine();
    }

    private static String kind(Node node) {
        if (node.getNodeId() == NodeId.sequence) {
            return "a list";
        }
        return node.getNodeId() == NodeId.mapping ? "keys with values" : "'" + ((ScalarNode) node).getValue() + "'";
    }

    private static String between(int min, int max) {
        return "choose a whole number from " + min + " to " + max;
    }

    private static String shown(Duration duration) {
        long millis = duration.toMillis();
        if (millis > 0 && millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
