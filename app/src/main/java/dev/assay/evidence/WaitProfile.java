package dev.assay.evidence;

import dev.assay.pg.WaitEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Average active sessions (AAS) of a window, split by what the sessions' time went to.
 *
 * @param samples how many looks at the activity view stand behind it
 * @param sessionSamples how many active sessions those looks saw in all
 * @param slices largest first
 */
public record WaitProfile(int samples, long sessionSamples, List<Slice> slices) {

    public WaitProfile {
        slices = List.copyOf(slices);
    }

    /**
     * One wait event's part.
     *
     * @param aas average active sessions in this wait event
     * @param share of all active session time, 0 to 1
     * @param sessionSamples how many sightings stand behind it
     */
    public record Slice(WaitEvent waitEvent, double aas, double share, long sessionSamples) {}

    /** The profile of all active sessions in these samples. */
    public static WaitProfile of(Collection<Sample<ActivityRow>> activity) {
        Map<WaitEvent, Long> seen = new HashMap<>();
        long total = 0;
        for (Sample<ActivityRow> sample : activity) {
            for (ActivityRow row : sample.rows()) {
                if (row.active()) {
                    seen.merge(row.timeGoesTo(), 1L, Long::sum);
                    total++;
                }
            }
        }
        List<Slice> slices = new ArrayList<>();
        for (Map.Entry<WaitEvent, Long> entry : seen.entrySet()) {
            double aas = entry.getValue() / (double) activity.size();
            slices.add(new Slice(entry.getKey(), aas, entry.getValue() / (double) total, entry.getValue()));
        }
        slices.sort(Comparator.comparingLong(Slice::sessionSamples).reversed().thenComparing(Slice::waitEvent));
        return new WaitProfile(activity.size(), total, slices);
    }

    /** Average active sessions over all wait events. */
    public double aas() {
        return samples == 0 ? 0 : sessionSamples / (double) samples;
    }

    /** Average active sessions in this wait event, whatever the version's spelling; 0 when it was not seen. */
    public double aas(WaitEvent event) {
        return slices.stream()
                .filter(slice -> slice.waitEvent().is(event))
                .mapToDouble(Slice::aas)
                .sum();
    }

    /** This wait event's share of all active session time, 0 to 1. */
    public double share(WaitEvent event) {
        return slices.stream()
                .filter(slice -> slice.waitEvent().is(event))
                .mapToDouble(Slice::share)
                .sum();
    }
}
