package dev.assay.observe;

import dev.assay.evidence.LookRow;
import dev.assay.evidence.Unavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What looks did not bring, in words, whatever their number; a probe that was refused once and answered later is not among it. Not thread-safe. */
public final class LookTally {

    /** Losses that are told one by one; there is one for each time that the server went away. */
    private static final int LOSSES_MAX = 100;

    private final Map<String, Long> missed = new LinkedHashMap<>();
    private final Map<String, String> lastReason = new LinkedHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();
    private final Set<Unavailable> found = new LinkedHashSet<>();
    private int losses;

    /** One look that was over at this time. */
    public void add(Instant at, LookRow look) {
        switch (look.outcome()) {
            case OK -> refused.remove(look.probe());
            case MISSED -> {
                missed.merge(look.probe(), 1L, Long::sum);
                lastReason.put(look.probe(), look.detail());
            }
            case REFUSED -> refused.put(look.probe(), look.detail());
            case LOST -> {
                if (losses++ < LOSSES_MAX) {
                    found.add(new Unavailable("everything after " + at, look.detail()));
                }
            }
        }
    }

    /** What was unavailable so far. */
    public List<Unavailable> unavailable() {
        List<Unavailable> all = new ArrayList<>();
        refused.forEach((probe, why) -> all.add(new Unavailable(probe, why)));
        all.addAll(found);
        missed.forEach((probe, times) -> all.add(new Unavailable(
                times + " looks of " + probe, "no answer; the last time: " + lastReason.getOrDefault(probe, ""))));
        return all;
    }
}
