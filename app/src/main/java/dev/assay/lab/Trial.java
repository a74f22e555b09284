package dev.assay.lab;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measurement of one variant.
 *
 * @param round the block it belongs to, from 1; each variant has one trial in every round
 * @param order its place in the whole run, from 1
 * @param variant the variant's name
 * @param failure why it does not count, null when it does
 * @param values metric name to value; empty when it failed
 */
public record Trial(
        int round, int order, String variant, @Nullable String failure, Map<String, Double> values) {

    public Trial {
        values = Map.copyOf(values);
    }

    public boolean ok() {
        return failure == null;
    }
}
