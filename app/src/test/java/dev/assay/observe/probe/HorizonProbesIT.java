package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.HorizonRow;
import dev.assay.evidence.HorizonRow.Kind;
import dev.assay.evidence.PreparedTransactionRow;
import dev.assay.evidence.SlotRow;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Slots, prepared transactions, and all that holds the horizon back, compared with the views. */
@Timeout(90)
class HorizonProbesIT {

    static final List<String> VERSIONS = NamedSessions.VERSIONS;

    private static void burn(NamedSessions sessions, int transactions) throws SQLException {
        for (int i = 0; i < transactions; i++) {
            sessions.one("select pg_current_xact_id()");
        }
    }

    private static List<HorizonRow> horizon(NamedSessions sessions, TargetSession session) {
        return Looks.at(session, HorizonProbe.PROBE).stream()
                .filter(row -> row.kind() == Kind.REPLICATION_SLOT
                        ? row.name().startsWith(sessions.database.name())
                        : sessions.database.name().equals(row.database()))
                .toList();
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void everyKindOfHolderIsTold(String version) throws Exception {
        String slot = "_logical";
        try (NamedSessions sessions = new NamedSessions(version, "create table t (id int primary key)");
                Roles roles = new Roles(sessions.database);
                TargetSession session = sessions.as("postgres");
                TargetSession monitor = sessions.as(roles.monitor);
                TargetSession plain = sessions.as(roles.plain)) {
            assertThat(horizon(sessions, session)).isEmpty();
            String name = sessions.database.name() + slot;
            sessions.one("select pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
            burn(sessions, 1);
            String gid = "gid of " + sessions.database.name();
            sessions.run("prepares", "begin; insert into t values (1)", "prepare transaction '" + gid + "'");
            burn(sessions, 3);
            sessions.run("reads", "begin isolation level repeatable read", "select count(*) from t");
            burn(sessions, 2);
            // an XID and no snapshot
            sessions.run("writes", "begin", "insert into t values (2)");
            burn(sessions, 4);
            sessions.run("idle", "select 1");

            List<HorizonRow> rows = horizon(sessions, session);
            List<String> ages = sessions.rows(
                            "select (select age(catalog_xmin) from pg_replication_slots where slot_name = '"
                                    + name + "'), (select age(transaction) from pg_prepared_xacts where gid = '" + gid
                                    + "'), (select age(backend_xmin) from pg_stat_activity where pid = "
                                    + sessions.pid("reads")
                                    + "), (select age(backend_xid) from pg_stat_activity where pid = "
                                    + sessions.pid("writes") + ")")
                    .get(0);
            assertThat(rows.stream().map(row -> Integer.toString(row.xminAge())).toList())
                    .isEqualTo(ages);
            assertThat(rows)
                    .extracting(HorizonRow::kind)
                    .containsExactly(Kind.REPLICATION_SLOT, Kind.PREPARED_TRANSACTION, Kind.SESSION, Kind.SESSION);
            assertThat(rows).extracting(HorizonRow::name).containsExactly(name, gid, "reads", "writes");
            assertThat(rows).extracting(HorizonRow::catalogOnly).containsExactly(true, false, false, false);
            assertThat(rows.get(2).pid()).isEqualTo(sessions.pid("reads"));
            assertThat(rows.get(2).since())
                    .isEqualTo(ViewText.instant(sessions.one(
                            "select xact_start from pg_stat_activity where pid = " + sessions.pid("reads"))));
            assertThat(rows.get(3).xminAge()).isEqualTo(5);
            assertThat(horizon(sessions, monitor)).isEqualTo(rows);
            // a plain role sees who holds it and how far, not since when
            assertThat(horizon(sessions, plain))
                    .extracting(HorizonRow::xminAge)
                    .containsExactlyElementsOf(
                            rows.stream().map(HorizonRow::xminAge).toList());
            assertThat(horizon(sessions, plain).get(2).since()).isNull();

            prepared(sessions, session, plain, gid);
            slot(sessions, session, plain, name, Integer.parseInt(version));
            sessions.one("select pg_drop_replication_slot('" + name + "')");
        }
    }

    private static void prepared(NamedSessions sessions, TargetSession session, TargetSession plain, String gid)
            throws SQLException {
        List<String> shown = sessions.rows(
                        "select gid, prepared, age(transaction), owner, database from pg_prepared_xacts where gid = '"
                                + gid + "'")
                .get(0);
        PreparedTransactionRow expected = new PreparedTransactionRow(
                shown.get(0),
                ViewText.instant(shown.get(1)),
                Integer.parseInt(shown.get(2)),
                shown.get(3),
                shown.get(4));
        assertThat(Looks.at(session, PreparedTransactionsProbe.PROBE)).contains(expected);
        assertThat(Looks.at(plain, PreparedTransactionsProbe.PROBE)).contains(expected);
        sessions.run("prepares", "rollback prepared '" + gid + "'");
        assertThat(Looks.at(session, PreparedTransactionsProbe.PROBE))
                .noneMatch(row -> row.gid().equals(gid));
    }

    private static SlotRow slot(TargetSession session, String name) {
        return Looks.at(session, SlotsProbe.PROBE).stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void slot(NamedSessions sessions, TargetSession session, TargetSession plain, String name, int major)
            throws SQLException {
        sessions.one("select pg_logical_emit_message(false, 'x', repeat('y', 100000))::text");
        SlotRow row = slot(session, name);
        List<String> shown = sessions.rows("select database, age(catalog_xmin), restart_lsn, confirmed_flush_lsn,"
                        + " pg_current_wal_insert_lsn() - restart_lsn, wal_status, safe_wal_size, xmin, active_pid, "
                        + (major >= 17 ? "inactive_since" : "null") + " from pg_replication_slots where slot_name = '"
                        + name
                        + "'")
                .get(0);
        assertThat(row.logical()).isTrue();
        assertThat(row.plugin()).isEqualTo("pgoutput");
        assertThat(row.temporary()).isFalse();
        assertThat(row.database()).isEqualTo(shown.get(0)).isEqualTo(sessions.database.name());
        assertThat(ViewText.of(row.catalogXminAge())).isEqualTo(shown.get(1));
        assertThat(row.restartLsn()).isEqualTo(shown.get(2));
        assertThat(row.confirmedFlushLsn()).isEqualTo(shown.get(3));
        assertThat(row.retainedBytes()).isBetween(100_000L, Long.valueOf(shown.get(4)));
        assertThat(row.walStatus()).isEqualTo(shown.get(5)).isEqualTo("reserved");
        assertThat(row.safeBytes()).isNull();
        assertThat(row.xminAge()).isNull();
        assertThat(row.activePid()).isNull();
        assertThat(row.inactiveSince()).isEqualTo(ViewText.instant(shown.get(9)));
        assertThat(row.invalidationReason()).isNull();
        assertThat(slot(plain, name).restartLsn()).isEqualTo(row.restartLsn());
    }

    /** A slot that fell behind further than it may is lost, and that is told alike on every version. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void aLostSlotSaysWhy(String version) throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(TestServers.settings(version)
                        .with("max_slot_wal_keep_size", "1MB")
                        .with("min_wal_size", "32MB"));
                TestDatabase database = TestDatabase.on(server, "create table t (i int)");
                Connection view = database.connect("view");
                TargetSession session = database.target()) {
            TestDatabase.one(view, "select pg_create_physical_replication_slot('behind', true)");
            assertThat(slot(session, "behind")).satisfies(row -> {
                assertThat(row.logical()).isFalse();
                assertThat(row.safeBytes()).isPositive();
                assertThat(row.invalidationReason()).isNull();
            });
            await().atMost(NamedSessions.PATIENCE).until(() -> {
                TestDatabase.run(view, "insert into t values (1)");
                TestDatabase.run(view, "select pg_switch_wal()");
                TestDatabase.run(view, "checkpoint");
                return TestDatabase.one(view, "select wal_status from pg_replication_slots")
                        .equals("lost");
            });
            SlotRow row = slot(session, "behind");
            assertThat(row.walStatus()).isEqualTo("lost");
            assertThat(row.invalidationReason()).isEqualTo("wal_removed");
            assertThat(row.retainedBytes()).isNull();
        }
    }

    /** Settings with secrets, as the server holds them. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    void secretsInSettingsDoNotLeaveTheProbe(String version) throws Exception {
        Map<String, String> secrets = Map.of(
                "restore_command", "PGPASSWORD='tr ea-sure' fetch --token=trea-sure https://joe:trea-sure@vault/%f %p",
                "archive_cleanup_command", "clean s3://bucket?secret=trea-sure",
                "ssl_passphrase_command", "echo trea-sure",
                "primary_conninfo", "host=db1 password=trea-sure");
        try (EmbeddedServer server =
                        EmbeddedServer.start(TestServers.settings(version).with(secrets));
                TestDatabase database = TestDatabase.on(server, "create role monitor login in role pg_monitor");
                Connection view = database.connect("view");
                TargetSession session = TargetSession.open(database.address("monitor"))) {
            assertThat(TestDatabase.rows(view, "select name from pg_settings where setting like '%-sure%'"))
                    .hasSize(4);
            var settings = Looks.at(session, SettingsProbe.PROBE);
            assertThat(settings.toString()).doesNotContain("-sure");
            Map<String, String> seen = new TreeMap<>();
            settings.forEach(row -> seen.put(row.name(), row.value()));
            assertThat(seen)
                    .containsEntry("restore_command", "PGPASSWORD=*** fetch --token=*** https://joe:***@vault/%f %p")
                    .containsEntry("ssl_passphrase_command", "***")
                    .containsEntry("primary_conninfo", "host=db1 password=***")
                    .containsEntry("password_encryption", TestDatabase.one(view, "show password_encryption"));
        }
    }
}
