package dev.assay.bottleneck.lockmanager;

import dev.assay.diagnose.Rule;
import java.util.List;

/** What this room gives to the registry. */
public final class LockManagerRoom {

    private LockManagerRoom() {}

    public static List<Rule> rules() {
        return List.of(new SlotOverflowRule());
    }

    /** Names of the built-in experiments. */
    public static List<String> experiments() {
        return List.of("lock-partitions", "lock-partitions-aa");
    }
}
