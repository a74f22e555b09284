package dev.assay.lab;

import dev.assay.pg.WaitEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What an experiment expects beside what was seen. */
final class Signatures {

    private Signatures() {}

    /** Those of locks first, then those of figures; each in file order. */
    static List<Signature> of(Experiment experiment, List<VariantResult> results) {
        List<Signature> signatures = new ArrayList<>();
        for (Experiment.Expectation expectation : experiment.signatures()) {
            RelationLocks seen = find(results, expectation.variant()).relationLocks();
            Integer total = seen == null ? null : seen.total();
            Integer fast = seen == null ? null : seen.fastpathCount();
            Integer slow = seen == null ? null : seen.slowCount();
            signatures.add(exact(expectation.variant() + " relation locks", expectation.relationLocks(), total));
            signatures.add(exact(expectation.variant() + " fast-path locks", expectation.fastpath(), fast));
            signatures.add(exact(expectation.variant() + " shared-table locks", expectation.slow(), slow));
        }
        signatures.removeIf(signature -> signature.expected().isEmpty());
        experiment.expected().forEach(expected -> signatures.add(figure(expected, results)));
        return signatures;
    }

    private static VariantResult find(List<VariantResult> results, String name) {
        return results.stream()
                .filter(result -> result.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no variant " + name));
    }

    private static Signature exact(String name, @Nullable Integer expected, @Nullable Integer seen) {
        return new Signature(
                name,
                expected == null ? "" : expected.toString(),
                seen == null ? "not seen" : seen.toString(),
                expected != null && expected.equals(seen));
    }

    private static Signature figure(Experiment.Expected expected, List<VariantResult> results) {
        OptionalDouble seen = seen(expected, find(results, expected.variant()));
        String times = expected.times();
        if (times != null && seen.isPresent()) {
            OptionalDouble other = seen(expected, find(results, times));
            seen = other.isPresent() && other.getAsDouble() != 0
                    ? OptionalDouble.of(seen.getAsDouble() / other.getAsDouble())
                    : OptionalDouble.empty();
        }
        Double above = expected.above();
        Double below = expected.below();
        boolean ok = seen.isPresent()
                && (above == null || seen.getAsDouble() > above)
                && (below == null || seen.getAsDouble() < below);
        String name = expected.variant() + " "
                + (expected.waitEvent()
                        ? expected.figure() + " share"
                        : expected.figure().replace('_', ' '))
                + (times == null ? "" : ", times " + times);
        return new Signature(
                name, bounds(above, below), seen.isPresent() ? number(seen.getAsDouble()) : "not measured", ok);
    }

    /** The median over trials; of a wait event the share of a transaction's time, 0 where it was not met. */
    private static OptionalDouble seen(Experiment.Expected expected, VariantResult result) {
        if (!expected.waitEvent()) {
            return result.metric(expected.figure())
                    .map(metric -> OptionalDouble.of(metric.median()))
                    .orElse(OptionalDouble.empty());
        }
        WaitEvent wanted = WaitEvent.parse(expected.figure());
        return result.waits().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(result.waits().stream()
                        .filter(slice -> slice.waitEvent().indexOf(':') > 0
                                && WaitEvent.parse(slice.waitEvent()).is(wanted))
                        .mapToDouble(WaitSlice::share)
                        .sum());
    }

    private static String bounds(@Nullable Double above, @Nullable Double below) {
        if (above == null) {
            return below == null ? "" : "below " + number(below);
        }
        return "above " + number(above) + (below == null ? "" : " and below " + number(below));
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.4g", value);
    }
}
