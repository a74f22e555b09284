package dev.assay.evidence;

import dev.assay.pg.WaitEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

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

    /** The profile of all active sessions in these samples, each look counting the same. */
    public static WaitProfile of(Collection<Sample<ActivityRow>> activity) {
        return of(Load.ofEqualLooks(List.copyOf(activity), Dimension.WAIT_EVENT));
    }

    /** The profile of all active sessions in these samples, each look counting with the time that it stands for. */
    public static WaitProfile of(List<Sample<ActivityRow>> activity, SeenTime time) {
        return of(Load.of(activity, time, Dimension.WAIT_EVENT));
    }

    private static WaitProfile of(Load<WaitEvent> load) {
        List<Slice> slices = new ArrayList<>();
        for (Load.Slice<WaitEvent> slice : load.slices()) {
            WaitEvent event = Objects.requireNonNull(slice.key(), "every active session's time goes to something");
            slices.add(new Slice(event, slice.aas(), slice.share(), slice.sessionSamples()));
        }
        return new WaitProfile(load.looks(), load.sessionSamples(), slices);
    }

    /** Average active sessions over all wait events. */
    public double aas() {
        return slices.stream().mapToDouble(Slice::aas).sum();
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
