package dev.assay.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * In what order trials run.
 *
 * <p>Rounds come in pairs: the first has all variants in a random order, the second has them the other way round (ABBA). Over a pair every
 * variant stands at the same place on average, so what changes evenly over the run (a machine that heats up, a table that grows) cancels
 * out. Every pair draws a new order, so that nothing periodic meets the same variant all the time.
 */
final class TrialOrder {

    private TrialOrder() {}

    /**
     * One trial to run.
     *
     * @param round from 1
     * @param order place in the whole run, from 1
     */
    record Slot(int round, int order, String variant) {}

    /**
     * Every trial of a run; each variant once in every round.
     *
     * @param seed the same seed gives the same order
     */
    static List<Slot> of(List<String> variants, int rounds, long seed) {
        if (variants.isEmpty() || rounds < 1) {
            throw new IllegalArgumentException(variants.size() + " variants in " + rounds + " rounds");
        }
        // Random's first draws hardly differ between neighbouring seeds; SplittableRandom's do.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<Slot> slots = new ArrayList<>(variants.size() * rounds);
        List<String> current = new ArrayList<>(variants);
        for (int round = 1; round <= rounds; round++) {
            if (round % 2 == 1) {
                Collections.shuffle(current, random);
            } else {
                Collections.reverse(current);
            }
            for (String variant : current) {
                slots.add(new Slot(round, slots.size() + 1, variant));
            }
        }
        return slots;
    }
}
