package dev.assay.lab;

import dev.assay.lab.Experiment.Expectation;
import dev.assay.lab.Experiment.Expected;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code signatures}: exact locks of single executions, and what must be seen under load. */
final class SignatureReader {

    private static final int LOCKS_MAX = 1_000_000;
    private static final List<String> SIGNATURE = List.of("variant", "relation_locks", "expect");
    private static final List<String> RELATION_LOCKS = List.of("total", "fastpath", "slow");
    private static final List<String> EXPECT = List.of("metric", "wait_event", "times", "above", "below");
    private static final Pattern WAIT_EVENT = Pattern.compile("[A-Za-z]+:[A-Za-z0-9_]+");
    private static final double BOUND_MAX = 1e15;

    private final List<String> variants;
    private final List<Expectation> locks = new ArrayList<>();
    private final List<Expected> expected = new ArrayList<>();

    SignatureReader(List<YamlMap> all, List<String> variants) {
        this.variants = variants;
        for (YamlMap map : all) {
            map.onlyKeys(SIGNATURE);
            String variant = map.reference("variant", variants, "variant");
            if (map.has("relation_locks") || !map.has("expect")) {
                locks.add(locks(variant, map.map("relation_locks")));
            }
            if (map.has("expect")) {
                expected.add(expected(variant, map.map("expect")));
            }
        }
    }

    List<Expectation> locks() {
        return locks;
    }

    List<Expected> expected() {
        return expected;
    }

    private static Expectation locks(String variant, YamlMap locks) {
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
        return new Expectation(variant, total, fastpath, slow);
    }

    private Expected expected(String variant, YamlMap map) {
        map.onlyKeys(EXPECT);
        if (map.has("metric") == map.has("wait_event")) {
            throw map.here("expect needs either a metric or a wait_event", "for example metric: latency_p95");
        }
        if (!map.has("above") && !map.has("below")) {
            throw map.here("expect expects nothing", "give above, below or both");
        }
        boolean wait = map.has("wait_event");
        String figure = wait ? map.text("wait_event") : map.oneOf("metric", MetricNames.ALL, "");
        if (wait && !WAIT_EVENT.matcher(figure).matches()) {
            throw map.at(
                    "wait_event",
                    "'" + figure + "' is not the name of a wait event",
                    "type and name, for example LWLock:LockManager");
        }
        return new Expected(
                variant,
                figure,
                wait,
                map.has("times") ? map.reference("times", variants, "variant") : null,
                map.has("above") ? (Double) map.decimal("above", 0, BOUND_MAX, 0) : null,
                map.has("below") ? (Double) map.decimal("below", 0, BOUND_MAX, 0) : null);
    }
}
