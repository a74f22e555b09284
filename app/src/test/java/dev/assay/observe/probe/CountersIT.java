package dev.assay.observe.probe;

import static dev.assay.observe.probe.ViewComparison.compare;
import static dev.assay.observe.probe.ViewComparison.micros;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.BuffersRow;
import dev.assay.evidence.CheckpointsRow;
import dev.assay.evidence.CounterRow;
import dev.assay.evidence.DatabaseAgeRow;
import dev.assay.evidence.DatabaseRow;
import dev.assay.evidence.IoRow;
import dev.assay.evidence.SlruRow;
import dev.assay.evidence.WalRow;
import dev.assay.pg.Oid;
import dev.assay.pg.ServerVersion;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every column of every counter probe is what a plain session reads from the view, for a superuser, a monitor and a role without rights. */
@Timeout(120)
class CountersIT {

    static final List<String> VERSIONS = ProbesIT.VERSIONS;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Map<String, CountedWork> DONE = new HashMap<>();

    /** Done once a version, as it takes seconds. */
    private static CountedWork work(String version) throws Exception {
        CountedWork work = DONE.get(version);
        if (work == null) {
            work = new CountedWork(version);
            DONE.put(version, work);
        }
        return work;
    }

    @AfterAll
    static void close() throws SQLException {
        for (CountedWork work : DONE.values()) {
            work.close();
        }
        DONE.clear();
    }

