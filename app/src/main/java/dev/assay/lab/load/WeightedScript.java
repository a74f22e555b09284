package dev.assay.lab.load;

import dev.assay.lab.script.Script;

/**
 * A script and how often it is drawn.
 *
 * @param weight 0 to 2^31-1; the chance of a script is its weight's share of all weights
 */
public record WeightedScript(Script script, int weight) {

    public WeightedScript {
        if (weight < 0) {
            throw new IllegalArgumentException("a weight is not negative: " + weight);
        }
    }
}
