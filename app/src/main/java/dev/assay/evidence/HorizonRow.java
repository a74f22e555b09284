package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One of those that keep the oldest snapshots and so hold back what VACUUM may remove; the oldest few of each kind.
 *
 * @param kind what it is
 * @param pid the process; null for a prepared transaction and for a slot that nobody uses
 * @param name the session's or standby's application name, the transaction's gid, the slot's name
 * @param user whose it is; null for a slot
 * @param database where; null for what holds back every database
 * @param xminAge how far it holds the horizon back, in transactions
 * @param catalogOnly whether it holds back rows of catalogs only
 * @param since when the transaction began or was prepared; for a slot since when nobody uses it (17+); null where that is not known
 */
public record HorizonRow(
        Kind kind,
        @Nullable Integer pid,
        String name,
        @Nullable String user,
        @Nullable String database,
        int xminAge,
        boolean catalogOnly,
        @Nullable Instant since)
        implements Row {

    /** What can hold the horizon back. */
    public enum Kind {
        SESSION,
        PREPARED_TRANSACTION,
        REPLICATION_SLOT,
        STANDBY_FEEDBACK
    }
}
