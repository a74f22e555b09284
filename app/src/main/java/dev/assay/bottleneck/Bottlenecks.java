package dev.assay.bottleneck;

import dev.assay.bottleneck.lockmanager.LockManagerRoom;
import dev.assay.diagnose.Rule;
import java.util.List;

/** All rooms; the one place that lists them. */
public final class Bottlenecks {

    private Bottlenecks() {}

    public static List<Bottleneck> all() {
        return List.of(new Bottleneck("lockmanager", LockManagerRoom.rules(), LockManagerRoom.experiments()));
    }

    /** The rules of all rooms. */
    public static List<Rule> rules() {
        return all().stream().flatMap(room -> room.rules().stream()).toList();
    }
}
