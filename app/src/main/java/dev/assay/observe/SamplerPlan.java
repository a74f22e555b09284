package dev.assay.observe;

import dev.assay.observe.probe.Probe;
import dev.assay.target.TargetAddress;
import java.util.List;

/**
 * What to watch and how.
 *
 * @param address where the server is; at most two sessions are opened on it at a time
 * @param probes what to ask
 * @param keepLiterals whether statements are to be shown with their literals as well
 */
public record SamplerPlan(TargetAddress address, List<Probe<?>> probes, boolean keepLiterals) {

    public SamplerPlan {
        probes = List.copyOf(probes);
    }
}
