package dev.assay.evidence.episode;

import dev.assay.evidence.StatementId;
import org.jspecify.annotations.Nullable;

/**
 * Who stood at the root of the waits of an episode, as last seen in it.
 *
 * @param pid the process id; {@link dev.assay.evidence.BlockingRow#PREPARED} for a prepared transaction
 * @param user null where it is not known, as are the next ones
 * @param application may be empty
 * @param state {@code idle in transaction}, {@code active}, ...
 * @param statement what it ran, or ran last
 * @param transactionSeconds how long its transaction had been open when it was last seen; NaN where it is not known
 * @param victims how many waited for it at once, directly or behind others, at most
 * @param object what most of them waited for, for people
 * @param looks how many looks at blocking stand behind it
 */
public record RootBlocker(
        int pid,
        @Nullable String user,
        @Nullable String application,
        @Nullable String state,
        @Nullable StatementId statement,
        double transactionSeconds,
        int victims,
        String object,
        int looks) {}
