package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.HorizonRow;
import dev.assay.evidence.WalReceiverRow;
import dev.assay.evidence.WalSenderRow;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.server.TestStandby;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A primary with a real standby that gives feedback, seen from both ends and compared with the views there. */
@Timeout(120)
class ReplicationProbesIT {

    static final List<String> VERSIONS = NamedSessions.VERSIONS;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String WRITTEN = "select row(pg_current_wal_insert_lsn(), pg_current_wal_lsn())";

    private static TargetSession open(EmbeddedServer server, String role) {
        return TargetSession.open(TargetAddress.of(server.database(), server.host(), server.port(), role, Map.of()));
    }

    private static void advance(Connection session) throws Exception {
        TestDatabase.run(session, "create table if not exists t (i int)");
        TestDatabase.run(session, "insert into t select generate_series(1, 5000)");
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void aPrimaryAndItsStandby(String version) throws Exception {
        try (EmbeddedServer primary = TestServers.fresh(version);
                Connection view = TestStandby.connect(primary)) {
            TestDatabase.run(view, "create role monitor login in role pg_monitor; create role plain login");
            try (EmbeddedServer standby = TestStandby.of(
                            primary, "standby_one", "hot_standby_feedback = on", "wal_receiver_status_interval = 1");
                    Connection there = TestStandby.connect(standby);
                    TargetSession onPrimary = open(primary, "postgres");
                    TargetSession onStandby = open(standby, "monitor")) {
                assertThat(Looks.at(onPrimary, WalReceiverProbe.PROBE)).isEmpty();
                assertThat(Looks.at(onStandby, WalSendersProbe.PROBE)).isEmpty();
                advance(view);
                WalSenderRow sender = whileNothingIsWritten(view, () -> sender(primary, view, onPrimary));
                whileNothingIsWritten(view, () -> receiver(standby, there, view, onStandby));
                pausedStandbyLags(view, there, onPrimary, onStandby);
                feedbackHoldsTheHorizon(view, there, onPrimary, sender);
                TestDatabase.run(there, "select pg_promote()");
                assertThat(Looks.at(onStandby, WalReceiverProbe.PROBE)).isEmpty();
            }
        }
    }

    /**
     * Compares what was read at different moments; that says something only if the primary wrote no WAL meanwhile. Its
     * background writer logs the running transactions every 15 s, and a checkpoint or autovacuum may come at any time:
     * a comparison that such a write went through is made again.
     */
    private static <T> T whileNothingIsWritten(Connection view, Callable<T> comparison) throws Exception {
        for (int attempt = 1; ; attempt++) {
            String before = TestDatabase.one(view, WRITTEN);
            untilReplayed(view);
            try {
                return comparison.call();
            } catch (AssertionError e) {
                if (TestDatabase.one(view, WRITTEN).equals(before) || attempt == 5) {
                    throw e;
                }
            }
        }
    }

    private static void untilReplayed(Connection view) {
        await().atMost(PATIENCE)
                .until(() -> TestDatabase.one(view, "select replay_lsn = pg_current_wal_lsn() from pg_stat_replication")
                        .equals("t"));
    }

    private static WalSenderRow sender(EmbeddedServer primary, Connection view, TargetSession onPrimary)
            throws Exception {
        WalSenderRow row = Looks.at(onPrimary, WalSendersProbe.PROBE).get(0);
        List<String> shown = TestDatabase.rows(
                        view,
                        "select pid, usename, application_name, host(client_addr), state, sent_lsn, write_lsn, flush_lsn, replay_lsn,"
                                + " sync_state from pg_stat_replication")
                .get(0);
        assertThat(List.of(
                        Integer.toString(row.pid()),
                        row.user(),
                        row.application(),
                        row.clientAddress(),
                        row.state(),
                        row.sentLsn(),
                        row.writeLsn(),
                        row.flushLsn(),
                        row.replayLsn(),
                        row.syncState()))
                .isEqualTo(shown);
        assertThat(row.application()).isEqualTo("standby_one");
        assertThat(row.replayLagBytes()).isZero();
        try (TargetSession monitor = open(primary, "monitor");
                TargetSession plain = open(primary, "plain")) {
            assertThat(Looks.at(monitor, WalSendersProbe.PROBE))
                    .singleElement()
                    .extracting(WalSenderRow::replayLsn)
                    .isEqualTo(row.replayLsn());
            assertThat(Looks.at(plain, WalSendersProbe.PROBE)).singleElement().satisfies(hidden -> {
                assertThat(hidden.pid()).isEqualTo(row.pid());
                assertThat(hidden.application()).isEqualTo("standby_one");
                assertThat(hidden.state()).isNull();
                assertThat(hidden.replayLagBytes()).isNull();
            });
        }
        return row;
    }

    private static WalReceiverRow receiver(
            EmbeddedServer standby, Connection there, Connection view, TargetSession onStandby) throws Exception {
        WalReceiverRow row = Looks.at(onStandby, WalReceiverProbe.PROBE).get(0);
        List<String> shown = TestDatabase.rows(
                        there,
                        "select pid, status, sender_host, sender_port, written_lsn, flushed_lsn, pg_last_wal_replay_lsn()"
                                + " from pg_stat_wal_receiver")
                .get(0);
        assertThat(List.of(
                        Integer.toString(row.pid()),
                        row.status(),
                        row.senderHost(),
                        Integer.toString(row.senderPort()),
                        row.writtenLsn(),
                        row.flushedLsn(),
                        row.replayedLsn()))
                .isEqualTo(shown);
        assertThat(row.replayedLsn()).isEqualTo(TestDatabase.one(view, "select pg_current_wal_lsn()"));
        assertThat(row.replayLagBytes()).isZero();
        assertThat(row.replayPaused()).isFalse();
        assertThat(row.slot()).isNull();
        assertThat(row.lastReplayedCommit())
                .isEqualTo(ViewText.instant(TestDatabase.one(there, "select pg_last_xact_replay_timestamp()::text")));
        assertThat(row.toString()).doesNotContain("never-shown");
        try (TargetSession plain = open(standby, "plain")) {
            WalReceiverRow hidden = Looks.at(plain, WalReceiverProbe.PROBE).get(0);
            assertThat(hidden.pid()).isEqualTo(row.pid());
            assertThat(hidden.status()).isNull();
            assertThat(hidden.replayedLsn()).isEqualTo(row.replayedLsn());
        }
        // the connection string with its password is a setting as well
        assertThat(Looks.at(onStandby, SettingsProbe.PROBE))
                .filteredOn(setting -> setting.name().equals("primary_conninfo"))
                .singleElement()
                .satisfies(setting -> assertThat(setting.value())
                        .contains("application_name=standby_one password=***")
                        .doesNotContain("never-shown"));
        return row;
    }

    private static void pausedStandbyLags(
            Connection view, Connection there, TargetSession onPrimary, TargetSession onStandby) throws Exception {
        TestDatabase.run(there, "select pg_wal_replay_pause()");
        await().atMost(PATIENCE)
                .until(() -> TestDatabase.one(there, "select pg_get_wal_replay_pause_state()")
                        .equals("paused"));
        String before = TestDatabase.one(view, "select pg_current_wal_lsn()");
        advance(view);
        await().atMost(PATIENCE)
                .until(() -> TestDatabase.one(view, "select flush_lsn = pg_current_wal_lsn() from pg_stat_replication")
                        .equals("t"));
        long written = Long.parseLong(TestDatabase.one(view, "select pg_current_wal_lsn() - '" + before + "'::pg_lsn"));
        assertThat(written).isGreaterThan(100_000);
        assertThat(Looks.at(onPrimary, WalSendersProbe.PROBE).get(0).replayLagBytes())
                .isBetween(written, 2 * written);
        assertThat(Looks.at(onStandby, WalReceiverProbe.PROBE)).singleElement().satisfies(row -> {
            assertThat(row.replayPaused()).isTrue();
            assertThat(row.replayLagBytes()).isBetween(written, 2 * written);
        });
        TestDatabase.run(there, "select pg_wal_replay_resume()");
        untilReplayed(view);
    }

    /** A long transaction on the standby holds the primary's horizon by feedback. */
    private static void feedbackHoldsTheHorizon(
            Connection view, Connection there, TargetSession onPrimary, WalSenderRow sender) throws Exception {
        there.setAutoCommit(false);
        TestDatabase.run(there, "set transaction isolation level repeatable read");
        TestDatabase.run(there, "select count(*) from t");
        for (int i = 0; i < 5; i++) {
            TestDatabase.run(view, "select pg_current_xact_id()");
        }
        await().atMost(PATIENCE).until(() -> {
            TestDatabase.run(view, "select pg_current_xact_id()");
            return Looks.at(onPrimary, HorizonProbe.PROBE).stream()
                    .anyMatch(row -> row.kind() == HorizonRow.Kind.STANDBY_FEEDBACK && row.xminAge() > 5);
        });
        whileNothingIsWritten(view, () -> standbyHoldsTheHorizon(view, onPrimary, sender));
        there.rollback();
        there.setAutoCommit(true);
    }

    private static HorizonRow standbyHoldsTheHorizon(Connection view, TargetSession onPrimary, WalSenderRow sender)
            throws Exception {
        HorizonRow row = Looks.at(onPrimary, HorizonProbe.PROBE).get(0);
        assertThat(row.kind()).isEqualTo(HorizonRow.Kind.STANDBY_FEEDBACK);
        assertThat(row.name()).isEqualTo("standby_one");
        assertThat(row.pid()).isEqualTo(sender.pid());
        assertThat(row.database()).isNull();
        assertThat(Integer.toString(row.xminAge()))
                .isEqualTo(TestDatabase.one(view, "select age(backend_xmin) from pg_stat_replication"));
        assertThat(Looks.at(onPrimary, WalSendersProbe.PROBE).get(0).xminAge()).isEqualTo(row.xminAge());
        return row;
    }
}
