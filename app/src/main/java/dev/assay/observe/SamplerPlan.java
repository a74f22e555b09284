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
 * @param budget what looking may cost the server
 */
public record SamplerPlan(TargetAddress address, List<Probe<?>> probes, boolean keepLiterals, CostBudget budget) {

    public SamplerPlan {
        probes = List.copyOf(probes);
    }

    /** For looks that go on for days. */
    public SamplerPlan(TargetAddress address, List<Probe<?>> probes, boolean keepLiterals) {
        this(address, probes, keepLiterals, CostBudget.recording());
    }
}
