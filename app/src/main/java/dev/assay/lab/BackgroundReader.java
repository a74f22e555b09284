package dev.assay.lab;

import dev.assay.lab.Experiment.Load;
import dev.assay.lab.load.Protocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads {@code background}. */
final class BackgroundReader {

    private static final List<String> HOLD = List.of("hold");
    private static final List<String> SCRIPTED =
            List.of("script", "clients", "threads", "protocol", "rate", "latency_limit", "max_tries");
    private static final List<String> ALL = new ArrayList<>(HOLD);

    static {
        ALL.addAll(SCRIPTED);
    }

    private BackgroundReader() {}

    static Map<String, Background> read(YamlMap all, YamlMap scripts, Load load) {
        Map<String, Background> found = new LinkedHashMap<>();
        for (String name : all.keys()) {
            YamlMap map = all.map(name);
            map.onlyKeys(ALL);
            if (map.has("hold") == map.has("script")) {
                throw map.here(
                        "background '" + name + "' needs either hold or script",
                        "hold: SQL of a session that then stays as it is, script: a script that clients repeat");
            }
            found.put(name, map.has("hold") ? hold(name, map) : scripted(name, map, scripts, load));
        }
        return found;
    }

    private static Background hold(String name, YamlMap map) {
        map.onlyKeys(HOLD);
        String sql = map.block("hold");
        VariantReader.checkScript(map, "hold", sql, "background '" + name + "'", Protocol.SIMPLE);
        VariantReader.requirePredictable(map, "hold", sql);
        return new Background.Hold(name, sql, map.firstLine("hold"));
    }

    private static Background scripted(String name, YamlMap map, YamlMap scripts, Load load) {
        map.onlyKeys(SCRIPTED);
        String script = map.reference("script", scripts.keys(), "script");
        Load one =
                new Load(1, 1, "simple", load.trials(), load.warmup(), load.warmupMax(), load.measured(), 0, null, 1);
        Load own = LoadReader.drive(map, one);
        String text = scripts.block(script);
        VariantReader.checkScript(
                scripts,
                script,
                text,
                "script '" + script + "'",
                Protocol.valueOf(own.protocol().toUpperCase(Locale.ROOT)));
        return new Background.Scripted(name, new Workload.Part(script, text, scripts.firstLine(script), 1), own);
    }
}
