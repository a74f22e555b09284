package dev.assay.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A matrix: a parameter whose value is a list makes several variants of each that uses it, itself or through its script, task, process,
 * background, system or schema: one for every value, or every combination where there are several such parameters. Comparisons and signatures follow.
 *
 * <p>It works on the node graph before parameters are put in: what a variant uses is copied under a name of its own ({@code
 * lookup-users-10}) with the value in place of <code>${users}</code>, lines kept. Nodes of the file are never changed in place, as an
 * alias may share them.
 */
final class MatrixNodes {

    /** More variants than this are a slip: at six trials of six seconds each they would run for an hour. */
    static final int VARIANTS_MAX = 100;

    /** What an entry of a section refers to: key of the entry, section that it names. */
    private static final Map<String, Map<String, String>> REFERENCES = Map.of(
            "variants",
            Map.of(
                    "system", "systems",
                    "script", "scripts",
                    "task", "tasks",
                    "process", "processes",
                    "background", "background"),
            "systems",
            Map.of("schema", "schemas"),
            "background",
            Map.of("script", "scripts"));

    private static final List<String> SECTIONS =
            List.of("schemas", "systems", "scripts", "tasks", "processes", "background", "variants");

    private final String source;
    private final MappingNode root;
    private final Map<String, List<String>> lists = new LinkedHashMap<>();
    /** Entries by section and name, as the file has them. */
    private final Map<String, Map<String, NodeTuple>> entries = new LinkedHashMap<>();
    /** Entries of the file that comes out. */
    private final Map<String, Map<String, NodeTuple>> made = new LinkedHashMap<>();

    MatrixNodes(String source, MappingNode root) {
        this.source = source;
        this.root = root;
    }

    /**
     * Expands the matrix; does nothing when no parameter has a list.
     *
     * @throws ExperimentFileException for an empty or nested list, a use outside of variants, or too many variants
     */
    void apply() {
        readLists();
        if (lists.isEmpty()) {
            return;
        }
        for (String section : SECTIONS) {
            Map<String, NodeTuple> named = new LinkedHashMap<>();
            if (Nodes.child(root, section) instanceof MappingNode mapping) {
                mapping.getValue().forEach(entry -> named.put(Nodes.text(entry.getKeyNode()), entry));
            }
            entries.put(section, named);
            made.put(section, new LinkedHashMap<>());
        }
        for (String section : SECTIONS) {
            entriesOf(section).forEach((name, entry) -> {
                if (uses(section, name).isEmpty()) {
                    madeOf(section).put(name, entry);
                } else if (section.equals("variants")) {
                    combinations(uses(section, name)).forEach(values -> specialise(section, name, values));
                }
            });
        }
        int variants = madeOf("variants").size();
        if (variants > VARIANTS_MAX) {
            throw ExperimentFileException.of(
                    source, "the matrix makes " + variants + " variants, at most " + VARIANTS_MAX, "give fewer values");
        }
        replaceRoot();
    }

    private Map<String, NodeTuple> entriesOf(String section) {
        return entries.getOrDefault(section, Map.of());
    }

    private Map<String, NodeTuple> madeOf(String section) {
        return made.computeIfAbsent(section, key -> new LinkedHashMap<>());
    }

    private void readLists() {
        if (!(Nodes.child(root, "parameters") instanceof MappingNode parameters)) {
            return;
        }
        for (NodeTuple entry : parameters.getValue()) {
            if (entry.getValueNode() instanceof SequenceNode sequence) {
                String name = Nodes.text(entry.getKeyNode());
                List<String> values = new ArrayList<>();
                for (Node item : sequence.getValue()) {
                    if (!(item instanceof ScalarNode scalar)
                            || scalar.getValue().contains("\n")) {
                        throw ExperimentFileException.at(
                                source,
                                item.getStartMark(),
                                "a value of '" + name + "' is not one word",
                                "for example [1, 10, 100]");
                    }
                    values.add(scalar.getValue());
                }
                if (values.isEmpty() || new LinkedHashSet<>(values).size() < values.size()) {
                    throw ExperimentFileException.at(
                            source,
                            sequence.getStartMark(),
                            "the values of '" + name + "' must be different, at least one",
                            "for example [1, 10, 100]");
                }
                lists.put(name, values);
            }
        }
    }

