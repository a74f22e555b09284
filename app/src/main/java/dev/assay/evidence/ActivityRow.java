package dev.assay.evidence;

import dev.assay.pg.WaitEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One process at one moment, from {@code pg_stat_get_activity}: sessions of clients that are not idle, parallel workers, and background
 * processes that are at work.
 *
 * @param pid the backend's process id
 * @param leaderPid for a parallel worker the session it works for, else null
 * @param user the role's name, or its OID while the name cannot be read; null where there is none
 * @param database its name, or its OID while the name cannot be read; null for a session without one
 * @param application {@code application_name}, may be empty
 * @param clientAddress where it connected from; null for a Unix socket, a background process, or where the role may not see it
 * @param backendType {@code client backend}, {@code autovacuum worker}, ...; null where the role may not see it
 * @param state {@code active}, {@code idle}, {@code idle in transaction}, ...; {@code starting} before the first; {@code unknown} where the
 *     role may not see it
 * @param waitEvent what it waits for; null when it waits for nothing or the role may not see it
 * @param statement the current statement, or the last one of an idle session; null where there is none or the role may not see it
 * @param literalText the statement as the server shows it; null unless literals are to be kept
 * @param backendStart when the session connected
 * @param transactionStart when its transaction began, null outside of one
 * @param queryStart when the current or last statement began
 * @param stateChange when the state last changed
 * @param xidAge age of its transaction id, in transactions; null when it has none
 * @param xminAge age of the oldest snapshot it holds, in transactions; null when it holds none
 */
public record ActivityRow(
        int pid,
        @Nullable Integer leaderPid,
        @Nullable String user,
        @Nullable String database,
        String application,
        @Nullable String clientAddress,
        @Nullable String backendType,
        String state,
        @Nullable WaitEvent waitEvent,
        @Nullable StatementId statement,
        @Nullable String literalText,
        @Nullable Instant backendStart,
        @Nullable Instant transactionStart,
        @Nullable Instant queryStart,
        @Nullable Instant stateChange,
        @Nullable Integer xidAge,
        @Nullable Integer xminAge)
        implements Row {

    /** A client's session of which no more than this is known. */
    public ActivityRow(
            int pid,
            @Nullable String user,
            @Nullable String database,
            String application,
            String state,
            @Nullable WaitEvent waitEvent,
            @Nullable StatementId statement,
            @Nullable Instant backendStart,
            @Nullable Instant transactionStart) {
        this(
                pid,
                null,
                user,
                database,
                application,
                null,
                "client backend",
                state,
                waitEvent,
                statement,
                null,
                backendStart,
                transactionStart,
                null,
                null,
                null,
                null);
    }

    /** Whether it works for a client: a session or one of its parallel workers. */
    public boolean client() {
        return backendType == null || backendType.equals("client backend") || backendType.equals("parallel worker");
    }

    /** Whether it is a session in a database of which the role that looked may not see what it does. */
    public boolean hidden() {
        return state.equals("unknown") && user != null && database != null;
    }

    /** Whether it counts towards the average active sessions: it works for a client and is not idle. */
    public boolean active() {
        return client() && (state.equals("active") || state.equals("fastpath function call"));
    }

    /** What the session's time goes to at this moment: its wait event, or {@link WaitEvent#CPU}. */
    public WaitEvent timeGoesTo() {
        return waitEvent == null ? WaitEvent.CPU : waitEvent;
    }
}
