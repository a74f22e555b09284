package dev.assay.observe.probe;

/** The end of the WAL that a server has, as SQL: inserted on a primary, received or replayed on a standby. */
final class WalEnd {

    static final String SQL =
            "(select case when pg_is_in_recovery() then greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())"
                    + " else pg_current_wal_insert_lsn() end as lsn)";

    private WalEnd() {}
}
