package dev.assay.pg;

/**
 * What a session waits for, as {@code Type:Name}; {@link #CPU} for an active session that waits for nothing (it runs, or would run if a
 * core were free).
 *
 * <p>The server's own spelling is kept and shown. Names changed between versions, most in case only ({@code WALSync} up to 16,
 * {@code WalSync} since 17), so comparison goes by {@link #is}, and what sums up recordings of several versions by {@link #unified}. Both
 * always take the type along: {@code LWLock:WALWrite} and {@code IO:WALWrite} are different things.
 *
 * @param type for example {@code LWLock}
 * @param name for example {@code LockManager}
 */
public record WaitEvent(String type, String name) implements Comparable<WaitEvent> {

    public static final WaitEvent CPU = new WaitEvent("CPU", "CPU");
    public static final WaitEvent LOCK_MANAGER = new WaitEvent("LWLock", "LockManager");

    public WaitEvent {
        if (type.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException("a wait event needs a type and a name: '" + type + "', '" + name + "'");
        }
    }

    /** Reads {@code Type:Name}, or {@code CPU}. */
    public static WaitEvent parse(String text) {
        if (text.equals("CPU")) {
            return CPU;
        }
        int colon = text.indexOf(':');
        if (colon < 1 || colon == text.length() - 1) {
            throw new IllegalArgumentException(
                    "not a wait event: '" + text + "' (expected Type:Name such as LWLock:LockManager)");
        }
        return new WaitEvent(text.substring(0, colon), text.substring(colon + 1));
    }

    /** Same type and name whatever the case and whatever version spelt it. */
    public boolean is(WaitEvent other) {
        return unified().toString().equalsIgnoreCase(other.unified().toString());
    }

    /** The same event as 17 and 18 spell it, whatever version spelt it; itself where they have no such event. */
    public WaitEvent unified() {
        return WaitEventNames.unified(this);
    }

    /** One of the heavyweight locks: somebody holds what this session wants. */
    public boolean isHeavyweightLock() {
        return type.equals("Lock");
    }

    @Override
    public int compareTo(WaitEvent other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return equals(CPU) ? "CPU" : type + ":" + name;
    }
}
