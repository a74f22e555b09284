package dev.assay.report;

import dev.assay.diagnose.Diagnosis;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.PoolRow;
import dev.assay.evidence.PoolUse;
import dev.assay.evidence.WaitProfile;
import dev.assay.observe.SelfCost;
import dev.assay.pg.WaitEvent;
import java.time.Duration;
import java.util.List;

/**
 * A diagnosis with what is needed to show it.
 *
 * @param evidence the window that was judged
 * @param diagnosis the rules' word on it
 * @param selfCost what observing cost
 * @param partial true when the window was cut short
 */
public record DiagnoseReport(Evidence evidence, Diagnosis diagnosis, SelfCost selfCost, boolean partial) {

    /** Length of the window in seconds. */
    public double seconds() {
        return Duration.between(evidence.from(), evidence.to()).toMillis() / 1000.0;
    }

    /**
     * The share of database time, 0 to 1, in waits other than {@code CPU} that no finding explains.
     *
     * <p>Findings name no wait events, so their shares are taken as shares of wait time; a finding that is a consequence of another one
     * explains nothing more. NaN when no session was seen active.
     */
    public double unexplainedShare() {
        WaitProfile waits = evidence.waits();
        if (waits.sessionSamples() == 0) {
            return Double.NaN;
        }
        double waiting = waits.slices().stream()
                .filter(slice -> !slice.waitEvent().is(WaitEvent.CPU))
                .mapToDouble(WaitProfile.Slice::share)
                .sum();
        double explained = diagnosis.findings().stream()
                .filter(finding -> finding.becauseOf() == null)
                .mapToDouble(finding -> finding.shareOfDatabaseTime())
                .sum();
        return Math.max(0, waiting - explained);
    }

    /** Who built or runs the server, as far as it shows. */
    public String vendor() {
        return evidence.server().vendor().title();
    }

    /** How the applications' pools were used; empty when none was watched. */
    public List<PoolUse> pools() {
        return PoolUse.of(evidence.samples(PoolRow.class));
    }
}
