package dev.assay.bottleneck;

import dev.assay.diagnose.Rule;
import java.util.List;

/**
 * One bottleneck that the product knows.
 *
 * @param id the name of its room, for example {@code lockmanager}
 * @param rules what recognises it
 * @param experiments names of the built-in experiments that reproduce it
 */
public record Bottleneck(String id, List<Rule> rules, List<String> experiments) {

    public Bottleneck {
        rules = List.copyOf(rules);
        experiments = List.copyOf(experiments);
    }
}
