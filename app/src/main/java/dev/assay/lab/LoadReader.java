package dev.assay.lab;

import dev.assay.lab.Experiment.Load;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code load}, and what a variant changes of it. */
final class LoadReader {

    /** What a variant may change: how the work is driven, but not how long and how often it is measured. */
    static final List<String> DRIVE = List.of("clients", "threads", "protocol", "rate", "latency_limit", "max_tries");

    static final int TRIALS_DEFAULT = 6;
    static final Duration WARMUP_DEFAULT = Duration.ofSeconds(1);
    static final Duration MEASURED_DEFAULT = Duration.ofSeconds(5);

    private LoadReader() {}

    /** The experiment's load. */
    static Load read(YamlMap map) {
        map.onlyKeys(ExperimentReader.LOAD);
        Duration warmup = map.duration("warmup", Duration.ZERO, Load.WARMUP_MAX, WARMUP_DEFAULT);
        return drive(
                map,
                new Load(
                        map.integer("clients", 1, Load.CLIENTS_MAX),
                        1,
                        "simple",
                        map.integer("trials", Load.TRIALS_MIN, Load.TRIALS_MAX, TRIALS_DEFAULT),
                        warmup,
                        map.has("warmup_max") ? map.duration("warmup_max", warmup, Load.WARMUP_MAX, warmup) : warmup,
                        map.duration("measured", Load.MEASURED_MIN, Load.MEASURED_MAX, MEASURED_DEFAULT),
                        0,
                        null,
                        1));
    }

    /** The experiment's load as a variant changes it. */
    static Load changed(YamlMap variant, Load load) {
        if (!variant.has("load")) {
            return load;
        }
        YamlMap map = variant.map("load");
        map.onlyKeys(DRIVE);
        return drive(map, load);
    }

    static Load drive(YamlMap map, Load otherwise) {
        double rate = map.decimal("rate", 0, Load.RATE_MAX, otherwise.rate());
        @Nullable
        Duration limit = map.has("latency_limit")
                ? map.duration("latency_limit", Duration.ofMillis(1), Load.MEASURED_MAX, Load.MEASURED_MAX)
                : otherwise.latencyLimit();
        return new Load(
                map.integer("clients", 1, Load.CLIENTS_MAX, otherwise.clients()),
                map.integer("threads", 1, Load.THREADS_MAX, otherwise.threads()),
                map.oneOf("protocol", Load.PROTOCOLS, otherwise.protocol()),
                otherwise.trials(),
                otherwise.warmup(),
                otherwise.warmupMax(),
                otherwise.measured(),
                rate,
                limit,
                map.integer("max_tries", 0, Load.TRIES_MAX, otherwise.maxTries()));
    }
}
