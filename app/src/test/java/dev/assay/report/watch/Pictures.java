package dev.assay.report.watch;

import dev.assay.diagnose.Confidence;
import dev.assay.diagnose.Culprit;
import dev.assay.diagnose.Figure;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.Remedy;
import dev.assay.diagnose.Severity;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.HorizonRow;
import dev.assay.evidence.HostRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.SessionCountRow;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.SubtransactionsRow;
import dev.assay.evidence.VacuumProgressRow;
import dev.assay.observe.SelfCost;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.WaitEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A shop under load for 40 seconds, with a gap of ten: a blocked row, slots that overflow, an overflowed transaction, a vacuum, a finding. */
final class Pictures {

    static final Instant START = Instant.parse("2026-03-14T12:00:00Z");
    static final Instant NOW = START.plusSeconds(40);
    static final ServerFacts SERVER = new ServerFacts(
            ServerVersion.parse("16.14"),
            "PostgreSQL 16.14 (Debian 16.14-1.pgdg12+1) on x86_64-pc-linux-gnu, compiled by gcc",
            "shop");
    static final StatementId UPDATE = StatementId.of("1", "update stock set n = n - 1 where id = 42");
    static final StatementId REPORT =
            StatementId.of("2", "select sum(amount) from orders join lines using (order_id) where ordered_at > now()");
    private static final Oid ORDERS = new Oid(16384);

    private Pictures() {}

    static WatchPicture shop() {
        return shop("shop-web", null);
    }

    /**
     * The same with another application name, or as a recording.
     *
     * @param playback where in the recording it is; null for a server
     */
    static WatchPicture shop(String application, WatchPicture.@Nullable Playback playback) {
        WatchModel model = new WatchModel();
        fill(model, application);
        SelfCost cost = new SelfCost(
                Duration.ofSeconds(100),
                Duration.ofMillis(300),
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                4,
                1,
                0,
                0);
        return model.picture(
                NOW, new WatchPicture.Scene("db.example:5432/shop", SERVER, playback == null ? cost : null, playback));
    }

    static void fill(WatchModel model, String application) {
        model.names(new CatalogSnapshot(Map.of(
                ORDERS,
                new CatalogRelation(
                        ORDERS, new RelationName("public", "orders"), CatalogRelation.Kind.TABLE, null, null, null))));
        for (int second = 0; second <= 40; second++) {
            if (second < 15 || second >= 25) {
                model.add(ActivityRow.class, look(second, application));
            }
        }
        one(model, HostRow.class, new HostRow(4, 0, 0, 0, 0, 0, 0, 0, 0, null, null));
        one(
                model,
                ServerRow.class,
                new ServerRow(START.minusSeconds(93_784), START.minusSeconds(93_784), false, "0/1", NOW));
        model.add(
                SettingRow.class,
                new Sample<>(
                        NOW,
                        List.of(
                                new SettingRow("max_connections", "200", "default"),
                                new SettingRow("max_locks_per_transaction", "64", "default"))));
        model.add(
                SessionCountRow.class,
                new Sample<>(
                        NOW,
                        List.of(
                                new SessionCountRow("shop", "shop", application, "client backend", "idle", 50),
                                new SessionCountRow("shop", "shop", application, "client backend", "active", 7),
                                new SessionCountRow(null, null, "", "checkpointer", null, 1))));
        one(model, SubtransactionsRow.class, new SubtransactionsRow(101, 64, true));
        model.add(
                BlockingRow.class,
                new Sample<>(
                        NOW,
                        List.of(waits(102, 101, "transaction 731"), waits(103, 102, "tuple (0,1) of relation 16384"))));
        List<RelationLocksRow.Lock> locks = new ArrayList<>();
        for (int i = 0; i < 26; i++) {
            locks.add(new RelationLocksRow.Lock(new Oid(16384 + i), LockMode.ACCESS_SHARE, true, i < 16));
        }
        one(model, RelationLocksRow.class, new RelationLocksRow(104, REPORT, locks));
        one(
                model,
                VacuumProgressRow.class,
                new VacuumProgressRow(
                        200,
                        "shop",
                        ORDERS,
                        "vacuuming indexes",
                        20_000L,
                        15_000L,
                        0L,
                        2L,
                        67_108_864L,
                        12_582_912L,
                        2_097_152L,
                        null,
                        null,
                        null));
        one(
                model,
                HorizonRow.class,
                new HorizonRow(HorizonRow.Kind.SESSION, 101, application, "shop", "shop", 12_345, false, START));
        one(
                model,
                LookRow.class,
                new LookRow("statements", LookRow.Outcome.REFUSED, 10, 0, "pg_stat_statements is not loaded"));
        model.judged(
                START.minusSeconds(300),
                List.of(finding("old", Severity.WARNING, "An index that nobody uses takes slots")));
        model.judged(
                NOW.minusSeconds(10),
                List.of(finding("slots", Severity.CRITICAL, "orders takes more locks than a backend has slots")));
    }

    private static <R extends dev.assay.evidence.Row> void one(WatchModel model, Class<R> kind, R row) {
        model.add(kind, new Sample<>(NOW, List.of(row)));
    }

    private static BlockingRow waits(int pid, int blocker, String object) {
        return new BlockingRow(
                pid,
                null,
                List.of(blocker),
                1,
                object.startsWith("tuple") ? "tuple" : "transactionid",
                object.startsWith("tuple") ? ORDERS : null,
                object,
                null,
                LockMode.SHARE,
                NOW.minusSeconds(12));
    }

    /** One session idle in its transaction, two that wait behind it, one on a core, and as many in the lock manager as seconds have passed, up to 4. */
    private static Sample<ActivityRow> look(int second, String application) {
        List<ActivityRow> rows = new ArrayList<>();
        rows.add(session(101, application, "idle in transaction", new WaitEvent("Client", "ClientRead"), UPDATE));
        if (second >= 25) {
            rows.add(session(102, application, "active", new WaitEvent("Lock", "transactionid"), UPDATE));
            rows.add(session(103, application, "active", new WaitEvent("Lock", "tuple"), UPDATE));
        }
        rows.add(session(104, "report", "active", null, REPORT));
        for (int i = 0; i < Math.min(4, second); i++) {
            rows.add(session(105 + i, application, "active", WaitEvent.LOCK_MANAGER, REPORT));
        }
        return new Sample<>(START.plusSeconds(second), rows);
    }

    static ActivityRow session(
            int pid, String application, String state, @Nullable WaitEvent wait, @Nullable StatementId statement) {
        return new ActivityRow(
                pid,
                null,
                "shop",
                "shop",
                application,
                "10.0.0.7",
                "client backend",
                state,
                wait,
                statement,
                null,
                START.minusSeconds(600),
                NOW.minusSeconds(200 - pid),
                NOW.minusSeconds(30),
                NOW.minusMillis(12_300),
                null,
                7);
    }

    static Finding finding(String fingerprint, Severity severity, String title) {
        return new Finding(
                "slot-overflow",
                fingerprint,
                title,
                severity,
                Confidence.MEASURED,
                "Statements need more relation locks than a backend has fast-path slots.",
                0.4,
                List.of(new Figure("locks", 26, "locks", 40, "pg_locks")),
                List.of(new Culprit("statement", "select", "joins orders")),
                List.of(new Remedy("join-less", "Join less.", null, "fewer locks", "none", false, "assay locks", null)),
                List.of(),
                null);
    }
}
