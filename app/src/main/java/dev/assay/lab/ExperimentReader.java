package dev.assay.lab;

import dev.assay.lab.Experiment.Load;
import dev.assay.lab.Experiment.Pair;
import dev.assay.lab.Experiment.Place;
import dev.assay.lab.Experiment.SystemUnderTest;
import dev.assay.lab.Experiment.Variant;
import dev.assay.lab.load.Protocol;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * From the mappings of an experiment file to an {@link Experiment}. The keys, their defaults and their limits are the ones that
 * {@code docs/experiments.md} and {@code experiment.schema.json} tell.
 */
final class ExperimentReader {

    static final List<String> TOP = List.of(
            "name",
            "title",
            "question",
            "parameters",
            "load",
            "schemas",
            "systems",
            "scripts",
            "tasks",
            "processes",
            "background",
            "variants",
            "comparisons",
            "signatures");
    static final List<String> LOAD = List.of(
            "clients",
            "threads",
            "protocol",
            "trials",
            "warmup",
            "warmup_max",
            "measured",
            "rate",
            "latency_limit",
            "max_tries");

    static final double MARGIN_DEFAULT = 0.05;
    private static final double MARGIN_MIN = 0.001;
    private static final double MARGIN_MAX = 1;

    /** Clients are not the only sessions: the sampler, the setup and the superuser's reserve need some too. */
    private static final int OTHER_SESSIONS = 10;

