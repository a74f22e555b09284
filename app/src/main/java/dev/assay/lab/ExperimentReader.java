package dev.assay.lab;

import dev.assay.lab.Experiment.Expectation;
import dev.assay.lab.Experiment.Load;
import dev.assay.lab.Experiment.Pair;
import dev.assay.lab.Experiment.SystemUnderTest;
import dev.assay.lab.Experiment.Variant;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.script.Script;
import dev.assay.lab.script.ScriptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * From the mappings of an experiment file to an {@link Experiment}. The keys, their defaults and their limits are the ones that
 * {@code docs/experiments.md} and {@code experiment.schema.json} tell.
 */
final class ExperimentReader {

    static final List<String> TOP = List.of(
            "name",
            "title",
            "question",
            "load",
            "schemas",
            "systems",
            "scripts",
            "variants",
            "comparisons",
            "signatures");
    static final List<String> LOAD = List.of("clients", "protocol", "trials", "warmup", "measured");

    static final int TRIALS_DEFAULT = 6;
    static final Duration WARMUP_DEFAULT = Duration.ofSeconds(1);
    static final Duration MEASURED_DEFAULT = Duration.ofSeconds(5);
    static final double MARGIN_DEFAULT = 0.05;
    private static final double MARGIN_MIN = 0.001;
    private static final double MARGIN_MAX = 1;
    private static final int LOCKS_MAX = 1_000_000;

    /** Clients are not the only sessions: the sampler, the setup and the superuser's reserve need some too. */
    private static final int OTHER_SESSIONS = 10;

    private static final List<String> SYSTEM = List.of("server", "settings", "schema", "parameters");
    private static final List<String> VARIANT = List.of("title", "system", "script", "checks");
    private static final List<String> PAIR =
            List.of("question", "baseline", "candidate", "metric", "margin", "same_answer", "proves");
    private static final List<String> SIGNATURE = List.of("variant", "relation_locks");
    private static final List<String> RELATION_LOCKS = List.of("total", "fastpath", "slow");

    /** The laboratory decides these itself. */
    private static final Set<String> NOT_SETTABLE = Set.of(
            "port",
            "listen_addresses",
            "unix_socket_directories",
            "data_directory",
            "config_file",
            "hba_file",
            "ident_file");