    /** The parameters with lists that an entry uses, itself or through what it names; in the order of the parameters. */
    private Set<String> uses(String section, String name) {
        NodeTuple entry = entriesOf(section).get(name);
        Set<String> found = new TreeSet<>();
        if (entry != null) {
            found.addAll(Nodes.placeholders(entry.getValueNode()));
            references(section, entry.getValueNode())
                    .forEach((to, names) -> names.forEach(one -> found.addAll(uses(to, one))));
        }
        return lists.keySet().stream().filter(found::contains).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Names that an entry refers to, by section. */
    private static Map<String, Set<String>> references(String section, Node node) {
        Map<String, Set<String>> found = new LinkedHashMap<>();
        REFERENCES.getOrDefault(section, Map.of()).forEach((key, to) -> {
            Set<String> names = new LinkedHashSet<>();
            Node value = node instanceof MappingNode mapping ? Nodes.child(mapping, key) : null;
            if (value instanceof ScalarNode scalar) {
                names.add(scalar.getValue());
            } else if (value instanceof SequenceNode sequence) {
                sequence.getValue().forEach(item -> names.add(Nodes.text(item)));
            } else if (value instanceof MappingNode mix) {
                mix.getValue().forEach(item -> names.add(Nodes.text(item.getKeyNode())));
            }
            found.put(to, names);
        });
        return found;
    }

    private List<Map<String, String>> combinations(Set<String> names) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        for (String name : names) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> some : all) {
                for (String value : lists.getOrDefault(name, List.of())) {
                    Map<String, String> one = new LinkedHashMap<>(some);
                    one.put(name, value);
                    longer.add(one);
                }
            }
            if (longer.size() > VARIANTS_MAX) {
                throw ExperimentFileException.of(
                        source, "the matrix makes more than " + VARIANTS_MAX + " variants", "give fewer values");
            }
            all = longer;
        }
        return all;
    }

    /** Copies an entry, and what it names, with these values; returns the name of the copy, or the name where nothing varies. */
    private String specialise(String section, String name, Map<String, String> values) {
        NodeTuple entry = entriesOf(section).get(name);
        Set<String> used = uses(section, name);
        if (entry == null || used.isEmpty()) {
            return name;
        }
        Map<String, String> own = new LinkedHashMap<>();
        used.forEach(one -> own.put(one, values.getOrDefault(one, "")));
        String copyName = name + suffix(own);
        if (madeOf(section).containsKey(copyName)) {
            return copyName;
        }
        Node copy = Nodes.copy(entry.getValueNode(), own);
        if (copy instanceof MappingNode mapping) {
            REFERENCES
                    .getOrDefault(section, Map.of())
                    .forEach((key, to) -> Nodes.rename(mapping, key, one -> specialise(to, one, values)));
            if (section.equals("variants") && Nodes.child(mapping, "title") instanceof ScalarNode title) {
                Nodes.put(mapping, "title", Nodes.scalar(title, title.getValue() + spoken(own, entry)));
            }
        }
        madeOf(section).put(copyName, new NodeTuple(Nodes.scalar((ScalarNode) entry.getKeyNode(), copyName), copy));
        return copyName;
    }

    private static String suffix(Map<String, String> values) {
        return values.entrySet().stream()
                .map(value -> "-"
                        + (value.getKey() + "-" + value.getValue())
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^a-z0-9_-]+", "-"))
                .collect(Collectors.joining());
    }

    /** {@code , users 10}; nothing where the title says it itself. */
    private static String spoken(Map<String, String> values, NodeTuple entry) {
        boolean says = entry.getValueNode() instanceof MappingNode mapping
                && Nodes.child(mapping, "title") instanceof ScalarNode title
                && !Nodes.placeholders(title).isEmpty();
        return says ? "" : spoken(values);
    }

    private static String spoken(Map<String, String> values) {
        return values.entrySet().stream()
                .map(value -> ", " + value.getKey() + " " + value.getValue())
                .collect(Collectors.joining());
    }

    private void replaceRoot() {
        List<NodeTuple> top = new ArrayList<>();
        for (NodeTuple entry : root.getValue()) {
            String key = Nodes.text(entry.getKeyNode());
            Node value = entry.getValueNode();
            if (key.equals("parameters")) {
                value = withoutLists((MappingNode) value);
            } else if (SECTIONS.contains(key) && value instanceof MappingNode mapping) {
                value = Nodes.mapping(mapping, List.copyOf(madeOf(key).values()));
            } else if (value instanceof SequenceNode list && key.equals("comparisons")) {
                value = follow(list, List.of("baseline", "candidate"));
            } else if (value instanceof SequenceNode list && key.equals("signatures")) {
                value = follow(list, List.of("variant", "expect.times"));
            } else {
                refuseUses(value);
            }
            top.add(new NodeTuple(entry.getKeyNode(), value));
        }
        root.setValue(top);
    }

    private Node withoutLists(MappingNode parameters) {
        return Nodes.mapping(
                parameters,
                parameters.getValue().stream()
                        .filter(entry -> !(entry.getValueNode() instanceof SequenceNode))
                        .toList());
    }

    private void refuseUses(Node value) {
        for (String name : Nodes.placeholders(value)) {
            if (lists.containsKey(name)) {
                throw ExperimentFileException.at(
                        source,
                        value.getStartMark(),
                        "parameter '" + name + "' has several values, and here stands one",
                        "use it in a variant, or in what variants name");
            }
        }
    }

    /** Items that name variants, once for every combination that those have. */
    private Node follow(SequenceNode list, List<String> keys) {
        List<Node> items = new ArrayList<>();
        for (Node item : list.getValue()) {
            Set<String> used = new LinkedHashSet<>();
            for (String key : keys) {
                String name = named(item, key);
                if (name != null) {
                    used.addAll(uses("variants", name));
                }
            }
            if (used.isEmpty()) {
                items.add(item);
                continue;
            }
            for (Map<String, String> values : combinations(used)) {
                Node copy = Nodes.copy(item, values);
                if (copy instanceof MappingNode mapping) {
                    keys.forEach(key -> renameAt(mapping, key, values));
                    if (Nodes.child(mapping, "question") instanceof ScalarNode question
                            && Nodes.placeholders(item).isEmpty()) {
                        Nodes.put(mapping, "question", Nodes.scalar(question, question.getValue() + spoken(values)));
                    }
                }
                items.add(copy);
            }
        }
        return new SequenceNode(Tag.SEQ, true, items, list.getStartMark(), list.getEndMark(), list.getFlowStyle());
    }

    private static @Nullable String named(Node item, String path) {
        Node at = item;
        for (String step : path.split("\\.", -1)) {
            at = at instanceof MappingNode mapping ? Nodes.child(mapping, step) : null;
        }
        return at instanceof ScalarNode scalar ? scalar.getValue() : null;
    }

    private void renameAt(MappingNode item, String path, Map<String, String> values) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            Nodes.rename(item, path, name -> specialise("variants", name, values));
        } else if (Nodes.child(item, path.substring(0, dot)) instanceof MappingNode inner) {
            renameAt(inner, path.substring(dot + 1), values);
        }
    }
}