    private static final List<String> SYSTEM = List.of("server", "external", "settings", "schema", "parameters");
    private static final List<String> PAIR =
            List.of("question", "baseline", "candidate", "metric", "margin", "same_answer", "proves");

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
        Load load = LoadReader.read(root.map("load"));
        boolean others = root.has("tasks") || root.has("processes");
        YamlMap scripts = root.has("scripts") || !others ? named("scripts") : root.mapOrEmpty("scripts");
        Map<String, Background> background = BackgroundReader.read(optional("background"), scripts, load);
        List<Variant> variants = new VariantReader(
                        load, named("systems").keys(), scripts, optional("tasks"), optional("processes"), background)
                .read(named("variants"));
        Map<String, SystemUnderTest> systems = systems(named("systems"), variants);
        SignatureReader signatures = new SignatureReader(
                root.list("signatures"), variants.stream().map(Variant::name).toList());
        return new Experiment(
                name,
                title,
                question,
                load,
                systems,
                variants,
                pairs(variants),
                signatures.locks(),
                signatures.expected());
    }

    private Map<String, SystemUnderTest> systems(YamlMap all, List<Variant> variants) {
        YamlMap schemas = root.mapOrEmpty("schemas");
        checkNames(schemas);
        Map<String, SystemUnderTest> systems = new LinkedHashMap<>();
        for (String name : all.keys()) {
            YamlMap map = all.map(name);
            map.onlyKeys(SYSTEM);
            int sessions = sessionsOn(name, variants);
            String setup = map.has("schema")
                    ? setup(map, schemas, map.reference("schema", schemas.keys(), "schema"))
                    : withoutSchema(map);
            systems.put(
                    name,
                    map.has("external")
                            ? external(name, map, sessions, setup, variants)
                            : new SystemUnderTest(name, embedded(map), settings(map, sessions), setup));
        }
        return systems;
    }

    private static Place embedded(YamlMap map) {
        String version = map.text("server");
        if (!SERVER.matcher(version).matches()) {
            throw map.at(
                    "server",
                    map.name("server") + " must be a major or an exact version, not '" + version + "'",
                    "for example 16 (the newest 16 known) or 16.4; for a server that runs already write external:");
        }
        return new Place.Embedded(version);
    }

    private static SystemUnderTest external(
            String name, YamlMap map, int sessions, String setup, List<Variant> variants) {
        for (String key : List.of("server", "settings")) {
            if (map.has(key)) {
                throw map.atKey(
                        key,
                        map.name(key) + " stands beside external",
                        "the laboratory neither starts nor sets a server that runs already: keep one of the two");
            }
        }
        String connection = map.text("external");
        try {
            TargetAddress.of(connection, null, null, null, Map.of());
        } catch (TargetException e) {
            throw map.at("external", map.name("external") + ": " + e.getMessage(), e.hint());
        }
        if (setup.isBlank()
                && variants.stream().anyMatch(one -> one.fresh() && one.system().equals(name))) {
            throw map.here(
                    "the data of system '" + name
                            + "' cannot be put back for fresh: true, as they are not the laboratory's",
                    "give it a schema: it is built in a database of its own, or write fresh: false");
        }
        return new SystemUnderTest(name, new Place.External(connection, sessions), Map.of(), setup);
    }

    private static String setup(YamlMap system, YamlMap schemas, String schema) {
        String sql = schemas.block(schema);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (system.has("parameters")) {
            YamlMap map = system.map("parameters");
            parameters.putAll(map.scalars());
            Set<String> placeholders = ParameterText.placeholders(sql);
            for (String name : parameters.keySet()) {
                if (!ParameterNodes.NAME.matcher(name).matches()) {
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
        VariantReader.checkScript(schemas, schema, text, "schema '" + schema + "'", Protocol.SIMPLE);
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
    private static int sessionsOn(String system, List<Variant> variants) {
        int sessions = 0;
        int beside = 0;
        for (Variant variant : variants) {
            if (variant.system().equals(system)) {
                sessions += variant.isTask()
                        ? 1
                        : variant.load().clients(); // a service has a pool, of its users' size at most
                beside = Math.max(
                        beside,
                        variant.background().stream()
                                .mapToInt(Background::sessions)
                                .sum());
            }
        }
        return sessions + beside + OTHER_SESSIONS;
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

    private List<Pair> pairs(List<Variant> variants) {
        List<String> names = variants.stream().map(Variant::name).toList();
        List<Pair> pairs = new ArrayList<>();
        for (YamlMap map : root.list("comparisons")) {
            map.onlyKeys(PAIR);
            String baseline = map.reference("baseline", names, "variant");
            String candidate = map.reference("candidate", names, "variant");
            if (baseline.equals(candidate)) {
                throw map.at(
                        "candidate",
                        "variant '" + baseline + "' is compared with itself",
                        "for an A/A run write the variant twice under two names");
            }
            pairs.add(pair(map, named(variants, baseline), named(variants, candidate)));
        }
        return pairs;
    }

    private static Variant named(List<Variant> variants, String name) {
        return variants.stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Pair pair(YamlMap map, Variant baseline, Variant candidate) {
        boolean task = baseline.isTask();
        if (!baseline.kind().equals(candidate.kind())) {
            throw map.at(
                    "candidate",
                    "a " + baseline.kind() + " and a " + candidate.kind() + " have no figure in common",
                    "compare two of a kind");
        }
        boolean script = !baseline.scripts().isEmpty();
        boolean same = map.bool("same_answer", script);
        if (same && !script) {
            throw map.at(
                    "same_answer", "a " + baseline.kind() + " has no answer to compare", "remove it, and write checks");
        }
        if (same) {
            VariantReader.requireAnswers(map, "baseline", baseline);
            VariantReader.requireAnswers(map, "candidate", candidate);
        }
        List<String> metrics = task ? MetricNames.COMPARABLE_TASKS : MetricNames.COMPARABLE_SCRIPTS;
        return new Pair(
                map.text("question"),
                baseline.name(),
                candidate.name(),
                map.oneOf("metric", metrics, metrics.get(0)),
                map.decimal("margin", MARGIN_MIN, MARGIN_MAX, MARGIN_DEFAULT),
                same,
                map.has("proves") ? map.text("proves") : null);
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

    private YamlMap optional(String key) {
        YamlMap map = root.mapOrEmpty(key);
        checkNames(map);
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
