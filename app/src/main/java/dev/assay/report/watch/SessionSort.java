package dev.assay.report.watch;

import java.util.Comparator;
import java.util.function.Function;

/** Columns that sessions can be sorted by; the largest, or the first by letter, on top. */
enum SessionSort {
    TRANSACTION("xact s", descending(SessionLine::transactionSeconds)),
    STATE_TIME("state s", descending(SessionLine::stateSeconds)),
    SLOTS("slots", descending(line -> line.slotsTaken() + line.overflow())),
    SUBTRANSACTIONS("sub", descending(SessionLine::subtransactions)),
    PID("pid", Comparator.comparing(SessionLine::pid)),
    USER("user", Comparator.comparing(SessionLine::user)),
    APPLICATION("application", Comparator.comparing(SessionLine::who)),
    DOING("wait or state", Comparator.comparing(SessionLine::doing));

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // made of functions without state
    private final Comparator<SessionLine> order;

    SessionSort(String title, Comparator<SessionLine> order) {
        this.title = title;
        this.order = order.thenComparing(SessionLine::pid);
    }

    private static <T extends Comparable<T>> Comparator<SessionLine> descending(Function<SessionLine, T> figure) {
        return Comparator.comparing(figure).reversed();
    }

    String title() {
        return title;
    }

    Comparator<SessionLine> order(boolean reversed) {
        return reversed ? order.reversed() : order;
    }

    @SuppressWarnings("EnumOrdinal") // columns follow each other in this order
    SessionSort next() {
        return values()[(ordinal() + 1) % values().length];
    }
}