    /** PostgreSQL's own. */
    private static final int CONNECTIONS_DEFAULT = 100;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");
    private static final Pattern SETTING = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)?");
    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern SERVER = Pattern.compile("[1-9]\\d?(?:\\.\\d{1,3})?");

    private final YamlMap root;

    ExperimentReader(YamlMap root) {
        this.root = root;
    }

    Experiment read() {
        root.onlyKeys(TOP);
        String name = root.text("name");
        if (!NAME.matcher(name).matches()) {
            throw root.at("name", "name '" + name + "' is not lower case with dashes", "for example lock-partitions");
        }
        String title = root.text("title");
        String question = root.text("question");
        Load load = load(root.map("load"));
        Map<String, SystemUnderTest> systems = systems(named("systems"), load.clients());
        List<Variant> variants = variants(named("variants"), systems.keySet(), protocolOf(load));
        List<String> variantNames = variants.stream().map(Variant::name).toList();
        return new Experiment(
                name, title, question, load, systems, variants, pairs(variantNames), signatures(variantNames));
    }

    private static Load load(YamlMap map) {
        map.onlyKeys(LOAD);
        return new Load(
                map.integer("clients", 1, Load.CLIENTS_MAX),
                map.oneOf("protocol", Load.PROTOCOLS, "simple"),
                map.integer("trials", Load.TRIALS_MIN, Load.TRIALS_MAX, TRIALS_DEFAULT),
                map.duration("warmup", Duration.ZERO, Load.WARMUP_MAX, WARMUP_DEFAULT),
                map.duration("measured", Load.MEASURED_MIN, Load.MEASURED_MAX, MEASURED_DEFAULT));
    }

    private Map<String, SystemUnderTest> systems(YamlMap all, int clients) {
        YamlMap schemas = root.mapOrEmpty("schemas");
        checkNames(schemas);
        Map<String, SystemUnderTest> systems = new LinkedHashMap<>();
        for (String name : all.keys()) {
            YamlMap map = all.map(name);
            map.onlyKeys(SYSTEM);
            String server = map.text("server");
            if (!SERVER.matcher(server).matches()) {
                throw map.at(
                        "server",
                        map.name("server") + " must be a major or an exact version, not '" + server + "'",
                        "for example 16 (the newest 16 known) or 16.4");
            }
            String setup = map.has("schema")
                    ? setup(map, schemas, map.reference("schema", schemas.keys(), "schema"))
                    : withoutSchema(map);
            systems.put(name, new SystemUnderTest(name, server, settings(map, sessionsOn(name, clients)), setup));
        }
        return systems;
    }

    private static String setup(YamlMap system, YamlMap schemas, String schema) {
        String sql = schemas.block(schema);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (system.has("parameters")) {
            YamlMap map = system.map("parameters");
            parameters.putAll(map.scalars());
            Set<String> placeholders = ParameterText.placeholders(sql);
            for (String name : parameters.keySet()) {
                if (!PARAMETER.matcher(name).matches()) {
                    throw map.atKey(name, "parameter '" + name + "' is not a word", "letters, digits and _ only");
                }
                if (!placeholders.contains(name)) {
                    throw map.atKey(
                            name,
                            "schema '" + schema + "' has no :" + name,
                            NearestName.hint(name, placeholders, "placeholders"));
                }
            }
        }
        String text = ParameterText.replace(sql, parameters);
        checkScript(schemas, schema, text, "schema '" + schema + "'", Protocol.SIMPLE);
        return text;
    }

    private static String withoutSchema(YamlMap system) {
        if (system.has("parameters")) {
            throw system.atKey(
                    "parameters", system.name("parameters") + " without a schema", "add schema: or remove them");
        }
        return "";
    }

    /** The clients of every variant on this system stay connected for the whole experiment, beside the sessions that watch. */
    private int sessionsOn(String system, int clients) {
        YamlMap variants = named("variants");
        long here = variants.keys().stream()
                .filter(name -> variants.map(name).has("system")
                        && variants.map(name).text("system").equals(system))
                .count();
        return (int) Math.max(1, here) * clients + OTHER_SESSIONS;
    }

    private static Map<String, String> settings(YamlMap system, int sessions) {
        Map<String, String> enough =
                sessions > CONNECTIONS_DEFAULT ? Map.of("max_connections", Integer.toString(sessions)) : Map.of();
        if (!system.has("settings")) {
            return enough;
        }
        YamlMap map = system.map("settings");
        Map<String, String> settings = new LinkedHashMap<>(map.scalars());
        for (String name : settings.keySet()) {
            if (!SETTING.matcher(name).matches()) {
                throw map.atKey(
                        name, "'" + name + "' is not the name of a server setting", "for example shared_buffers");
            }
            if (NOT_SETTABLE.contains(name)) {
                throw map.atKey(name, name + " is chosen by the laboratory", "remove it");
            }
        }
        if (map.has("max_connections")) {
            int connections = map.integer("max_connections", 1, 262_143);
            if (connections < sessions) {
                throw map.at(
                        "max_connections",
                        map.name("max_connections") + " is " + connections
                                + ", too few for the clients of its variants",
                        "set it to " + sessions + " or more, leave it out, or lower load.clients");
            }
        } else {
            settings.putAll(enough);
        }
        return settings;
    }

    private List<Variant> variants(YamlMap all, Collection<String> systems, Protocol protocol) {
        YamlMap scripts = named("scripts");
        for (String script : scripts.keys()) {
            checkScript(scripts, script, scripts.block(script), "script '" + script + "'", protocol);
        }
        List<Variant> variants = new ArrayList<>();
        for (String name : all.keys()) {
            YamlMap map = all.map(name);
            map.onlyKeys(VARIANT);
            String script = map.reference("script", scripts.keys(), "script");
            variants.add(new Variant(
                    name,
                    map.text("title", name),
                    map.reference("system", systems, "system"),
                    scripts.block(script),
                    scripts.firstLine(script),
                    map.has("checks") ? checks(map.map("checks")) : Map.of()));
        }
        return variants;
    }

    private static Protocol protocolOf(Load load) {
        return Protocol.valueOf(load.protocol().toUpperCase(Locale.ROOT));
    }

    /** A script that cannot be read is told with its line of the file, before any server is started. */
    private static void checkScript(YamlMap scripts, String name, String text, String called, Protocol protocol) {
        try {
            Script script = Script.parse(called, text);
            if (protocol != Protocol.SIMPLE) {
                script.requireParameters();
            }
        } catch (ScriptException e) {
            throw scripts.inBlock(name, e.line(), called + ": " + e.problem(), e.hint());
        }
    }

    private static Map<String, String> checks(YamlMap map) {
        Map<String, String> checks = new LinkedHashMap<>();
        map.keys().forEach(name -> checks.put(name, map.block(name)));
        return checks;
    }

    private List<Pair> pairs(List<String> variants) {
        List<Pair> pairs = new ArrayList<>();
        for (YamlMap map : root.list("comparisons")) {
            map.onlyKeys(PAIR);
            String baseline = map.reference("baseline", variants, "variant");
            String candidate = map.reference("candidate", variants, "variant");
            if (baseline.equals(candidate)) {
                throw map.at(
                        "candidate",
                        "variant '" + baseline + "' is compared with itself",
                        "for an A/A run write the variant twice under two names");
            }
            pairs.add(new Pair(
                    map.text("question"),
                    baseline,
                    candidate,
                    map.oneOf("metric", MetricNames.COMPARABLE, MetricNames.TRANSACTIONS_PER_SECOND),
                    map.decimal("margin", MARGIN_MIN, MARGIN_MAX, MARGIN_DEFAULT),
                    map.bool("same_answer", true),
                    map.has("proves") ? map.text("proves") : null));
        }
        return pairs;
    }

    private List<Expectation> signatures(List<String> variants) {
        List<Expectation> signatures = new ArrayList<>();
        for (YamlMap map : root.list("signatures")) {
            map.onlyKeys(SIGNATURE);
            String variant = map.reference("variant", variants, "variant");
            YamlMap locks = map.map("relation_locks");
            locks.onlyKeys(RELATION_LOCKS);
            @Nullable Integer total = locks.integerOrNull("total", 0, LOCKS_MAX);
            @Nullable Integer fastpath = locks.integerOrNull("fastpath", 0, LOCKS_MAX);
            @Nullable Integer slow = locks.integerOrNull("slow", 0, LOCKS_MAX);
            if (total == null && fastpath == null && slow == null) {
                throw locks.here("relation_locks expects nothing", "give total, fastpath or slow");
            }
            if (total != null && fastpath != null && slow != null && total != fastpath + slow) {
                throw locks.at(
                        "total",
                        "total is " + total + " but fastpath and slow add up to " + (fastpath + slow),
                        "correct one of the three");
            }
            signatures.add(new Expectation(variant, total, fastpath, slow));
        }
        return signatures;
    }

    /** A mapping of the user's own names, at least one. */
    private YamlMap named(String key) {
        YamlMap map = root.map(key);
        checkNames(map);
        if (map.keys().isEmpty()) {
            throw root.at(key, key + " is empty", "name at least one");
        }
        return map;
    }

    private static void checkNames(YamlMap map) {
        for (String name : map.keys()) {
            if (!NAME.matcher(name).matches()) {
                throw map.atKey(
                        name, "name '" + name + "' is not lower case with dashes", "for example pg16 or hidden-16");
            }
        }
    }
}
