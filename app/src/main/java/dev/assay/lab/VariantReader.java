package dev.assay.lab;

import dev.assay.lab.Experiment.Load;
import dev.assay.lab.Experiment.Variant;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.script.Script;
import dev.assay.lab.script.ScriptException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads {@code scripts}, {@code tasks}, {@code processes} and {@code variants}. */
final class VariantReader {

    static final int WEIGHT_MAX = 1_000_000;

    private static final List<String> VARIANT =
            List.of("title", "system", "script", "task", "process", "load", "background", "fresh", "checks");
    private static final List<String> TASK = List.of("prepare", "sql");

    private final Load load;
    private final Collection<String> systems;
    private final YamlMap scripts;
    private final YamlMap tasks;
    private final YamlMap processes;
    private final Map<String, Background> background;

    VariantReader(
            Load load,
            Collection<String> systems,
            YamlMap scripts,
            YamlMap tasks,
            YamlMap processes,
            Map<String, Background> background) {
        this.load = load;
        this.systems = systems;
        this.scripts = scripts;
        this.tasks = tasks;
        this.processes = processes;
        this.background = background;
    }

    List<Variant> read(YamlMap all) {
        for (String script : scripts.keys()) {
            checkScript(scripts, script, scripts.block(script), "script '" + script + "'", Protocol.SIMPLE);
        }
        tasks.keys().forEach(this::task);
        processes.keys().forEach(name -> ServiceReader.read(processes, name));
        List<Variant> variants = new ArrayList<>();
        for (String name : all.keys()) {
            YamlMap map = all.map(name);
            map.onlyKeys(VARIANT);
            Load own = LoadReader.changed(map, load);
            variants.add(new Variant(
                    name,
                    map.text("title", name),
                    map.reference("system", systems, "system"),
                    workload(map, own),
                    own,
                    map.references("background", background.keySet(), "background").stream()
                            .flatMap(beside -> Optional.ofNullable(background.get(beside)).stream())
                            .toList(),
                    map.bool("fresh", false),
                    map.has("checks") ? checks(map.map("checks")) : Map.of()));
        }
        requireSameFreshness(all, variants);
        return variants;
    }

    /** A trial that puts the data back would take from another variant what its trials have left. */
    private static void requireSameFreshness(YamlMap all, List<Variant> variants) {
        for (Variant variant : variants) {
            for (Variant other : variants) {
                if (variant.fresh() && !other.fresh() && variant.system().equals(other.system())) {
                    throw all.atKey(
                            other.name(),
                            "'" + other.name() + "' shares the data of '" + variant.name() + "', which are put back",
                            "write fresh: true for both, or give each a system of its own");
                }
            }
        }
    }

    private Workload workload(YamlMap variant, Load own) {
        List<String> kinds =
                Stream.of("script", "task", "process").filter(variant::has).toList();
        if (kinds.size() > 1) {
            throw variant.atKey(
                    kinds.get(1),
                    variant.name(kinds.get(1)) + " stands beside a " + kinds.get(0),
                    "keep one of the two");
        }
        if (variant.has("task")) {
            return task(variant.reference("task", tasks.keys(), "task"));
        }
        if (variant.has("process")) {
            ServiceReader.requirePlain(variant, own);
            return ServiceReader.read(processes, variant.reference("process", processes.keys(), "process"));
        }
        return scripts(variant, own);
    }

    private Workload.Task task(String name) {
        YamlMap map = tasks.map(name);
        map.onlyKeys(TASK);
        for (String key : map.keys()) {
            checkScript(map, key, map.block(key), "task '" + name + "'", Protocol.SIMPLE);
            requirePredictable(map, key, map.block(key));
        }
        return new Workload.Task(
                name, map.has("prepare") ? map.block("prepare") : "", map.block("sql"), map.firstLine("sql"));
    }

    /** SQL that one session runs once can follow neither results nor conditions. */
    static void requirePredictable(YamlMap map, String key, String sql) {
        try {
            Script.parse(key, sql).expand(0);
        } catch (ScriptException e) {
            throw map.inBlock(key, e.line(), map.name(key) + ": " + e.problem(), e.hint());
        }
    }

    private Workload.Scripts scripts(YamlMap variant, Load own) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        if (variant.isMap("script")) {
            YamlMap mix = variant.map("script");
            for (String name : mix.keys()) {
                if (!scripts.has(name)) {
                    throw mix.atKey(
                            name,
                            "no script '" + name + "' for " + variant.name("script"),
                            NearestName.hint(name, scripts.keys(), "scripts"));
                }
                weights.put(name, mix.integer(name, 0, WEIGHT_MAX));
            }
            if (weights.values().stream().noneMatch(weight -> weight > 0)) {
                throw mix.here(
                        variant.name("script") + " has no weight above zero", "for example {lookup: 9, update: 1}");
            }
        } else {
            weights.put(variant.reference("script", scripts.keys(), "script"), 1);
        }
        Protocol protocol = Protocol.valueOf(own.protocol().toUpperCase(Locale.ROOT));
        List<Workload.Part> parts = new ArrayList<>();
        weights.forEach((name, weight) -> {
            String text = scripts.block(name);
            checkScript(scripts, name, text, "script '" + name + "'", protocol);
            parts.add(new Workload.Part(name, text, scripts.firstLine(name), weight));
        });
        return new Workload.Scripts(parts);
    }

    /** A script that cannot be read is told with its line of the file, before any server is started. */
    static void checkScript(YamlMap scripts, String name, String text, String called, Protocol protocol) {
        try {
            Script script = Script.parse(called, text);
            if (protocol != Protocol.SIMPLE) {
                script.requireParameters();
            }
        } catch (ScriptException e) {
            throw scripts.inBlock(name, e.line(), called + ": " + e.problem(), e.hint());
        }
    }

    /** Answers can be compared only where the same draws send the same SQL. */
    static void requireAnswers(YamlMap pair, String key, Variant variant) {
        for (Workload.Part part : variant.scripts()) {
            if (!ExecutionWatch.predictable(Script.parse(part.name(), part.text()))) {
                throw pair.at(
                        key,
                        "answers of '" + variant.name() + "' cannot be compared: what script '" + part.name()
                                + "' sends depends on more than its draws",
                        "write same_answer: false, and checks for what must be true");
            }
        }
    }

    private static Map<String, String> checks(YamlMap map) {
        Map<String, String> checks = new LinkedHashMap<>();
        map.keys().forEach(name -> checks.put(name, map.block(name)));
        return checks;
    }
}
