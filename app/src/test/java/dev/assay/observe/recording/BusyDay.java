package dev.assay.observe.recording;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.StatementRow;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.WaitEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A busy server as the recorder sees it, without one: 100 active sessions each second that run 200 statements with 26 relation locks each, 300
 * settings a minute, 5,000 statements once an hour and 200 of them a minute, and ten rows a look of everything else at its own cadence.
 */
final class BusyDay {

    private static final int SESSIONS = 100;
    private static final int STATEMENTS = 200;
    private static final int LOCKS = 26;
    private static final int SLOTS = 16;
    private static final int OTHER_ROWS = 10;
    private static final WaitEvent[] WAITS = {
        null,
        null,
        new WaitEvent("LWLock", "LockManager"),
        new WaitEvent("IO", "DataFileRead"),
        new WaitEvent("Client", "ClientRead"),
        new WaitEvent("IO", "WalSync"),
        new WaitEvent("Lock", "transactionid")
    };

    private final Random random = new Random(20261130);
    private final GeneratedRows others = new GeneratedRows(20261130);
    private final List<StatementId> statements = new ArrayList<>();
    private final List<List<RelationLocksRow.Lock>> locks = new ArrayList<>();
    private final List<SettingRow> settings = new ArrayList<>();
    private final Instant[] transactionStart = new Instant[SESSIONS];
    private final int[] running = new int[SESSIONS];
    private long ticks;

    BusyDay() {
        for (int i = 0; i < 5_000; i++) {
            statements.add(new StatementId(Long.toString(random.nextLong()), text(i)));
        }
        for (int i = 0; i < STATEMENTS; i++) {
            List<RelationLocksRow.Lock> held = new ArrayList<>();
            for (int k = 0; k < LOCKS; k++) {
                held.add(new RelationLocksRow.Lock(
                        new Oid(16_384 + i * 13L + k), LockMode.ACCESS_SHARE, true, k < SLOTS));
            }
            locks.add(held);
        }
        for (int i = 0; i < 300; i++) {
            settings.add(new SettingRow("some_setting_" + i, Integer.toString(i * 8192), "configuration file"));
        }
    }

    private static String text(int i) {
        return "select o.id, o.customer_id, o.order_ts, l.amount_" + i
                + " from orders o join order_lines l on l.order_id = o.id"
                + " where o.order_ts >= ? and o.order_ts < ? and l.product_id = any (?) order by o.order_ts desc limit ? -- "
                + i;
    }

    /** Writes this span and returns the size of the folder when everything is rolled. */
    long write(Path folder, Duration span, RecordingLimits limits) throws InterruptedException {
        Samplings.HandClock clock = new Samplings.HandClock();
        long seconds = span.toSeconds();
        RecordingWriter writer = Samplings.writer(folder, limits, clock);
        try (writer) {
            for (ticks = 0; ticks < seconds; ticks++) {
                Instant now = Samplings.START.plusSeconds(ticks).plus(random.nextInt(2_000), ChronoUnit.MICROS);
                clock.set(now);
                second(writer, now);
                if (ticks % 60 == 0) {
                    writer.settle();
                }
            }
        }
        if (writer.failure() != null) {
            throw writer.failure();
        }
        return writer.bytes();
    }

    private void second(RecordingWriter writer, Instant now) {
        List<ActivityRow> sessions = new ArrayList<>(SESSIONS);
        List<RelationLocksRow> held = new ArrayList<>(SESSIONS);
        for (int i = 0; i < SESSIONS; i++) {
            if (transactionStart[i] == null || random.nextInt(3) > 0) {
                transactionStart[i] = now.minus(random.nextInt(1_000_000), ChronoUnit.MICROS);
                running[i] = (int) (STATEMENTS * Math.pow(random.nextDouble(), 2));
            }
            sessions.add(session(i));
            held.add(new RelationLocksRow(10_000 + i, statements.get(running[i]), locks.get(running[i])));
        }
        writer.add(ActivityRow.class, new Sample<>(now, sessions));
        writer.add(RelationLocksRow.class, new Sample<>(now, held));
        if (ticks % 60 == 0) {
            writer.add(SettingRow.class, new Sample<>(now, settings));
        }
        for (Probe<?> probe : Probes.all()) {
            look(writer, probe, now);
        }
    }

    private ActivityRow session(int i) {
        Instant began = transactionStart[i];
        return new ActivityRow(
                10_000 + i,
                null,
                "app",
                "shop",
                "web-" + i % 8,
                "10.0.0." + i % 8,
                "client backend",
                i % 20 == 0 ? "idle in transaction" : "active",
                WAITS[random.nextInt(WAITS.length)],
                statements.get(running[i]),
                null,
                Samplings.START.minusSeconds(i * 60L),
                began,
                began.plus(random.nextInt(5_000), ChronoUnit.MICROS),
                began.plus(random.nextInt(9_000), ChronoUnit.MICROS),
                random.nextInt(3) == 0 ? random.nextInt(200) : null,
                random.nextInt(200));
    }

    private <R extends Row> void look(RecordingWriter writer, Probe<R> probe, Instant now) {
        long every = Math.max(1, probe.pace().cadence().toSeconds());
        if (ticks % every != 0) {
            return;
        }
        Class<R> row = probe.row();
        if (row.equals(StatementRow.class)) {
            List<StatementRow> changed = new ArrayList<>();
            int count = ticks % 3_600 == 0 ? statements.size() : STATEMENTS;
            for (int i = 0; i < count; i++) {
                changed.add(statement(i));
            }
            writer.add(StatementRow.class, new Sample<>(now, changed));
        } else if (!row.equals(ActivityRow.class)
                && !row.equals(RelationLocksRow.class)
                && !row.equals(SettingRow.class)
                && !probe.pace().onLockWaits()) {
            writer.add(row, new Sample<>(now, others.rows(row, 2 * OTHER_ROWS)));
        }
        LookRow look = new LookRow(probe.name(), LookRow.Outcome.OK, 300 + random.nextInt(400), OTHER_ROWS, "");
        writer.add(LookRow.class, new Sample<>(now, List.of(look)));
    }

    private StatementRow statement(int i) {
        long calls = ticks * (5 + i % 50) + random.nextInt(50);
        StatementId id = statements.get(i);
        return new StatementRow(
                id.queryId(),
                id,
                "app",
                "shop",
                true,
                calls,
                0,
                0,
                calls * 1.37 + random.nextDouble(),
                0.02,
                950.25,
                calls * 3,
                calls * 41,
                calls / 7,
                0,
                0,
                0,
                0,
                0,
                0,
                calls * 0.01 + random.nextDouble(),
                0,
                calls / 9,
                calls / 90,
                calls * 13,
                0.0,
                null);
    }
}
