package dev.assay.evidence;

import org.jspecify.annotations.Nullable;

/**
 * How many processes of one kind there are at one moment, from {@code pg_stat_get_activity}: all of them, idle ones and the observer's own
 * included, as each takes a connection. Where a role may not see what a process is, only user and database are told.
 *
 * @param user the role's name, or its OID while the name cannot be read; null where there is none
 * @param database its name, or its OID while the name cannot be read; null where there is none
 * @param application {@code application_name}, may be empty
 * @param backendType {@code client backend}, {@code checkpointer}, ...; null where the role may not see it
 * @param state as in {@link ActivityRow}; null for background processes, which have none
 * @param sessions how many
 */
public record SessionCountRow(
        @Nullable String user,
        @Nullable String database,
        String application,
        @Nullable String backendType,
        @Nullable String state,
        int sessions)
        implements Row {

    /** Whether they take connections out of {@code max_connections}. */
    public boolean client() {
        return "client backend".equals(backendType) || (backendType == null && user != null && database != null);
    }
}
