package dev.assay.lab.compare;

import dev.assay.lab.Environment;
import dev.assay.lab.Signature;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs as they may lie in folders, with figures that are made up and come out as the tests say. */
public final class Runs {

    static final Environment MACHINE = new Environment(2, 8L << 30, "Linux 6.1.0 amd64", "17.0.15 (Debian)", "EPYC");
    private static final double[] SCATTER = {0.99, 1.01, 1.0, 1.02, 0.98, 1.0};

    private Runs() {}

    /** A run with one variant. */
    public static StoredRun run(String source, long seed, StoredRun.Variant variant, List<Trial> trials) {
        return run(source, "orders", seed, List.of(variant), trials);
    }

    static StoredRun run(
            String source, String experiment, long seed, List<StoredRun.Variant> variants, List<Trial> trials) {
        return new StoredRun(
                source,
                "0.1.0",
                experiment,
                "Does it pay?",
                Instant.parse("2026-03-14T09:26:53Z").plusSeconds(seed),
                false,
                MACHINE,
                8,
                5,
                seed,
                variants,
                List.of(new Signature("with relation locks", "2", "2", true)),
                trials);
    }

    public static StoredRun.Variant variant(String name, String version, VariantResult.Check... checks) {
        return new StoredRun.Variant(
                name, version, Map.of("shared_buffers", "64MB"), "select 1", true, List.of(checks));
    }

    /**
     * Six trials that scatter by 2 %.
     *
     * @param perSecond geometric mean, nearly
     * @param millis of latency_p99
     */
    public static List<Trial> trials(String variant, double perSecond, double millis) {
        List<Trial> trials = new ArrayList<>();
        for (double factor : SCATTER) {
            int round = trials.size() + 1;
            trials.add(new Trial(
                    round,
                    round,
                    variant,
                    null,
                    Map.of(
                            "transactions_per_second",
                            perSecond * factor,
                            "latency_p99",
                            millis / factor,
                            "busy_cores",
                            1.5)));
        }
        return trials;
    }
}
