package dev.assay.pg;

import java.util.Locale;

/**
 * What a session waits for, as {@code Type:Name}; {@link #CPU} for an active session that waits for nothing (it runs, or would run if a
 * core were free).
 *
 * <p>The server's own spelling is kept and shown. Names changed between versions in case only ({@code WALSync} up to 16, {@code WalSync}
 * since 17), so comparison goes by {@link #is}, which ignores case and always takes the type along: {@code LWLock:WALWrite} and
 * {@code IO:WALWrite} are different things.
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
        return canonical().equals(other.canonical());
    }

    /** One of the heavyweight locks: somebody holds what this session wants. */
    public boolean isHeavyweightLock() {
        return type.equals("Lock");
    }

    private String canonical() {
        String lower = (type + ":" + name).toLowerCase(Locale.ROOT);
        return lower.equals("lwlock:lock_manager") ? "lwlock:lockmanager" : lower;
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
