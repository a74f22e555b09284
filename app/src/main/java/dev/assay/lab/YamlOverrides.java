package dev.assay.lab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Puts {@code --set key=value} into the node graph before it is read, so that an option meets the same checks as the file; what it puts
 * there carries the option's name in place of a line.
 *
 * <p>A key is a path with dots ({@code systems.pg16.server}; items of a list count from 1: {@code comparisons.1.margin}), or the name of a
 * parameter, which is then set in the file's {@code parameters} and in every system that declares it.
 */
final class YamlOverrides {

    /** Below these the names are the user's own, so a name that does not exist is a slip and not a new entry. */
    private static final Set<String> NAMED =
            Set.of("parameters", "schemas", "systems", "scripts", "tasks", "background", "variants");

    private final String source;
    private final MappingNode root;

    YamlOverrides(String source, MappingNode root) {
        this.source = source;
        this.root = root;
    }

    void apply(Map<String, String> overrides) {
        overrides.forEach(this::applyOne);
    }

    private void applyOne(String path, String value) {
        String option = ExperimentFileException.OPTION + path + "="
                + value.lines().findFirst().orElse("");
        Mark mark = new Mark(option, 0, 0, 0, new int[0], 0);
        ScalarNode scalar = new ScalarNode(Tag.STR, value, mark, mark, ScalarStyle.PLAIN);
        List<MappingNode> declaring = path.contains(".") ? List.of() : parametersWith(path);
        if (!declaring.isEmpty()) {
            declaring.forEach(parameters -> put(parameters, path, scalar));
        } else if (!path.contains(".") && child(root, path).isEmpty() && !ExperimentReader.TOP.contains(path)) {
            throw unknownParameter(option, path);
        } else {
            set(path, scalar, option);
        }
    }

    private void set(String path, ScalarNode scalar, String option) {
        List<String> steps = List.of(path.split("\\.", -1));
        if (steps.contains("")) {
            throw ExperimentFileException.of(option, "a step of the path is empty", "write --set load.trials=3");
        }
        Node here = root;
        for (int index = 0; index < steps.size() - 1; index++) {
            here = step(here, steps.get(index), option, index == 1 && NAMED.contains(steps.get(0)));
            if (index == 2 && steps.get(0).equals("systems") && steps.get(2).equals("settings")) {
                // What follows is one name: a setting of an extension has a dot of its own.
                steps = List.of("systems", steps.get(1), "settings", String.join(".", steps.subList(3, steps.size())));
            }
        }
        String last = steps.get(steps.size() - 1);
        if (!(here instanceof MappingNode mapping)) {
            throw notBelow(option, path);
        }
        if (steps.size() == 2 && NAMED.contains(steps.get(0))) {
            step(here, last, option, true);
        }
        put(mapping, last, scalar);
    }

    /** The node one step further; a mapping that does not exist yet is made, unless the name must exist. */
    private static Node step(Node here, String step, String option, boolean mustExist) {
        if (here instanceof SequenceNode sequence) {
            int count = sequence.getValue().size();
            if (!step.matches("[1-9]\\d{0,5}") || Integer.parseInt(step) > count) {
                throw ExperimentFileException.of(
                        option, "no item '" + step + "' in a list of " + count, "items count from 1");
            }
            return sequence.getValue().get(Integer.parseInt(step) - 1);
        }
        if (!(here instanceof MappingNode mapping)) {
            throw notBelow(option, step);
        }
        Optional<Node> child = child(mapping, step);
        if (child.isPresent()) {
            Node found = child.get();
            return found instanceof MappingNode shared ? ownCopy(mapping, step, shared) : found;
        }
        if (mustExist) {
            throw ExperimentFileException.of(
                    option, "the file has no '" + step + "' there", NearestName.hint(step, keys(mapping), "names"));
        }
        Mark mark = new Mark(option, 0, 0, 0, new int[0], 0);
        MappingNode made = new MappingNode(Tag.MAP, true, new ArrayList<>(), mark, mark, FlowStyle.BLOCK);
        put(mapping, step, made);
        return made;
    }

    /** An alias makes places of the file share a node; an option changes one place only. */
    private static MappingNode ownCopy(MappingNode parent, String key, MappingNode shared) {
        MappingNode copy = new MappingNode(
                shared.getTag(),
                true,
                new ArrayList<>(shared.getValue()),
                shared.getStartMark(),
                shared.getEndMark(),
                shared.getFlowStyle());
        put(parent, key, copy);
        return copy;
    }

    private static ExperimentFileException notBelow(String option, String step) {
        return ExperimentFileException.of(
                option, "there is nothing below '" + step + "'", "write a path such as load.trials");
    }

    private ExperimentFileException unknownParameter(String option, String name) {
        Set<String> known = new LinkedHashSet<>();
        parameters(root).ifPresent(parameters -> known.addAll(keys(parameters)));
        for (Node system : systems()) {
            parameters(system).ifPresent(parameters -> known.addAll(keys(parameters)));
        }
        Optional<Node> load = child(root, "load");
        if (ExperimentReader.LOAD.contains(name) && load.isPresent()) {
            return ExperimentFileException.of(
                    option, "unknown parameter '" + name + "'", "did you mean 'load." + name + "'?");
        }
        return ExperimentFileException.of(
                option,
                "unknown parameter '" + name + "'",
                known.isEmpty()
                        ? source + " has no parameters; write a path such as load.trials"
                        : NearestName.hint(name, known, "parameters"));
    }

    private List<MappingNode> parametersWith(String name) {
        List<MappingNode> found = new ArrayList<>();
        parameters(root)
                .filter(parameters -> child(parameters, name).isPresent())
                .ifPresent(found::add);
        for (Node system : systems()) {
            parameters(system)
                    .filter(parameters -> child(parameters, name).isPresent())
                    .ifPresent(found::add);
        }
        return found;
    }

    private List<Node> systems() {
        return child(root, "systems")
                .filter(MappingNode.class::isInstance)
                .map(systems -> ((MappingNode) systems)
                        .getValue().stream().map(NodeTuple::getValueNode).toList())
                .orElse(List.of());
    }

    private static Optional<MappingNode> parameters(Node declaring) {
        return declaring instanceof MappingNode mapping
                ? child(mapping, "parameters")
                        .filter(MappingNode.class::isInstance)
                        .map(MappingNode.class::cast)
                : Optional.empty();
    }

    private static Optional<Node> child(MappingNode mapping, String key) {
        return mapping.getValue().stream()
                .filter(entry -> isKey(entry, key))
                .map(NodeTuple::getValueNode)
                .findFirst();
    }

    private static List<String> keys(MappingNode mapping) {
        return mapping.getValue().stream()
                .filter(entry -> entry.getKeyNode() instanceof ScalarNode)
                .map(entry -> ((ScalarNode) entry.getKeyNode()).getValue())
                .toList();
    }

    private static void put(MappingNode mapping, String key, Node value) {
        List<NodeTuple> entries = new ArrayList<>(mapping.getValue());
        for (int index = 0; index < entries.size(); index++) {
            if (isKey(entries.get(index), key)) {
                entries.set(index, new NodeTuple(entries.get(index).getKeyNode(), value));
                mapping.setValue(entries);
                return;
            }
        }
        Mark mark = value.getStartMark();
        entries.add(new NodeTuple(new ScalarNode(Tag.STR, key, mark, mark, ScalarStyle.PLAIN), value));
        mapping.setValue(entries);
    }

    private static boolean isKey(NodeTuple entry, String key) {
        return entry.getKeyNode() instanceof ScalarNode scalar
                && scalar.getValue().equals(key);
    }
}
