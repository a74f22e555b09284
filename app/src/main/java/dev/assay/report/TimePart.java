package dev.assay.report;

import dev.assay.lab.Comparison;
import dev.assay.lab.WaitSlice;
import java.util.ArrayList;
import java.util.List;

/**
 * A line of a split of time: the large wait events by name, the small ones joined, what is outside the server last.
 *
 * @param label a wait event, {@code 3 other waits}, or {@link WaitSlice#OUTSIDE}
 */
record TimePart(String label, double micros, double share) {

    private static final int NAMED_MAX = 5;
    private static final double NAMED_SHARE_MIN = 0.005;

    /** The parts of one variant's time per transaction. */
    static List<TimePart> of(List<WaitSlice> slices) {
        List<TimePart> parts = new ArrayList<>();
        List<TimePart> joined = new ArrayList<>();
        TimePart outside = null;
        for (WaitSlice slice : slices) {
            TimePart part = new TimePart(slice.waitEvent(), slice.microsPerTransaction(), slice.share());
            if (slice.waitEvent().equals(WaitSlice.OUTSIDE)) {
                outside = part;
            } else if (parts.size() < NAMED_MAX && slice.share() >= NAMED_SHARE_MIN) {
                parts.add(part);
            } else {
                joined.add(part);
            }
        }
        if (!joined.isEmpty()) {
            parts.add(join(joined));
        }
        if (outside != null) {
            parts.add(outside);
        }
        return parts;
    }

    private static TimePart join(List<TimePart> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        return new TimePart(
                Words.count(parts.size(), "other wait"),
                parts.stream().mapToDouble(TimePart::micros).sum(),
                parts.stream().mapToDouble(TimePart::share).sum());
    }

    static double total(List<WaitSlice> slices) {
        return slices.stream().mapToDouble(WaitSlice::microsPerTransaction).sum();
    }

    /** The changes of a pair: the largest by name, the small ones joined, so that they still add up. */
    static List<Comparison.TimeChange> changes(List<Comparison.TimeChange> changes) {
        if (changes.size() <= NAMED_MAX + 1) {
            return changes;
        }
        List<Comparison.TimeChange> shown = new ArrayList<>(changes.subList(0, NAMED_MAX));
        List<Comparison.TimeChange> rest = changes.subList(NAMED_MAX, changes.size());
        shown.add(new Comparison.TimeChange(
                Words.count(rest.size(), "other"),
                rest.stream().mapToDouble(Comparison.TimeChange::baselineMicros).sum(),
                rest.stream()
                        .mapToDouble(Comparison.TimeChange::candidateMicros)
                        .sum(),
                rest.stream().mapToDouble(Comparison.TimeChange::shareOfChange).sum()));
        return shown;
    }
}
