package dev.assay.observe.probe;

import java.util.List;

/** Every probe there is. */
public final class Probes {

    private Probes() {}

    public static List<Probe<?>> all() {
        return List.of(ActivityProbe.PROBE, RelationLocksProbe.PROBE, SettingsProbe.PROBE);
    }
}
