package dev.assay.evidence;

import dev.assay.pg.WaitEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One session of a client at one moment, from {@code pg_stat_get_activity}.
 *
 * @param pid the backend's process id
 * @param user the role's name, or its OID while the name cannot be read; null where there is none
 * @param database its name, or its OID while the name cannot be read; null for a session without one
 * @param application {@code application_name}, may be empty
 * @param state {@code active}, {@code idle}, {@code idle in transaction}, ...; {@code starting} before the first; {@code unknown} where the
 *     role may not see it
 * @param waitEvent what it waits for; null when it waits for nothing or the role may not see it
 * @param statement the current statement, or the last one of an idle session; null where there is none or the role may not see it
 * @param backendStart when the session connected
 * @param transactionStart when its transaction began, null outside of one
 */
public record ActivityRow(
        int pid,
        @Nullable String user,
        @Nullable String database,
        String application,
        String state,
        @Nullable WaitEvent waitEvent,
        @Nullable StatementId statement,
        @Nullable Instant backendStart,
        @Nullable Instant transactionStart)
        implements Row {

    /** Whether it is a session in a database of which the role that looked may not see what it does. */
    public boolean hidden() {
        return state.equals("unknown") && user != null && database != null;
    }

    /** Whether it counts towards the average active sessions. */
    public boolean active() {
        return state.equals("active") || state.equals("fastpath function call");
    }

    /** What the session's time goes to at this moment: its wait event, or {@link WaitEvent#CPU}. */
    public WaitEvent timeGoesTo() {
        return waitEvent == null ? WaitEvent.CPU : waitEvent;
    }
}