    /** Compares for each role; the last role's rows are returned. */
    private static <R extends CounterRow> Map<String, R> compareForAll(CountedWork work, Probe<R> probe, String sql)
            throws Exception {
        Map<String, R> seen = Map.of();
        for (String role : work.roles()) {
            try (TargetSession session = TargetSession.open(work.database.address(role))) {
                seen = compare(work.view, session, probe, CounterRow::key, sql);
            }
        }
        return seen;
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void slruIsTheViewUnderTheNamesOf17(String version) throws Exception {
        String unified = """
                case name when 'Subtrans' then 'subtransaction' when 'Xact' then 'transaction' when 'MultiXactOffset' then 'multixact_offset'
                     when 'MultiXactMember' then 'multixact_member' when 'CommitTs' then 'commit_timestamp' when 'Notify' then 'notify'
                     when 'Serial' then 'serializable' else name end""";
        CountedWork work = work(version);
        Map<String, SlruRow> seen = compareForAll(
                work,
                SlruProbe.PROBE,
                "select " + unified + ", " + unified + ", name, blks_zeroed, blks_hit, blks_read, blks_written,"
                        + " blks_exists, flushes, truncates, " + micros("stats_reset") + " from pg_stat_slru");
        assertThat(seen.keySet())
                .containsExactlyInAnyOrder(
                        "subtransaction",
                        "transaction",
                        "multixact_offset",
                        "multixact_member",
                        "commit_timestamp",
                        "notify",
                        "serializable",
                        "other");
        assertThat(seen.get("transaction").blocksHit()).isPositive();
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void walIsTheViewAndOn18TheWalOfTheIoView(String version) throws Exception {
        boolean two = Integer.parseInt(version) >= 18;
        String sql = two
                ? "select '', w.wal_records, w.wal_fpi, w.wal_bytes, w.wal_buffers_full, io.writes, io.syncs,"
                        + " io.write_time, io.sync_time, "
                        + micros("case when w.stats_reset > io.reset then w.stats_reset else io.reset end")
                        + " from pg_stat_wal w, (select sum(writes) as writes, sum(fsyncs) as syncs,"
                        + " sum(write_time) as write_time, sum(fsync_time) as sync_time, max(stats_reset) as reset"
                        + " from pg_stat_io where object = 'wal' and context <> 'init') io"
                : "select '', wal_records, wal_fpi, wal_bytes, wal_buffers_full, wal_write, wal_sync, wal_write_time,"
                        + " wal_sync_time, " + micros("stats_reset") + " from pg_stat_wal";
        CountedWork work = work(version);
        WalRow row =
                Objects.requireNonNull(compareForAll(work, WalProbe.PROBE, sql).get(""));
        assertThat(List.of(row.records(), row.fullPageImages(), row.bytes(), row.writes(), row.syncs()))
                .doesNotHaveDuplicates()
                .allSatisfy(value -> assertThat(value).isPositive());
        assertThat(row.writeMillis()).isPositive();
        assertThat(row.syncMillis()).isPositive();
    }

    /** A commit that waits for its WAL syncs it once, and the count means the same on every version. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void commitsAreSyncedOnceEachOnEveryVersion(String version) throws Exception {
        int commits = 50;
        CountedWork work = work(version);
        try (TargetSession session = TargetSession.open(work.database.address(CountedWork.MONITOR))) {
            TestDatabase.run(work.view, "create table c (i int)");
            WalRow before = Looks.at(session, WalProbe.PROBE).get(0);
            try (Connection writer = work.database.connect("writer")) {
                for (int i = 0; i < commits; i++) {
                    TestDatabase.run(writer, "insert into c values (" + i + ")");
                }
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    Looks.at(session, WalProbe.PROBE).get(0).syncs() - before.syncs())
                            .isBetween((long) commits, commits + 30L));
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void checkpointsAreWhatTheViewOfTheVersionShows(String version) throws Exception {
        String sql = switch (version) {
            case "14", "15", "16" ->
                "select '', checkpoints_timed, checkpoints_req, null, null, null, null, checkpoint_write_time,"
                        + " checkpoint_sync_time, buffers_checkpoint, null, " + micros("stats_reset")
                        + " from pg_stat_bgwriter";
            case "17" ->
                "select '', num_timed, num_requested, null, restartpoints_timed, restartpoints_req,"
                        + " restartpoints_done, write_time, sync_time, buffers_written, null, "
                        + micros("stats_reset") + " from pg_stat_checkpointer";
            default ->
                "select '', num_timed, num_requested, num_done, restartpoints_timed, restartpoints_req,"
                        + " restartpoints_done, write_time, sync_time, buffers_written, slru_written, "
                        + micros("stats_reset") + " from pg_stat_checkpointer";
        };
        CountedWork work = work(version);
        CheckpointsRow row = Objects.requireNonNull(
                compareForAll(work, CheckpointsProbe.PROBE, sql).get(""));
        assertThat(row.requested()).isGreaterThanOrEqualTo(CountedWork.CHECKPOINTS);
        assertThat(row.buffersWritten()).isPositive();
        assertThat(row.writeMillis()).isPositive();
        assertThat(row.done() == null).isEqualTo(Integer.parseInt(version) < 18);
        assertThat(row.restartPointsDone() == null).isEqualTo(Integer.parseInt(version) < 17);
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void buffersAreWhatTheViewShows(String version) throws Exception {
        boolean backends = Integer.parseInt(version) <= 16;
        String sql = "select '', buffers_clean, maxwritten_clean, buffers_alloc, "
                + (backends ? "buffers_backend, buffers_backend_fsync, " : "null, null, ") + micros("stats_reset")
                + " from pg_stat_bgwriter";
        CountedWork work = work(version);
        BuffersRow row = Objects.requireNonNull(
                compareForAll(work, BuffersProbe.PROBE, sql).get(""));
        assertThat(row.allocated()).isPositive();
        assertThat(row.writtenByBackends() == null).isEqualTo(!backends);
        assertThat(!backends || row.writtenByBackends() > 0).isTrue();
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void ioIsWhatTheViewShowsWithoutTheRowsInWhichNothingHappened(String version) throws Exception {
        int major = Integer.parseInt(version);
        if (major < 16) {
            assertThat(((SqlProbe<IoRow>) IoProbe.PROBE).sql(new ServerVersion(major, 0)))
                    .isEmpty();
            return;
        }
        boolean bytes = major >= 18;
        String sql = "select backend_type || '/' || object || '/' || context, backend_type, object, context, reads, "
                + (bytes ? "read_bytes" : "reads * op_bytes") + ", read_time, writes, "
                + (bytes ? "write_bytes" : "writes * op_bytes")
                + ", write_time, writebacks, writeback_time, extends, "
                + (bytes ? "extend_bytes" : "extends * op_bytes")
                + ", extend_time, hits, evictions, reuses, fsyncs, fsync_time, " + micros("stats_reset")
                + " from pg_stat_io where coalesce(reads, 0) + coalesce(writes, 0) + coalesce(writebacks, 0)"
                + " + coalesce(extends, 0) + coalesce(hits, 0) + coalesce(evictions, 0) + coalesce(reuses, 0)"
                + " + coalesce(fsyncs, 0) > 0";
        CountedWork work = work(version);
        Map<String, IoRow> seen = compareForAll(work, IoProbe.PROBE, sql);
        IoRow sessions = Objects.requireNonNull(seen.get("client backend/relation/normal"));
        assertThat(List.of(sessions.reads(), sessions.writes(), sessions.extensions(), sessions.evictions()))
                .allSatisfy(value -> assertThat(value).isPositive());
        assertThat(sessions.readBytes()).isGreaterThanOrEqualTo(8192 * sessions.reads());
        assertThat(sessions.readMillis()).isPositive();
        assertThat(sessions.reuses()).as("there is no ring to use again").isNull();
        assertThat(seen.keySet().stream().anyMatch(key -> key.contains("/wal/")))
                .isEqualTo(bytes);
        assertThat(TestDatabase.one(work.view, "select count(*) from pg_stat_io"))
                .as("rows with nothing in them are left out")
                .satisfies(all -> assertThat(Integer.parseInt(all)).isGreaterThan(seen.size()));
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void databasesAreWhatTheViewShows(String version) throws Exception {
        String workers = Integer.parseInt(version) >= 18
                ? "parallel_workers_to_launch, parallel_workers_launched, "
                : "null, null, ";
        String sql =
                "select coalesce(nullif(datid, 0)::text, ''), nullif(datid, 0), datname, xact_commit, xact_rollback,"
                        + " blks_read, blks_hit, tup_returned, tup_fetched, tup_inserted, tup_updated, tup_deleted, conflicts,"
                        + " temp_files, temp_bytes, deadlocks, checksum_failures, " + micros("checksum_last_failure")
                        + ", blk_read_time, blk_write_time, session_time, active_time, idle_in_transaction_time, sessions,"
                        + " sessions_abandoned, sessions_fatal, sessions_killed, " + workers + micros("stats_reset")
                        + " from pg_stat_database";
        CountedWork work = work(version);
        Map<String, DatabaseRow> seen = compareForAll(work, DatabasesProbe.PROBE, sql);
        DatabaseRow own = seen.values().stream()
                .filter(row -> work.database.name().equals(row.database()))
                .findFirst()
                .orElseThrow();
        assertThat(own.key()).isEqualTo(Objects.requireNonNull(own.oid()).toString());
        assertThat(List.of(
                        own.commits(),
                        own.rollbacks(),
                        own.tuplesInserted(),
                        own.tuplesUpdated(),
                        own.tuplesDeleted(),
                        own.temporaryFiles(),
                        own.temporaryBytes(),
                        Objects.requireNonNull(own.sessions())))
                .doesNotHaveDuplicates()
                .allSatisfy(value -> assertThat(value).isPositive());
        assertThat(own.deadlocks()).isEqualTo(1);
        assertThat(own.sessionsKilled()).isEqualTo(2);
        assertThat(own.parallelWorkersPlanned() == null).isEqualTo(Integer.parseInt(version) < 18);
        DatabaseRow shared = Objects.requireNonNull(seen.get(""));
        assertThat(shared.database()).isNull();
        assertThat(shared.oid()).isNull();
    }

    /** A database in a tablespace of its own has its folder there. */
    @Test
    void aDatabaseInAnotherTablespaceIsNotForgotten() throws Exception {
        CountedWork work = work("16");
        try (TargetSession session = TargetSession.open(work.database.address(CountedWork.MONITOR))) {
            TestDatabase.run(work.view, "set allow_in_place_tablespaces = on");
            TestDatabase.run(work.view, "create tablespace aside location ''");
            try {
                TestDatabase.run(work.view, "create database elsewhere tablespace aside");
                long oid = Long.parseLong(
                        TestDatabase.one(work.view, "select oid from pg_database where datname = 'elsewhere'"));
                assertThat(Looks.at(session, DatabasesProbe.PROBE))
                        .anySatisfy(row -> {
                            assertThat(row.database()).isEqualTo("elsewhere");
                            assertThat(row.oid()).isEqualTo(new Oid(oid));
                        })
                        .hasSize(5 + 1);
            } finally {
                work.database.administer("drop database if exists elsewhere");
                work.database.administer("drop tablespace aside");
            }
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void databasesAreSeenWhileTheirCatalogIsLockedAndAgesAreNot(String version) throws Exception {
        CountedWork work = work(version);
        try (Connection holder = work.database.connect("holder");
                TargetSession session = TargetSession.open(work.database.address(CountedWork.MONITOR))) {
            TestDatabase.run(holder, "begin; lock table pg_database, pg_authid in access exclusive mode");
            assertThat(Looks.at(session, DatabasesProbe.PROBE)).hasSizeGreaterThanOrEqualTo(5);
            assertThatThrownBy(() -> Looks.at(session, DatabaseAgesProbe.PROBE)).hasMessageContaining("lock timeout");
            TestDatabase.run(holder, "rollback");
            assertThat(Looks.at(session, DatabaseAgesProbe.PROBE)).hasSize(4);
        }
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void agesAreWhatTheCatalogSays(String version) throws Exception {
        CountedWork work = work(version);
        for (String role : work.roles()) {
            try (TargetSession session = TargetSession.open(work.database.address(role))) {
                Map<String, DatabaseAgeRow> seen = compare(
                        work.view,
                        session,
                        DatabaseAgesProbe.PROBE,
                        DatabaseAgeRow::database,
                        "select datname, datname, age(datfrozenxid), mxid_age(datminmxid) from pg_database");
                assertThat(seen.keySet()).contains("template0", "postgres", work.database.name());
                assertThat(Objects.requireNonNull(seen.get("template0")).xidAge())
                        .isPositive();
            }
        }
    }

    /** On 18 the row has two origins, which can be reset apart. */
    @Test
    void aResetOfEitherOriginOfTheWalRowShows() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("18");
                TestDatabase database = TestDatabase.on(server, "create role plain login");
                Connection view = database.connect("view");
                TargetSession session = TargetSession.open(database.address("plain"))) {
            for (String origin : List.of("io", "wal", "io")) {
                Instant before = Objects.requireNonNull(
                        Looks.at(session, WalProbe.PROBE).get(0).statsReset());
                TestDatabase.run(view, "select pg_stat_reset_shared('" + origin + "')");
                assertThat(Looks.at(session, WalProbe.PROBE).get(0).statsReset())
                        .isAfter(before);
            }
        }
    }
}
